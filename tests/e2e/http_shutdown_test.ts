/** The end of the server: what is in flight is answered, nothing is left, and all of it within a second. @module */
import assert from "node:assert/strict";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { ask, dial, WITHOUT_LIMITS } from "../support/raw_http.ts";

const SLEEP = ["--set", 'mcp.linux_ops.commands.allowed_binaries=["sleep"]'];

function run(server: HttpServer, command: string): Promise<Response> {
  return fetch(`${server.url}/tool`, {
    method: "POST",
    headers: { "X-LLMC-Token": server.token, "Content-Type": "application/json" },
    body: JSON.stringify({ session_id: "s", name: "run_cmd", args: { command } }),
  });
}

/** Whether some process has this word in its command line. */
async function runs(word: string): Promise<boolean> {
  for await (const { name } of Deno.readDir("/proc")) {
    const command = /^\d+$/.test(name) ? await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "") : "";
    if (command.split("\0").includes(word)) return true;
  }
  return false;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail("it did not come to that");
}

Deno.test("SIGTERM answers a call that ends soon, and the process is gone within a second", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { args: SLEEP });
  const seconds = "0.3471";
  using idle = await dial(server);
  const answered = run(server, `sleep ${seconds}`);
  await until(() => runs(seconds));
  const startedMs = performance.now(), stopped = server.stop();
  const answer = await answered;
  assert.equal(answer.status, 200);
  assert.equal((await answer.json()).data.exit_code, 0);
  assert.equal((await stopped).code, 0);
  assert.ok(performance.now() - startedMs < 1_000, `${performance.now() - startedMs} ms`);
  assert.equal(await idle.read(new Uint8Array(1)).catch(() => null), null, "idle connections are closed");
});

Deno.test("SIGTERM in the middle of a long call cancels it and leaves no child", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { args: SLEEP });
  const seconds = `4${Math.floor(Math.random() * 1e6)}`;
  const answered = run(server, `sleep ${seconds}`).then((answer) => answer.json(), (error: Error) => error.message);
  await until(() => runs(seconds));
  const startedMs = performance.now();
  assert.equal((await server.stop()).code, 0);
  assert.ok(performance.now() - startedMs < 1_000, `${performance.now() - startedMs} ms`);
  await until(async () => !await runs(seconds));
  const answer = await answered;
  assert.ok(typeof answer === "string" || answer.code === "TIMEOUT", JSON.stringify(answer));
});

Deno.test("a client that goes away ends its call and the call's child", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { args: SLEEP });
  const seconds = `5${Math.floor(Math.random() * 1e6)}`, gone = new AbortController();
  const asked = fetch(`${server.url}/tool`, {
    method: "POST",
    headers: { "X-LLMC-Token": server.token, "Content-Type": "application/json" },
    body: JSON.stringify({ session_id: "s", name: "run_cmd", args: { command: `sleep ${seconds}` } }),
    signal: gone.signal,
  });
  await until(() => runs(seconds));
  gone.abort();
  await assert.rejects(asked);
  await until(async () => !await runs(seconds));
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
