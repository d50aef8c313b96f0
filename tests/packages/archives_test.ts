/** The packages that need no system around them: archive, bundle, npm package. @module */
import assert from "node:assert/strict";
import { getMcpConfigForManifest, unpackExtension } from "@anthropic-ai/mcpb";
import { VERSION } from "../../src/core/version.ts";
import { exists } from "../../scripts/project.ts";
import { Sandbox } from "../support/binary.ts";
import { type Endpoint, overCommand } from "../support/clients.ts";
import { needing, program } from "../support/needs.ts";
import { output, RELEASE_DIR, released } from "./released.ts";

// The SDK's stdio client leaves a timer of two seconds behind when it closes.
const options = { sanitizeOps: false, sanitizeResources: false };

async function useOnce(endpoints: readonly Endpoint[], path: string): Promise<void> {
  for (const endpoint of endpoints) {
    await using client = await endpoint.connect();
    assert.match((await client.call("linux_fs_read", { path })).text, /hello/, endpoint.label);
  }
}

Deno.test("every released file is in SHA256SUMS with its hash", async () => {
  const lines = (await output("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: RELEASE_DIR })).trim();
  const names = (await Array.fromAsync(Deno.readDir(RELEASE_DIR))).map(({ name }) => name);
  assert.deepEqual(lines.split("\n").sort(), names.filter((n) => n !== "SHA256SUMS").map((n) => `${n}: OK`).sort());
});

Deno.test("the archive's executable runs where it was unpacked", async () => {
  await using box = await Sandbox.make();
  await output("tar", ["-xzf", released("tarball"), "--strip-components=1"], { cwd: box.root });
  assert.equal(await output(`${box.root}/llmc-mcp`, ["version"]), `${VERSION}\n`);
  for (const name of ["README.md", "LICENSE", "THIRD_PARTY_NOTICES", "sbom.cdx.json", "docs/install.md"]) {
    assert.ok(await exists(`${box.root}/${name}`), name);
  }
});

Deno.test("the bundle starts as a desktop client starts it, with two folders", options, async () => {
  await using box = await Sandbox.make({ "one/a.txt": "hello", "two/a.txt": "hello" });
  const extensionPath = `${box.dir}/extension`;
  assert.ok(await unpackExtension({ mcpbPath: released("bundle"), outputDir: extensionPath, silent: true }));
  const manifest = JSON.parse(await Deno.readTextFile(`${extensionPath}/manifest.json`));
  const start = async (choices: Record<string, boolean>) => {
    const userConfig = { roots: [`${box.root}/one`, `${box.root}/two`], ...choices };
    const config = await getMcpConfigForManifest({
      manifest,
      extensionPath,
      systemDirs: {},
      userConfig,
      pathSeparator: "/",
    });
    assert.ok(config?.args);
    return overCommand({ command: config.command, args: config.args, env: { ...box.env, ...config.env } });
  };
  const usual = await start({});
  await useOnce(usual, `${box.root}/one/a.txt`);
  await useOnce(usual, `${box.root}/two/a.txt`);
  for (const endpoint of usual) {
    await using client = await endpoint.connect();
    const names = (await client.listTools()).map(({ name }) => name);
    assert.deepEqual(manifest.tools.map(({ name }: { name: string }) => name), names, "as the manifest promises");
  }
  for (const endpoint of await start({ read_only: true })) {
    await using client = await endpoint.connect();
    const refused = await client.call("linux_fs_write", { path: `${box.root}/one/b.txt`, content: "x" });
    assert.equal(refused.isError, true, "the user chose read only");
  }
});

Deno.test("the npm package brings the command without network and scripts", options, async () => {
  await using box = await Sandbox.make({ "a.txt": "hello" });
  const prefix = `${box.dir}/npm`;
  const install = ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", prefix];
  await output("npm", [...install, released("npm")], { env: { HOME: `${box.dir}/home` } });
  const command = `${prefix}/node_modules/.bin/llmc-mcp`;
  assert.equal(await output(command, ["version"]), `${VERSION}\n`);
  await useOnce(overCommand({ command, args: ["stdio", "--root", box.root], env: box.env }), "a.txt");
});

const QEMU = "/usr/bin/qemu-aarch64-static", LIBRARIES = "/usr/aarch64-linux-gnu";
Deno.test({
  ...needing("the executable for arm64 runs in an emulator", program(QEMU), program(`${LIBRARIES}/lib/libc.so.6`)),
  ...options,
  async fn() {
    await using box = await Sandbox.make();
    const tarball = `${RELEASE_DIR}/llmc-mcp-${VERSION}-linux-aarch64.tar.gz`;
    await output("tar", ["-xzf", tarball, "--strip-components=1"], { cwd: box.root });
    assert.equal(await output(QEMU, ["-L", LIBRARIES, `${box.root}/llmc-mcp`, "version"]), `${VERSION}\n`);
  },
});
