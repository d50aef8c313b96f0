/** Client info reaches the records, the audit and the environment of commands. @module */
import assert from "node:assert/strict";
import { Sandbox, startHttp } from "../support/binary.ts";
import { type Connected, httpFaces, SDK_TIMERS, stdioFaces } from "../support/faces.ts";
import { WITHOUT_LIMITS } from "../support/raw_http.ts";

const SET = [
  "--set",
  "mcp.tools.result_format=json",
  "--set",
  "mcp.observability.csv_token_audit_enabled=true",
  "--set",
  "mcp.session.default_model=configured-model",
];
const META = { "llmc/agent_id": "agent-x", "llmc/session_id": "task-7", "llmc/model": "model-y" };

async function call(client: Connected, name: string, args: Record<string, unknown>, meta?: Record<string, unknown>) {
  const { content } = await client.callTool({ name, arguments: args, ...meta ? { _meta: meta } : {} });
  return content.map((part) => part.type === "text" ? part.text : "").join("");
}

Deno.test("agent, session and model of MCP calls are recorded, shown and audited", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "text\n" });
  await using server = await startHttp(sandbox, { args: [...SET, ...WITHOUT_LIMITS] });
  for (const face of [...stdioFaces(sandbox, SET), ...httpFaces(server)]) {
    await t.step(face.label, async () => {
      await using client = await face.connect();
      await call(client, "linux_fs_read", { path: "a.txt" });
      await call(client, "linux_fs_read", { path: "a.txt" }, META);
      const environment = await call(client, "te_run", { command: "env" }, META);
      for (const line of ["TE_AGENT_ID=agent-x", "TE_SESSION_ID=task-7", "TE_MODEL=model-y"]) {
        assert.ok(environment.includes(line), `${line}: ${environment}`);
      }
      const { records } = JSON.parse(await call(client, "linux_mcp_recent_calls", { max_results: 3 }));
      const labels = records.map((
        { agent_id, session_id, model }: Record<string, string>,
      ) => [agent_id, session_id, model]);
      assert.deepEqual(labels.slice(0, 2), [["agent-x", "task-7", "model-y"], ["agent-x", "task-7", "model-y"]]);
      const [agent, session, model] = labels[2];
      assert.deepEqual([agent, model], ["llmc-test", "configured-model"]);
      assert.match(session, face.isStateless && face.label.startsWith("http") ? /^-$/ : /^[0-9a-f]{8}…$/);
    });
  }
  const audit = await Deno.readTextFile(`${await sandbox.storeDir()}/artifacts/token_audit.csv`);
  assert.equal(audit.match(/,agent-x,task-7,model-y,linux_fs_read,/g)?.length, 4);
  assert.equal(audit.match(/,llmc-test,[^,]+,configured-model,linux_fs_read,/g)?.length, 4);
});

Deno.test("over HTTP the headers of a client label its MCP calls too", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "text\n" });
  await using server = await startHttp(sandbox, { args: [...SET, ...WITHOUT_LIMITS] });
  for (const face of httpFaces(server, { "X-LLMC-Agent": "headed", "X-LLMC-Model": "header-model" })) {
    await t.step(face.label, async () => {
      await using client = await face.connect();
      await call(client, "linux_fs_read", { path: "a.txt" });
      const { records } = JSON.parse(await call(client, "linux_mcp_recent_calls", { max_results: 1 }));
      assert.deepEqual([records[0].agent_id, records[0].model], ["headed", "header-model"]);
    });
  }
});
