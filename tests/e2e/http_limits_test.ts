/** Limits of one client on requests and open connections, over HTTP. @module */
import assert from "node:assert/strict";
import { BINARY, type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { makeGate } from "../support/gate.ts";
import { ask, dial, headOf, parse, readAll, rpc, send } from "../support/raw_http.ts";

const READ = JSON.stringify({ session_id: "s", name: "read_file", args: { path: "a.txt" } });
const MCP = { path: "/mcp", headers: { Accept: "application/json, text/event-stream" } };
const INIT = rpc("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "t", version: "1" },
});

function post(server: HttpServer, body: string, path = "/tool"): Promise<Response> {
  const headers = { "X-LLMC-Token": server.token, "Content-Type": "application/json", ...MCP.headers };
  return fetch(server.url + path, { method: "POST", headers, body });
}

async function statusOf(asked: Promise<Response>): Promise<number> {
  const answer = await asked;
  await answer.body?.cancel();
  return answer.status;
}

Deno.test("a burst of twenty passes, what goes beyond the queue gets a clean 429, and the rate is given back", async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  await using server = await startHttp(sandbox, { args: ["--set", "mcp.limits.max_queued=12"] });
  await t.step("twenty at once pass", async () => {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(post(server, READ))));
    assert.deepEqual(statuses, Array(20).fill(200));
  });
  await t.step("what goes beyond is refused with a time to come back, over MCP too", async () => {
    // One after the other may come no faster than the rate, on a machine that is busy; forty at a time do.
    const firstRefusal = async (send: () => Promise<Response>): Promise<Response> => {
      for (let round = 0; round < 10; round++) {
        const answers = await Promise.all(Array.from({ length: 40 }, send));
        const refused = answers.find(({ status }) => status === 429);
        await Promise.all(answers.map((answer) => answer === refused ? undefined : answer.body?.cancel()));
        if (refused) return refused;
      }
      throw new Error("forty at once pass");
    };
    const refused = await firstRefusal(() => post(server, READ));
    assert.match(refused.headers.get("Retry-After") ?? "", /^[12]$/);
    const error = await refused.json();
    assert.equal(error.code, "RATE_LIMITED");
    assert.ok(error.hint && error.correlation_id);
    const overMcp = await firstRefusal(() => post(server, INIT, "/mcp"));
    assert.equal((await overMcp.json()).error.data.code, "RATE_LIMITED");
  });
  await t.step("a wrong token uses nothing of the right one's rate, and health has a rate of its own", async () => {
    assert.equal(await statusOf(fetch(`${server.url}/health`)), 200);
    assert.equal((await ask(server, { headers: { "X-LLMC-Token": "x".repeat(20) } })).status, 401);
  });
  await t.step("after Retry-After it passes again", async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    assert.equal(await statusOf(post(server, READ)), 200);
  });
});

Deno.test("limits hold for MCP: a batch counts as its messages, and is bounded", async () => {
  await using sandbox = await Sandbox.make();
  const limits = ["--set", "mcp.limits.rate_limit_rps=0.1", "--set", "mcp.limits.rate_limit_burst=10"];
  await using server = await startHttp(sandbox, { args: limits });
  const opened = await post(server, INIT, "/mcp");
  await opened.body?.cancel();
  const headers = { ...MCP.headers, "Mcp-Session-Id": opened.headers.get("Mcp-Session-Id") ?? "" };
  const batch = (length: number) => {
    const pings = Array.from({ length }, (_, index) => ({ jsonrpc: "2.0", id: index + 1, method: "ping" }));
    return ask(server, { path: "/mcp", headers, body: JSON.stringify(pings) });
  };
  const long = await batch(9);
  assert.equal(long.status, 400, long.body);
  assert.match(long.body, /-32600.*at most 8/);
  assert.equal((await batch(8)).status, 200);
  assert.equal((await batch(8)).status, 429, "two batches of eight are more than ten requests");
});

