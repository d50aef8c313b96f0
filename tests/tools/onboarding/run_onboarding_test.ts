import assert from "node:assert/strict";
import { flows } from "../../../src/tools/onboarding/flows.ts";
import { mcpRunOnboarding } from "../../../src/tools/onboarding/run_onboarding.ts";
import { makeTestApp } from "../../support/app.ts";

Deno.test("linux.mcp_run_onboarding names its flows in the summary, and refuses others with the list", async () => {
  for (const { name } of flows) assert.ok(mcpRunOnboarding.summary.includes(name));
  assert.ok(mcpRunOnboarding.summary.length <= 120);
  await using app = await makeTestApp();
  const { error } = await app.call("linux.mcp_run_onboarding", { flow_name: "make_coffee" });
  assert.equal(error?.code, "UNKNOWN_FLOW");
  assert.match(error.hint, /organize_downloads, explain_repo, system_health/);
});

Deno.test("linux.mcp_run_onboarding refuses a path for flows that look at none", async () => {
  await using app = await makeTestApp();
  const { error } = await app.call("linux_mcp_run_onboarding", { flow_name: "system_health", options: { path: "." } });
  assert.equal(error?.code, "INVALID_ARGUMENT");
  assert.match(error.message, /takes no path/);
});

Deno.test("linux.mcp_run_onboarding honours the switches of what its flows do", async () => {
  const call = async (feature: string, flow_name: string) => {
    await using app = await makeTestApp({ settings: { [`mcp.linux_ops.features.${feature}`]: false } });
    return (await app.call("linux_mcp_run_onboarding", { flow_name })).error?.code;
  };
  assert.equal(await call("fs_enabled", "organize_downloads"), "FEATURE_DISABLED");
  assert.equal(await call("fs_enabled", "explain_repo"), "FEATURE_DISABLED");
  assert.equal(await call("system_enabled", "system_health"), "FEATURE_DISABLED");
});
