/**
 * The Debian package on this machine's own system, in an overlay that is discarded. Tests in a bare system, of the
 * service and of other packages run with `make test-packages`, because they take minutes and need the network.
 * @module
 */
import assert from "node:assert/strict";
import { sha256 } from "../../scripts/project.ts";
import { commonFiles } from "../../scripts/release/common_files.ts";
import { makeDeb } from "../../scripts/release/deb.ts";
import { checkFaces } from "../packages/faces_behind.ts";
import { startNginx } from "../packages/proxies.ts";
import type { SystemRoot } from "../packages/system_root.ts";
import { BINARY, type HttpServer } from "../support/binary.ts";
import { overCommand } from "../support/clients.ts";
import { OverlayRoot } from "./overlay_root.ts";
import { type Lack, needing, ROOT_USER } from "../support/needs.ts";

// The SDK's clients leave timers behind when they close.
const options = { sanitizeOps: false, sanitizeResources: false };

Deno.test({
  ...needing("the Debian package works where it is installed", await whyNot()),
  ...options,
  async fn(t) {
    await using root = await OverlayRoot.make();
    await install(root);

    await t.step("doctor finds nothing broken for an ordinary user", async () => {
      const { code, stdout, stderr } = await root.run(
        ["llmc-mcp", "doctor", "--root", "/home/llmc-tester", "--json"],
        "llmc-tester",
      );
      assert.equal(code, 0, stdout + stderr);
      assert.equal(JSON.parse(stdout).root, false);
    });

    await t.step("a tool works in the root that was named and nowhere else", async () => {
      const tool = (...args: string[]) =>
        root.run(["llmc-mcp", "tool", "--root", "/home/llmc-tester", ...args], "llmc-tester");
      assert.match((await tool("linux_fs_read", "path=a.txt")).stdout, /hello/);
      assert.match((await tool("linux_fs_read", "path=/etc/passwd")).stderr, /INVALID_PATH/);
    });

    for (
      const endpoint of overCommand({
        ...root.invocation(["llmc-mcp", "stdio", "/home/llmc-tester"], "llmc-tester"),
        env: {},
      })
    ) {
      await t.step({
        name: `a client works over ${endpoint.label}`,
        ...options,
        async fn() {
          await using client = await endpoint.connect();
          assert.match((await client.call("run_cmd", { command: "cat a.txt" })).text, /hello/);
        },
      });
    }

    await t.step("its configuration is right, and its token is new and closed to others", async () => {
      assert.equal((await root.run(["llmc-mcp", "config", "check", "--config", "/etc/llmc/llmc.toml"])).code, 0);
      assert.match(await root.sh("stat -c %a:%U /etc/llmc/token.env"), /^600:root$/m);
    });

    const nginx = (await root.run(["nginx", "-v"])).code === 0 ? null : "nginx is not installed";
    await t.step({
      ...needing("nginx with the sample serves every face of it", nginx),
      ...options,
      async fn(t) {
        await using server = await serve(root);
        await using proxy = await startNginx(root, server);
        await checkFaces(t, proxy, server);
      },
    });

    await t.step("purging it leaves nothing", async () => {
      await root.sh("dpkg --no-triggers --purge llmc-mcp");
      assert.equal((await root.run(["ls", "/etc/llmc", "/usr/share/doc/llmc-mcp", "/usr/bin/llmc-mcp"])).stdout, "");
    });
  },
});

/** Why the package cannot be installed here; null when it can. */
async function whyNot(): Promise<Lack> {
  if (ROOT_USER !== null) return ROOT_USER;
  try {
    await using root = await OverlayRoot.make();
    if ((await root.run(["dpkg", "--version"])).code !== 0) return "this is no relative of Debian";
    return (await root.run(["useradd", "-m", "llmc-tester"])).code === 0
      ? null
      : "there is a user 'llmc-tester' already";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Packs the executable, and installs it as the system's own tool does; its service is for another test. */
async function install(root: OverlayRoot): Promise<void> {
  const { arch } = Deno.build, time = 1_700_000_000;
  const dir = await Deno.makeTempDir({ prefix: "llmc-deb-" });
  try {
    const common = await commonFiles(arch, BINARY, await sha256(await Deno.readFile(BINARY)), time);
    const deb = await makeDeb({ arch, binary: BINARY, workDir: dir, outDir: dir, time }, common);
    await root.bring(deb, "/tmp/llmc-mcp.deb");
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
  await root.sh("dpkg --no-triggers --force-unsafe-io --install /tmp/llmc-mcp.deb && rm /tmp/llmc-mcp.deb");
  await root.sh(
    "useradd -m llmc-tester && echo hello >/home/llmc-tester/a.txt && chown llmc-tester: /home/llmc-tester/a.txt",
  );
}

/** The installed server over HTTP, by an ordinary user. */
async function serve(root: SystemRoot): Promise<Pick<HttpServer, "url" | "token"> & AsyncDisposable> {
  const token = `test-${crypto.randomUUID()}`;
  const line = ["env", `LLMC_MCP_TOKEN=${token}`, "llmc-mcp", "serve", "--root", "/home/llmc-tester", "--port", "0"];
  const { command, args } = root.invocation(line, "llmc-tester");
  const child = new Deno.Command(command, { args, stdin: "null", stdout: "piped", stderr: "null" }).spawn();
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  const reading = (async () => {
    let said = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += text;
      const url = said.match(/listens on (\S+)/)?.[1];
      if (url !== undefined) resolve(url);
    }
    reject(new Error(`it ended: ${said}`));
  })();
  return {
    url: await listening,
    token,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL"); // its namespace goes with it, and every process there
      await Promise.all([child.status, reading]);
    },
  };
}
