/**
 * The Inspector's command line in strict mode on every tool, over both transports and in every protocol era. It ends
 * by itself only over standard input and output; over HTTP the test waits for its first output only.
 * @module
 */
import assert from "node:assert/strict";
import { BINARY, Sandbox, startHttp } from "../support/binary.ts";
import { firstJson } from "../support/npm_tool.ts";

const ERAS = ["legacy", "auto", "modern"];
const TOOLSETS = ["fs", "search", "run", "proc", "sys", "rag", "code", "stats", "logs", "mvp", "te", "ufo"];
const EVERYTHING = [
  "--set",
  `mcp.tools.toolsets=${JSON.stringify(TOOLSETS)}`,
  "--set",
  "mcp.linux_ops.features.logs_enabled=true",
];

Deno.test("the Inspector finds nothing to say against any tool, in strict mode, over both transports and in every era", async (t) => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { args: EVERYTHING });
  const targets = [
    ["stdio", [BINARY, "stdio", "--root", sandbox.root, ...EVERYTHING]],
    ["http", ["--server-url", `${server.url}/mcp`, "--header", `Authorization: Bearer ${server.token}`]],
  ] as const;
  for (const [transport, target] of targets) {
    for (const era of ERAS) {
      await t.step(`${transport}, ${era}`, async () => {
        const options = ["--method", "tools/list", "--strict", "--format", "json", "--protocol-era", era];
        const listed = Object(await firstJson("inspector", ["--cli", ...target, ...options], sandbox.env));
        assert.ok(listed.result.tools.length > 35, `${listed.result.tools.length} tools`);
        assert.equal(listed.schemaFindings, undefined, JSON.stringify(listed.schemaFindings));
      });
    }
  }
});
