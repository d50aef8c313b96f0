/** Failing commands print one short message without a stack trace, and exit with a code of sysexits.h. @module */
import assert from "node:assert/strict";
import { BINARY, type Finished, runBinary, Sandbox, startHttp } from "../support/binary.ts";

const USAGE = 64, UNAVAILABLE = 69, OUTPUT = 74, CONFIG = 78;

function assertShort({ stdout, stderr }: Finished, most = 6): void {
  for (const text of [stdout, stderr]) {
    assert.doesNotMatch(text, /^\s+at .+[:(]|file:\/\/|Uncaught|\bError:/m);
    assert.ok(text.trimEnd().split("\n").length <= most, text);
  }
}

Deno.test("a command that fails says why in a few lines, without a stack trace", async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n", "latin.toml": "", "text": "" });
  await Deno.writeFile(`${sandbox.root}/latin.toml`, new Uint8Array([0x23, 0xe9, 0x0a]));
  const cases: readonly (readonly [words: string, code: number, said: RegExp])[] = [
    ["bogus", USAGE, /unknown command 'bogus'/],
    ["serve --bogus", USAGE, /unknown option '--bogus'/],
    ["te --bogus ls", USAGE, /unknown option --bogus/],
    ["top", USAGE, /needs a terminal/],
    ["print-config bogus", USAGE, /Allowed choices/],
    ["tool linux_fs_raed path=a.txt", USAGE, /unknown tool 'linux_fs_raed'.*linux_fs_read/],
    ["tool linux_fs_raed --help", USAGE, /unknown tool 'linux_fs_raed'.*linux_fs_read/],
    ["tool linux_fs_read", USAGE, /path/],
    ["tool linux_fs_read path", USAGE, /key=value/],
    ["tool linux_fs_read path=nope", 1, /NOT_FOUND/],
    ["te no-such-program", 126, /COMMAND_NOT_ALLOWED/],
    ["index --root /nope", CONFIG, /\/nope does not exist/],
    ["rag search x --config /nope", CONFIG, /there is no file \/nope/],
    ["tool --config .", CONFIG, /cannot be read/],
    ["tool --config latin.toml", CONFIG, /cannot be read/],
    ["config check --set mcp.server.port=x", CONFIG, /mcp\.server\.port/],
    ["config show --set x", CONFIG, /KEY=VALUE/],
    ["config init --root /nope", CONFIG, /there is no folder \/nope/],
    ["config init --config text/llmc.toml", 1, /cannot create/],
    ["print-config codex --root /nope", CONFIG, /there is no folder \/nope/],
    ["serve", CONFIG, /LLMC_MCP_TOKEN.*--fresh-token/],
    [
      "serve --fresh-token --set mcp.server.tls_enabled=true --set mcp.server.tls_cert_file=no.pem " +
      "--set mcp.server.tls_key_file=no.key",
      CONFIG,
      /tls_cert_file/,
    ],
    ["tool --set mcp.data_dir=text/x", UNAVAILABLE, /text\/x/],
    ["stdio --set mcp.data_dir=text/x", UNAVAILABLE, /text\/x/],
  ];
  for (const [words, code, said] of cases) {
    await t.step(words, async () => {
      const finished = await runBinary(words.split(" "), { env: sandbox.env, cwd: sandbox.root });
      assertShort(finished);
      assert.match(finished.stdout + finished.stderr, said);
      assert.equal(finished.code, code, finished.stderr);
    });
  }
});

Deno.test("serve on a port that is in use names the port and the option, on every address", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox);
  const { port } = new URL(server.url);
  const finished = await runBinary(["serve", "--fresh-token", "--port", port], { env: sandbox.env });
  assert.equal(finished.code, UNAVAILABLE);
  assertShort(finished);
  assert.match(finished.stderr, new RegExp(`port ${port}: address already in use.*--port`));
});

Deno.test("a damaged database does not end a command with a stack trace", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n" });
  const run = () => runBinary(["tool", "linux_fs_read", "path=a.txt"], { env: sandbox.env, cwd: sandbox.root });
  assert.equal((await run()).code, 0);
  await Deno.writeTextFile(`${await sandbox.storeDir()}/llmc.db`, "not a database ".repeat(1_000));
  const finished = await run();
  assert.equal(finished.stdout, "one\n");
  assertShort(finished);
});

Deno.test("a standard output that is closed, full or no longer read ends a command quietly or with a message", async () => {
  await using sandbox = await Sandbox.make();
  const shell = (line: string) =>
    runBinary(["-c", line, "sh", BINARY], { env: sandbox.env, cwd: sandbox.root, binary: "sh" });
  const full = await shell('"$1" config schema > /dev/full');
  assertShort(full);
  assert.match(full.stderr, /cannot write to standard output: .*[Nn]o space/);
  assert.equal(full.code, OUTPUT);
  for (const line of ['"$1" version >&-', '"$1" config schema | true', '"$1" tool | true', '"$1" tool 2>&-']) {
    const finished = await shell(line);
    assert.doesNotMatch(finished.stderr, /^\s+at |file:\/\//m, line);
  }
});

Deno.test("--verbose prints the stack trace", async () => {
  await using sandbox = await Sandbox.make();
  const words = ["tool", "--verbose", "--config", "/nope"];
  const { stderr } = await runBinary(words, { env: sandbox.env, cwd: sandbox.root });
  assert.match(stderr, /^\s+at /m);
});
