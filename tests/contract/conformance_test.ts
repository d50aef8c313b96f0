/**
 * The official conformance suite: complete on a fixture over the same transport, and on the executable where no
 * fixture is needed.
 * @module
 */
import assert from "node:assert/strict";
import { Sandbox, startHttp } from "../support/binary.ts";
import { type Revision, REVISIONS, runConformance } from "../support/conformance/run.ts";
import { startConformanceServer } from "../support/conformance/server.ts";

Deno.test("the transport passes every required scenario of the conformance suite", async (t) => {
  await using server = await startConformanceServer();
  for (const revision of REVISIONS) {
    await t.step(revision, async () => {
      const { passed, failures, output } = await runConformance(server.url, revision);
      assert.ok(passed, output);
      assert.ok(failures.size >= REQUIRED[revision], `only ${failures.size} scenarios ran: ${output}`);
    });
  }
});

/** How many scenarios each revision requires of a server. */
const REQUIRED: Readonly<Record<Revision, number>> = { "2025-11-25": 30, "2026-07-28": 37 };

/** Scenarios that ask for no tool, resource or prompt of a certain name. */
const WITHOUT_FIXTURE: Readonly<Record<Revision, readonly string[]>> = {
  "2025-11-25": [
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
    "server-session-lifecycle",
  ],
  "2026-07-28": [
    "tools-list",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams",
    "sep-2164-resource-not-found",
    "dns-rebinding-protection",
    "caching",
    "http-header-validation",
    "input-required-result-missing-input-response",
    "input-required-result-unsupported-methods",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input",
  ],
};

Deno.test("the executable passes every scenario of the conformance suite that needs no fixture", async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  await using server = await startHttp(sandbox, { args: [...WITHOUT_TOKEN, ...FASTER_THAN_LIMITS] });
  for (const revision of REVISIONS) {
    await t.step(revision, async () => {
      const { failures, output } = await runConformance(`${server.url}/mcp`, revision);
      for (const name of WITHOUT_FIXTURE[revision]) assert.equal(failures.get(name), 0, `${name}: ${output}`);
    });
  }
});

const WITHOUT_TOKEN = ["--set", "mcp.auth.mode=none"];
const FASTER_THAN_LIMITS = ["--set", "mcp.limits.rate_limit_rps=10000", "--set", "mcp.limits.rate_limit_burst=10000"];
