import assert from "node:assert/strict";
import { listKeys } from "../../src/config/keys.ts";
import { fileSchema } from "../../src/config/file_schema.ts";
import { makeLiveConfig } from "../../src/config/live.ts";
import { isLive, planReload } from "../../src/config/reload.ts";
import { makeTestApp } from "../support/app.ts";

async function configWith(settings: Record<string, unknown>) {
  await using test = await makeTestApp({ settings });
  return { ...test.config, settings: structuredClone(test.config.settings) };
}

Deno.test("a reload takes over what can change, and names what waits", async () => {
  const before = await configWith({}), after = structuredClone(before);
  after.settings.read_only = true;
  after.settings.tools.result_tokens = 500;
  after.settings.te.budgets = { default: 5000 };
  after.settings.handles.ttl_hours = 1;
  after.settings.server.port = 1234;
  const { settings, changed, waiting } = planReload(before, after);
  assert.deepEqual(changed, ["mcp.read_only", "mcp.tools.result_tokens", "mcp.te.budgets"]);
  assert.deepEqual(waiting, ["mcp.server.port", "mcp.handles.ttl_hours"]);
  assert.deepEqual([settings.read_only, settings.tools.result_tokens, settings.te.budgets], [true, 500, {
    default: 5000,
  }]);
  assert.deepEqual([settings.server.port, settings.handles.ttl_hours], [before.settings.server.port, 24]);
  assert.equal(before.settings.read_only, false); // what is in force is not touched before it is replaced
});

Deno.test("a reload says where values come from now, and of what waits where they came from", async () => {
  const start = await configWith({});
  const before = { ...start, origins: { "mcp.read_only": "cli", "mcp.server.port": "env" } as const };
  const after = { ...start, origins: { "mcp.tools.result_tokens": "toml", "mcp.server.host": "toml" } as const };
  assert.deepEqual(planReload(before, after).origins, { "mcp.server.port": "env", "mcp.tools.result_tokens": "toml" });
});

Deno.test("roots, programs, addresses and secrets never change in a running server", () => {
  const keys = listKeys(fileSchema).map(({ name }) => name).filter(isLive);
  const fixed =
    /roots|allowlist|binaries|unsafe|confinement|network|server|auth|data_dir|protected|script_path|enforce/;
  assert.deepEqual(keys.filter((name) => fixed.test(name)), []);
  assert.ok(keys.length > 30);
});

Deno.test("a live configuration answers with the settings of now", async () => {
  const start = await configWith({}), { config, replace } = makeLiveConfig(start);
  assert.deepEqual(config, start);
  replace({ settings: { ...start.settings, read_only: true }, origins: { "mcp.read_only": "toml" } });
  assert.equal(config.settings.read_only, true);
  assert.deepEqual(config.origins, { "mcp.read_only": "toml" });
  assert.equal(start.settings.read_only, false);
});
