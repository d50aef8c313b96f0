/** docker-compose.yml, started unchanged except for port, token and image name. @module */
import assert from "node:assert/strict";
import { ROOT } from "../../scripts/project.ts";
import { Sandbox } from "../support/binary.ts";
import { callTool } from "../support/call_tool.ts";
import { eventually } from "../support/eventually.ts";
import { buildImage, IMAGE, LIMITS, storeOptions } from "./image.ts";
import { needing, program } from "../support/needs.ts";
import { adapt, freePort } from "./proxies.ts";
import { output } from "./released.ts";

const NEEDED = ["buildah", "podman", "podman-compose", "runc", "catatonit", "/usr/lib/cni/bridge"];

Deno.test({
  ...needing("docker-compose.yml comes up, serves what was mounted, and goes away", ...NEEDED.map(program)),
  async fn() {
    await using box = await Sandbox.make({ "a.txt": "hello\n" });
    await Deno.chmod(box.dir, 0o755); // the container's user is another one
    await buildImage(box, { packages: "released" });
    const port = freePort(), token = `test-${crypto.randomUUID()}`, project = `llmc-${crypto.randomUUID()}`;
    const file = `${box.dir}/docker-compose.yml`;
    const compose = (...args: string[]) =>
      output("podman-compose", ["--podman-path", `${box.dir}/podman`, "-p", project, "-f", file, ...args], {
        env: { HOST_REPO: box.root, LLMC_MCP_TOKEN: token },
      });
    await Deno.writeTextFile(file, await adapted(port));
    await Deno.writeTextFile(`${box.dir}/podman`, podmanScript(box), { mode: 0o755 });
    try {
      await compose("up", "--detach", "--no-build");
      const server = { url: `http://127.0.0.1:${port}`, token };
      const { content } = await eventually(() => callTool(server, "linux_fs_read", { path: "a.txt" }));
      assert.match(String(content), /^hello/);
      const refused = await callTool({ ...server, token: "another one" }, "linux_fs_read", { path: "a.txt" });
      assert.equal(refused.code, "AUTH_FAILED");
      const written = await callTool(server, "linux_fs_write", { path: "b.txt", content: "x" });
      assert.match(String(written.code), /PERMISSION_DENIED|WRITE_FAILED/, "the files are mounted read-only");
    } finally {
      await compose("down", "--volumes");
      await output(`${box.dir}/podman`, ["network", "rm", "--force", `${project}_default`]); // it leaves that behind
    }
  },
});

async function adapted(port: number): Promise<string> {
  return adapt(await Deno.readTextFile(`${ROOT}/docker-compose.yml`), [
    ['"127.0.0.1:8080:8080"', `"127.0.0.1:${port}:8080"`],
    ["image: llmc-mcp\n", `image: ${IMAGE}\n`],
  ]);
}

/** podman with a store, networks and limits of this test's own: a container may not raise what this machine's limits are. */
function podmanScript(box: Sandbox): string {
  const networks = `${box.dir}/networks`;
  const options = [
    ...storeOptions(box),
    "--network-config-dir",
    networks,
    "--cgroup-manager",
    "cgroupfs",
    "--runtime",
    "runc",
  ];
  return `#!/bin/sh
mkdir -p ${networks}
[ "$1" != run ] || { shift; set -- run ${LIMITS.join(" ")} "$@"; }
exec podman ${options.join(" ")} "$@"
`;
}
