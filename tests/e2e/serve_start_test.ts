/** Startup messages of `serve` and `stdio`. @module */
import assert from "node:assert/strict";
import { BINARY, runBinary, Sandbox, TEST_BINARY } from "../support/binary.ts";

/** Starts `serve`, follows the printed call line with `call`, and ends the server. */
async function serve(
  sandbox: Sandbox,
  path: string,
  { binary = BINARY, env = {}, call = false }: { binary?: string; env?: Record<string, string>; call?: boolean } = {},
): Promise<{ said: string; answer: string }> {
  const child = new Deno.Command(binary, {
    args: ["serve", "--root", sandbox.root, "--port", "0", "--fresh-token"],
    clearEnv: true,
    env: { ...sandbox.env, PATH: path, ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let said = "", answer = "";
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += part;
    if (!/Ctrl-C stops the server/.test(said)) continue;
    const [, line = ""] = said.match(/claude mcp add.*\n\n {2}(.*)\n/) ?? [];
    if (call) answer = (await runBinary(["-c", line], { env: sandbox.env, binary: "sh" })).stdout;
    child.kill("SIGTERM");
    call = false;
  }
  await child.status;
  return { said, answer };
}

/** Real path of a program; empty when this machine does not have it. */
async function find(program: string): Promise<string> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", `command -v ${program}`] }).output();
  return new TextDecoder().decode(stdout).trim();
}

for (const program of ["curl", "wget", "python3", "node"]) {
  const found = await find(program);
  Deno.test({
    name: found === ""
      ? `serve prints a call for ${program} (left out: not installed)`
      : `serve prints a call for ${program}, which works`,
    ignore: found === "",
    async fn() {
      await using sandbox = await Sandbox.make({ "only-here.txt": "one\n" });
      await Deno.mkdir(`${sandbox.dir}/bin`);
      await Deno.symlink(found, `${sandbox.dir}/bin/${program}`);
      const { said, answer } = await serve(sandbox, `${sandbox.dir}/bin`, { call: true });
      assert.match(said, new RegExp(`^ {2}${program} `, "m"));
      assert.match(answer, /only-here\.txt/, said);
    },
  });
}

Deno.test("serve prints a call that works also where no HTTP client is installed", async () => {
  await using sandbox = await Sandbox.make({ "only-here.txt": "one\n" });
  await Deno.mkdir(`${sandbox.dir}/bin`);
  const { said, answer } = await serve(sandbox, `${sandbox.dir}/bin`, { call: true });
  assert.match(said, /llmc-mcp tool linux_fs_list/);
  assert.match(answer, /only-here\.txt/, said);
});

Deno.test("serve says which sandbox level holds, and how to raise a lower one", async () => {
  await using sandbox = await Sandbox.make();
  const { PATH = "" } = sandbox.env;
  assert.match((await serve(sandbox, PATH)).said, /^sandbox: (?:full$|landlock, lower than full; to raise it: )/m);
  const lower = await serve(sandbox, PATH, { binary: TEST_BINARY, env: { LLMC_TEST_LEVEL: "landlock" } });
  assert.match(lower.said, /^sandbox: landlock, lower than full/m);
  assert.match(lower.said, /llmc-mcp doctor/);
});

Deno.test("a start off a terminal logs one short line; --verbose logs the whole configuration", async () => {
  await using sandbox = await Sandbox.make();
  const { stderr } = await runBinary(["stdio", "--root", sandbox.root], { env: sandbox.env });
  const lines = stderr.trimEnd().split("\n").filter((line) => !/running as root/.test(line));
  assert.equal(lines.length, 1, stderr);
  assert.ok(stderr.length < 600, stderr);
  const { msg, sandbox: level, roots } = JSON.parse(lines[0] ?? "");
  assert.deepEqual([msg, typeof level, roots], ["started", "string", sandbox.root]);
  const verbose = await runBinary(["stdio", "--verbose", "--root", sandbox.root], { env: sandbox.env });
  assert.match(verbose.stderr, /"msg":"configuration".*"mcp\.tools\.read_timeout"/);
});