Deno.test("so many calls run at a time, so many wait, the rest is refused at once", async () => {
  await using sandbox = await Sandbox.make();
  using gate = await makeGate(`${sandbox.root}/go`);
  // What is refused here is refused for its number, never for its rate.
  const limits = { concurrency_per_token: 2, max_queued: 3, rate_limit_rps: 100_000, rate_limit_burst: 100_000 };
  const args = Object.entries(limits).flatMap(([key, value]) => ["--set", `mcp.limits.${key}=${value}`]);
  await using server = await startHttp(sandbox, { args });
  const answered: number[] = [];
  const calls = Array.from({ length: 8 }, async (_, session) => {
    const command = "bash -c 'echo >>started; read line <go'";
    const call = { session_id: `s${session}`, name: "run_cmd", args: { command } };
    answered.push(await statusOf(post(server, JSON.stringify(call))));
  });
  await eventually(() => assert.deepEqual(answered, [429, 429, 429], "refusals do not wait"));
  const started = async () => (await Deno.readTextFile(`${sandbox.root}/started`)).length;
  for (let ended = 0; ended < 5; ended++) {
    await eventually(async () => assert.equal(await started(), Math.min(ended + 2, 5), "two at a time"));
    await gate.pass();
    await eventually(() => assert.equal(answered.length, 3 + ended + 1));
  }
  await Promise.all(calls);
  assert.deepEqual(answered.slice(3), Array(5).fill(200));
});

Deno.test("sessions are bounded: the one that was idle longest makes room", async () => {
  await using sandbox = await Sandbox.make();
  const limits = ["--set", "mcp.limits.rate_limit_rps=100000", "--set", "mcp.limits.rate_limit_burst=100000"];
  const sessions = ["--set", "mcp.limits.max_sessions=20"];
  await using server = await startHttp(sandbox, { args: [...limits, ...sessions] });
  const ids: string[] = [];
  for (let index = 0; index < 24; index++) {
    const opened = await post(server, INIT, "/mcp");
    assert.equal(opened.status, 200);
    await opened.body?.cancel();
    ids.push(opened.headers.get("Mcp-Session-Id") ?? "");
  }
  const list = (id: string | undefined) =>
    ask(server, { path: "/mcp", headers: { ...MCP.headers, "Mcp-Session-Id": id ?? "" }, body: rpc("tools/list", {}) });
  assert.equal((await list(ids[3])).status, 404);
  assert.equal((await list(ids[4])).status, 200);
  assert.equal((await list(ids.at(-1))).status, 200);
});

Deno.test("peers that stand still are cut: silent, slow headers, slow body", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { args: ["--set", "mcp.tools.idle_timeout=1"] });
  using silent = await dial(server), slowHead = await dial(server);
  await send(slowHead, headOf(server, {}).slice(0, -20));
  using slowBody = await dial(server); // only now: it is cut for its body, not for what it did before
  await send(slowBody, headOf(server, { headers: { "Content-Length": "100" } }) + '{"session');
  const [nothing, head, body] = await Promise.all([silent, slowHead, slowBody].map(readAll));
  assert.deepEqual([nothing, head], ["", ""]);
  assert.equal(parse(body ?? "").status, 408);
});

Deno.test("running out of file descriptors does not end the server, and it serves again afterwards", async () => {
  await using sandbox = await Sandbox.make();
  const few = `${sandbox.dir}/few_files`;
  await Deno.writeTextFile(few, `#!/bin/sh\nulimit -n 150\nexec ${BINARY} "$@"\n`, { mode: 0o755 });
  await using server = await startHttp(sandbox, { binary: few });
  const held: Deno.Conn[] = [];
  for (let index = 0; index < 300; index++) {
    const connection = await dial(server).catch(() => undefined);
    if (!connection) break;
    await send(connection, "GET / HTTP/1.1\r\nHost: a");
    held.push(connection);
  }
  assert.ok(held.length > 150, `${held.length}`);
  // It makes room by cutting who has been idle longest, even while all of them hold on.
  assert.equal((await ask(server, { method: "GET", path: "/health" })).status, 200);
  for (const connection of held) connection.close();
  assert.equal((await ask(server, { method: "GET", path: "/health" })).status, 200);
});

Deno.test("a thousand idle connections do not keep anybody out", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox);
  const held: Deno.Conn[] = [];
  for (let index = 0; index < 1_000; index++) held.push(await dial(server));
  assert.equal((await ask(server, { method: "GET", path: "/health" })).status, 200);
  for (const connection of held) connection.close();
});
