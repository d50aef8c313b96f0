import assert from "node:assert/strict";
import { sessionLabels } from "../../src/server/session_labels.ts";

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
