import assert from "node:assert/strict";
import { settingsSchema } from "../../../src/config/schema.ts";
import { mcpLabels, sessionLabels } from "../../../src/server/mcp/session_labels.ts";

const SETTINGS = { session: { default_agent_id: "agent", default_model: "model", budget_profile: "profile" } };

Deno.test("sessionLabels: takes the headers' labels, and the configured ones where there is none", () => {
  const headers = new Headers({ "X-LLMC-Agent": "smith", "X-LLMC-Budget-Profile": "debug" });
  const labels = { agentId: "smith", sessionId: "S", model: "model", budgetProfile: "debug" };
  assert.deepEqual(sessionLabels(headers, "S", SETTINGS), labels);
});

Deno.test("sessionLabels: a label is one short line of printable characters, and an empty one is none", () => {
  const headers = new Headers({ "X-LLMC-Agent": " ", "X-LLMC-Model": "m\tx" + "y".repeat(200) });
  const { agentId, model, sessionId } = sessionLabels(headers, "a\nb\u001b[31m", SETTINGS);
  assert.equal(agentId, "agent");
  assert.match(model, /^m\?xy{77}$/);
  assert.equal(sessionId, "a?b?[31m");
});

const ALL_SETTINGS = settingsSchema.parse(SETTINGS);

Deno.test("mcpLabels: the request goes before its headers, these before the connection, that before the configuration", () => {
  const headers = new Headers({ "X-LLMC-Agent": "header", "X-LLMC-Model": "header" });
  const meta = { "llmc/agent_id": "meta", "llmc/session_id": "meta", "llmc/budget_profile": "meta" };
  const common = { clientName: "client", sessionId: "S" };
  assert.deepEqual(mcpLabels({ ...common, headers, meta }, ALL_SETTINGS), {
    agentId: "meta",
    sessionId: "meta",
    model: "header",
    budgetProfile: "meta",
  });
  assert.equal(mcpLabels({ ...common, headers, meta: undefined }, ALL_SETTINGS).agentId, "header");
  assert.deepEqual(mcpLabels({ ...common, meta: null }, ALL_SETTINGS), {
    agentId: "client",
    sessionId: "S",
    model: "model",
    budgetProfile: "profile",
  });
  assert.equal(mcpLabels({ ...common, clientName: undefined, meta: {} }, ALL_SETTINGS).agentId, "agent");
});

Deno.test("mcpLabels: what is no text is no label", () => {
  const meta = { "llmc/agent_id": 5, "llmc/model": { toString: "x" }, "llmc/session_id": "" };
  const { agentId, model, sessionId } = mcpLabels({ meta, clientName: ["a"], sessionId: "S" }, ALL_SETTINGS);
  assert.deepEqual([agentId, model, sessionId], ["agent", "model", "S"]);
});
