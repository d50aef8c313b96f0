/** Authentication over HTTP: sources of the token, refused starts, limits on guessing. @module */
import assert from "node:assert/strict";
import { BINARY, runBinary, Sandbox, startHttp } from "../support/binary.ts";
import { ask, WITHOUT_LIMITS } from "../support/raw_http.ts";

const TOKEN = "a-token-for-this-test-0123456789";
const HEALTH = { method: "GET", path: "/health", headers: { "Content-Length": "" } };
const ANONYMOUS = { method: "GET", path: "/docs", headers: { "X-LLMC-Token": "", "Content-Length": "" } };

async function serveOnce(sandbox: Sandbox, args: readonly string[], env: Record<string, string> = {}) {
  return await runBinary(["serve", "--root", sandbox.root, "--port", "0", ...args], {
    env: { ...sandbox.env, ...env },
  });
}

Deno.test("serve refuses to start when anybody could call, and says what to change", async (t) => {
  await using sandbox = await Sandbox.make();
  const file = async (name: string, text: string, mode: number) => {
    await Deno.writeTextFile(`${sandbox.dir}/${name}`, text, { mode });
    await Deno.chmod(`${sandbox.dir}/${name}`, mode);
    return ["--set", `mcp.auth.token_file=${sandbox.dir}/${name}`];
  };
  const everywhere = ["--host", "0.0.0.0"];
  const cases: [string, string[], Record<string, string>, RegExp][] = [
    ["no token", [], {}, /no token: set LLMC_MCP_TOKEN/],
    ["no token on every address", everywhere, {}, /no token/],
    [
      "mode none on every address",
      [...everywhere, "--set", "mcp.auth.mode=none"],
      {},
      /only with a loopback mcp.server.host/,
    ],
    [
      "anonymous callers on every address, though there is a token",
      [...everywhere, "--set", "mcp.auth.allow_unauthenticated=true"],
      { LLMC_MCP_TOKEN: TOKEN },
      /only with a loopback mcp.server.host/,
    ],
    ["a short token", [], { LLMC_MCP_TOKEN: "t0k3n" }, /shorter than 16/],
    [
      "a token that no header carries",
      [],
      { LLMC_MCP_TOKEN: "with spaces in between it" },
      /an HTTP header cannot carry/,
    ],
    ["a file that others may read", await file("open", TOKEN, 0o644), {}, /readable by other users: chmod 600/],
    ["an empty file", await file("empty", "\n", 0o600), {}, /is empty/],
    ["a file that is not there", ["--set", "mcp.auth.token_file=/nonexistent/token"], {}, /cannot be read/],
  ];
  for (const [name, args, env, message] of cases) {
    await t.step(name, async () => {
      const { code, stderr, stdout } = await serveOnce(sandbox, args, env);
      assert.equal(code, 78, stderr);
      assert.match(stderr, message);
      assert.equal(stdout, "");
      if (env.LLMC_MCP_TOKEN) assert.ok(!stderr.includes(env.LLMC_MCP_TOKEN));
    });
  }
});

Deno.test("the token of a 0600 file works, goes before the environment, and its place is said at the start", async () => {
  await using sandbox = await Sandbox.make();
  const path = `${sandbox.dir}/token`;
  await Deno.writeTextFile(path, `${TOKEN}\n`, { mode: 0o600 });
  await using server = await startHttp(sandbox, { args: ["--set", `mcp.auth.token_file=${path}`] });
  const asked = (token: string) => ask(server, { ...ANONYMOUS, headers: { "X-LLMC-Token": token } });
  assert.equal((await asked(TOKEN)).status, 200);
  assert.equal((await asked(server.token)).status, 401);
});

Deno.test("the configured header carries the token", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { args: ["--set", "mcp.auth.header=X-My-Key"] });
  const asked = (name: string) => ask(server, { ...ANONYMOUS, headers: { "X-LLMC-Token": "", [name]: server.token } });
  assert.equal((await asked("X-My-Key")).status, 200);
  assert.equal((await asked("X-LLMC-Token")).status, 401);
});

Deno.test("allow_unauthenticated lets in who has no token, and still refuses a wrong one", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { args: ["--set", "mcp.auth.allow_unauthenticated=true"] });
  assert.equal((await ask(server, ANONYMOUS)).status, 200);
  assert.equal((await ask(server, { ...ANONYMOUS, headers: { "X-LLMC-Token": "wrong-".repeat(5) } })).status, 401);
});

Deno.test("without allow_unauthenticated only health is open, and a wrong token is refused even there", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox);
  for (const path of ["/docs", "/openapi.json", "/metrics", "/tool", "/mcp", "/nope"]) {
    assert.equal((await ask(server, { ...ANONYMOUS, path })).status, 401, path);
  }
  assert.equal((await ask(server, { ...HEALTH, headers: { "X-LLMC-Token": "" } })).status, 200);
  assert.equal((await ask(server, { ...HEALTH, headers: { "X-LLMC-Token": "wrong-".repeat(5) } })).status, 401);
});

Deno.test("guessing becomes slow, while the right token is answered at once from the same address", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { args: WITHOUT_LIMITS });
  const guess = () => ask(server, { ...ANONYMOUS, headers: { "X-LLMC-Token": crypto.randomUUID() } });
  for (let index = 0; index < 8; index++) await guess(); // 0, 0, 0, 100, 200, 400, 800, 1,600 ms
  const answered: number[] = [], startedMs = performance.now();
  const slow = Array.from({ length: 12 }, () => guess().then(({ status }) => answered.push(status)));
  assert.equal((await ask(server, { ...ANONYMOUS, headers: {} })).status, 200);
  const rightMs = performance.now() - startedMs, before = [...answered];
  await Promise.all(slow);
  // Where the machine stood still for as long as a wrong one waits, they may have been answered too.
  if (rightMs < 2_000) assert.ok(!before.includes(401), "the right token does not wait");
  assert.ok(performance.now() - startedMs >= 1_990, "wrong ones do");
  assert.deepEqual([...new Set(answered)].sort(), [401, 429], "and only so many at a time");
  const metrics = await ask(server, { ...ANONYMOUS, path: "/metrics", headers: {} });
  assert.match(metrics.body, new RegExp(`auth_failures_total\\{reason="token"\\} 20`));
});

Deno.test("a made-up token is printed on standard output, and works", async () => {
  await using sandbox = await Sandbox.make();
  const child = new Deno.Command(BINARY, {
    args: ["serve", "--root", sandbox.root, "--port", "0", "--fresh-token"],
    clearEnv: true,
    env: sandbox.env,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let output = "";
  const draining = new Response(child.stderr).text();
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += text;
    if (output.includes("Ctrl-C")) break;
  }
  const url = output.match(/listens on (\S+)/)?.[1], token = output.match(/Bearer ([\w-]+)/)?.[1];
  assert.equal(output.match(/^token: ([\w-]+), generated for this run$/m)?.[1], token, "by itself too, for the page");
  const answer = await fetch(`${url}/docs`, { headers: { Authorization: `Bearer ${token}` } });
  await answer.body?.cancel();
  assert.equal(answer.status, 200);
  child.kill("SIGTERM");
  await child.status;
  assert.ok(!(await draining).includes(token ?? "?"));
});
