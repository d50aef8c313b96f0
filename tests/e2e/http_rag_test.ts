/** Code search over REST: the specification's formats, with the location of every hit. @module */
import assert from "node:assert/strict";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { ask, WITHOUT_LIMITS } from "../support/raw_http.ts";

async function post(server: HttpServer, path: string, body: unknown) {
  const answer = await ask(server, { path, body: JSON.stringify(body) });
  return { status: answer.status, body: JSON.parse(answer.body) };
}

Deno.test("/rag and /invoke_agent find code with its place", async (t) => {
  await using sandbox = await Sandbox.make({
    "AGENTS.md": "# Agents\n\nRead src first.\n",
    "src/lamp.ts":
      "/** Lights the lamp of the harbour. */\nexport function lightLamp(): void {\n  console.log('lamp');\n}\n",
    "src/boat.ts": "export function rowBoat(): number {\n  return 3;\n}\n",
  });
  await Deno.mkdir(`${sandbox.root}/.git`);
  const roots = ["--set", `mcp.rag.roots=["${sandbox.root}"]`];
  await using server = await startHttp(sandbox, { args: [...WITHOUT_LIMITS, ...roots] });
  const search = (body: Record<string, unknown>) => post(server, "/rag/search", body);
  await t.step("search", async () => {
    const { status, body } = await search({ q: "light the harbour lamp", scope: "repo", k: 3, budget_tokens: 600 });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.provenance, true);
    assert.match(body.snippets[0].src, /lamp\.ts#L\d+-L\d+$/);
    assert.match(body.snippets[0].text, /lightLamp/);
    assert.equal(typeof body.snippets[0].score, "number");
    assert.ok((await search({ q: "lamp boat", k: 1 })).body.snippets.length <= 1);
  });
  await t.step("search says which field is wrong", async () => {
    for (const [wrong, field] of [[{}, "q"], [{ q: "x", k: 0 }, "k"], [{ q: "x", scope: "all" }, "scope"]] as const) {
      const { status, body } = await search(wrong);
      assert.equal(status, 422);
      assert.match(body.message, new RegExp(`'${field}'`));
    }
  });
  await t.step("bootload", async () => {
    const { status, body } = await post(server, "/rag/bootload", { session_id: "S", task_id: "T" });
    assert.equal(status, 200, JSON.stringify(body));
    for (const field of ["plan", "scope", "notes"]) assert.equal(typeof body[field], "string", field);
  });
  await t.step("invoke_agent returns the receipt and the context, without what the caller has", async () => {
    const message = { session_id: "S", role: "Otto", user_msg: "how is the harbour lamp lit?", inject_context: "" };
    const first = await post(server, "/invoke_agent", message);
    assert.equal(first.body.text, "[MCP v0] received; use /rag/search for pre-call context");
    assert.match(first.body.context[0].src, /lamp\.ts#L/);
    const known = first.body.context[0].text;
    const second = await post(server, "/invoke_agent", { ...message, inject_context: `I know:\n${known}` });
    assert.ok(!JSON.stringify(second.body.context).includes("lamp.ts#L"), JSON.stringify(second.body));
  });
});
