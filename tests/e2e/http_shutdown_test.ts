/** Shutdown of the server: requests in flight are answered, nothing is left behind. @module */
import assert from "node:assert/strict";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { makeGate } from "../support/gate.ts";
import { treeName } from "../support/process_tree.ts";
import { processesOf } from "../support/processes.ts";
import { ask, dial, WITHOUT_LIMITS } from "../support/raw_http.ts";

const SLEEP = ["--set", 'mcp.linux_ops.commands.allowed_binaries=["sleep"]'];
/** What calls are given from the signal on to end by themselves. */
const CALL_GRACE_MS = 500;

function run(server: HttpServer, command: string): Promise<Response> {
  return fetch(`${server.url}/tool`, {
    method: "POST",
    headers: { "X-LLMC-Token": server.token, "Content-Type": "application/json" },
    body: JSON.stringify({ session_id: "s", name: "run_cmd", args: { command } }),
  });
}

/** Seconds to sleep that are on no other command line of the machine. */
function longTime(): string {
  return `600.${treeName()}`;
}

function sleepers(seconds: string): Promise<string[]> {
  return processesOf(new RegExp(`^\\S*sleep ${seconds}$`));
}

/** Resolves when a new connection is refused. */
async function isClosing(server: HttpServer): Promise<void> {
  await eventually(() => assert.rejects(dial(server).then((connection) => connection.close())));
}

Deno.test("SIGTERM answers a call that ends soon, and then the process ends", async () => {
  await using sandbox = await Sandbox.make();
  using gate = await makeGate(`${sandbox.root}/go`);
  await using server = await startHttp(sandbox);
  using idle = await dial(server);
  const answered = run(server, "bash -c 'echo >started; read line <go'").then(
    async (answer) => [answer.status, (await answer.json()).data?.exit_code],
    (error: Error) => error.message,
  );
  await eventually(() => Deno.stat(`${sandbox.root}/started`));
  const startedMs = performance.now(), stopped = server.stop();
  await isClosing(server);
  await gate.pass();
  const answer = await answered, answeredMs = performance.now() - startedMs;
  assert.equal((await stopped).code, 0);
  assert.equal(await idle.read(new Uint8Array(1)).catch(() => null), null, "idle connections are closed");
  // Where the machine stood still meanwhile, it was not a call that ends soon.
  if (answeredMs <= CALL_GRACE_MS) assert.deepEqual(answer, [200, 0]);
});

Deno.test("SIGTERM in the middle of a long call cancels it and leaves no child", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { args: SLEEP });
  const seconds = longTime();
  const answered = run(server, `sleep ${seconds}`).then((answer) => answer.json(), (error: Error) => error.message);
  await eventually(async () => assert.equal((await sleepers(seconds)).length, 1));
  assert.equal((await server.stop()).code, 0);
  await eventually(async () => assert.deepEqual(await sleepers(seconds), []));
  const answer = await answered;
  assert.ok(typeof answer === "string" || answer.detail_code === "TIMEOUT", JSON.stringify(answer));
});

Deno.test("a client that goes away ends its call and the call's child", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { args: SLEEP });
  const seconds = longTime(), gone = new AbortController();
  const asked = fetch(`${server.url}/tool`, {
    method: "POST",
    headers: { "X-LLMC-Token": server.token, "Content-Type": "application/json" },
    body: JSON.stringify({ session_id: "s", name: "run_cmd", args: { command: `sleep ${seconds}` } }),
    signal: gone.signal,
  });
  await eventually(async () => assert.equal((await sleepers(seconds)).length, 1));
  gone.abort();
  await assert.rejects(asked);
  await eventually(async () => assert.deepEqual(await sleepers(seconds), []));
});

Deno.test("a server that is killed under load has a record of every call that it had answered", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  let answered = 0;
  {
    await using server = await startHttp(sandbox, { args: WITHOUT_LIMITS });
    const body = JSON.stringify({ session_id: "s", name: "read_file", args: { path: "a.txt" } });
    const headers = { "X-LLMC-Token": server.token, "Content-Type": "application/json" };
    const worker = async () => {
      for (;;) {
        const answer = await fetch(`${server.url}/tool`, { method: "POST", headers, body }).catch(() => undefined);
        if (!answer || await answer.text().catch(() => null) === null) return;
        assert.equal(answer.status, 200);
        if (++answered === 150) await server.stop("SIGKILL");
      }
    };
    await Promise.all(Array.from({ length: 6 }, worker));
  }
  await using server = await startHttp(sandbox, { args: WITHOUT_LIMITS });
  const asked = { session_id: "s", name: "linux_mcp_usage_stats", args: { tool_prefix: "read_file" } };
  const { body } = await ask(server, { body: JSON.stringify(asked) });
  const calls = Number(body.match(/"count":(\d+)/)?.[1]);
  assert.ok(answered >= 150 && calls >= answered, `${answered} answered: ${body}`);
});
