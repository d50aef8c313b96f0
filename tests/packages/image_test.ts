/** The container image: built from the Dockerfile on a local base, run with the options of docker-compose.yml. @module */
import assert from "node:assert/strict";
import { parse } from "yaml";
import { ROOT } from "../../scripts/project.ts";
import { Sandbox } from "../support/binary.ts";
import { overCommand } from "../support/clients.ts";
import { eventually } from "../support/eventually.ts";
import { buildImage, IMAGE, LIMITS, storeOptions } from "./image.ts";
import { needing, program } from "../support/needs.ts";
import { output } from "./released.ts";

const TOKEN = "a-token-for-the-image-test";

/** What is used of docker-compose.yml. */
interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
  readonly tmpfs: readonly string[];
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly read_only: boolean;
  readonly healthcheck: { readonly test: readonly string[] };
}

// The SDK's stdio client leaves a timer of two seconds behind when it closes.
const options = { sanitizeOps: false, sanitizeResources: false };

const name = "the image is built from the Dockerfile and runs as docker-compose.yml says";

Deno.test({ ...needing(name, ...["buildah", "podman", "runc"].map(program)), ...options, fn: checkImage });

async function checkImage(t: Deno.TestContext): Promise<void> {
  await using box = await Sandbox.make({ "a.txt": "hello\n" });
  await Deno.chmod(box.dir, 0o755); // the container's user is another one
  const podman = [...storeOptions(box), "--cgroup-manager", "cgroupfs", "--runtime", "runc"];
  const service = await readService();

  await t.step("it is built", async () => {
    await buildImage(box, { packages: "released" });
    const [image] = JSON.parse(await output("podman", [...podman, "image", "inspect", IMAGE]));
    assert.equal(image.Config.User, "llmc");
    assert.deepEqual(Object.keys(image.Config.Volumes), ["/app/.llmc"]);
  });

  const run = (
    ...args: string[]
  ) => [...podman, "run", "--rm", "--network", "none", ...LIMITS, ...flagsOf(service, box), ...args];

  await t.step("doctor finds a sandbox that holds, whatever the container allows", async () => {
    const report = JSON.parse(await output("podman", run(IMAGE, "doctor", "--json")));
    assert.ok(["full", "landlock"].includes(report.level), report.level);
    assert.equal(report.root, false);
    assert.ok(report.findings.every(({ state }: { state: string }) => state !== "bad"), JSON.stringify(report));
  });

  for (
    const endpoint of overCommand({
      command: "podman",
      args: run("-i", IMAGE),
      env: { PATH: "/usr/sbin:/usr/bin:/bin" },
    })
  ) {
    await t.step({
      name: `nothing but the protocol is on its standard output: ${endpoint.label}`,
      ...options,
      async fn() {
        await using client = await endpoint.connect();
        assert.match((await client.call("linux_fs_read", { path: "a.txt" })).text, /hello/);
        assert.match((await client.call("run_cmd", { command: "git --version" })).text, /git version 2/);
      },
    });
  }

  await t.step("what is mounted read-only stays as it is", async () => {
    const write = run(IMAGE, "tool", "linux_fs_write", "path=a.txt", "content=x");
    await assert.rejects(output("podman", write), /PERMISSION_DENIED|WRITE_FAILED/);
    assert.equal(await Deno.readTextFile(`${box.root}/a.txt`), "hello\n");
  });

  await t.step("records outlive the container", async () => {
    await output("podman", run(IMAGE, "te", "--session", "kept", "cat", "a.txt"));
    assert.match(await output("podman", run(IMAGE, "te", "--stats")), /^cat\s+\w+\s+1\s/m);
  });

  await t.step("the served container is healthy by the compose file's own check", async () => {
    const name = `llmc-${crypto.randomUUID()}`;
    await output("podman", run("--detach", "--name", name, IMAGE, ...service.command));
    try {
      await eventually(() => output("podman", [...podman, "exec", name, ...service.healthcheck.test.slice(1)]), 15_000);
      const logs = await output("podman", [...podman, "logs", name]);
      assert.doesNotMatch(logs, new RegExp(TOKEN));
    } finally {
      await output("podman", [...podman, "stop", "--time", "5", name]);
      // It is removed by a process of its own, which still writes into the store.
      await eventually(
        async () => assert.equal(await output("podman", [...podman, "ps", "--all", "--quiet"]), ""),
        15_000,
      );
    }
  });
}

async function readService(): Promise<Service> {
  const text = (await Deno.readTextFile(`${ROOT}/docker-compose.yml`))
    .replace(/\$\{(\w+):?[-?]([^}]*)\}/g, (_, name, standard) => name === "LLMC_MCP_TOKEN" ? TOKEN : standard);
  const service: Service = parse(text).services["llmc-mcp"];
  assert.deepEqual(service.ports, ["127.0.0.1:8080:8080"], "only this machine reaches it");
  assert.ok(service.volumes.includes("llmc-data:/app/.llmc"));
  return service;
}

/** The options of the compose file as podman takes them. */
function flagsOf(service: Service, box: Sandbox): string[] {
  const volumes = service.volumes.map((volume) =>
    volume.replace(/^llmc-data:(.*)$/, "llmc-data:$1:U").replace(/^\.:/, `${box.root}:`)
  );
  return [
    ...Object.entries(service.environment).map(([name, value]) => `--env=${name}=${value}`),
    ...volumes.map((volume) => `--volume=${volume}`),
    ...service.tmpfs.map((path) => `--tmpfs=${path}`),
    ...service.cap_drop.map((name) => `--cap-drop=${name}`),
    ...service.security_opt.map((option) => `--security-opt=${option.replace(":true", "")}`),
    ...service.read_only ? ["--read-only"] : [],
  ];
}
