/** Every call in the catalogue of tools works, on the compiled executable. @module */
import assert from "node:assert/strict";
import { tools } from "../../src/tools/catalog.ts";
import { Sandbox, startHttp } from "../support/binary.ts";
import { EXAMPLE_FILES, TOOL_EXAMPLES, type ToolExample } from "./tool_examples.ts";

/** Everything that is off by default, and no limit of speed. */
const ARGS = [
  ...["--set", "mcp.linux_ops.features.logs_enabled=true", "--set", "mcp.limits.rate_limit_burst=1000"],
  ...["--set", "mcp.linux_ops.process_limits.max_procs_per_session=16"],
];

Deno.test("every tool has an example, and no example is of a tool that is gone", () => {
  assert.deepEqual(Object.keys(TOOL_EXAMPLES).sort(), tools.map(({ name }) => name).sort());
});

Deno.test("every example of the catalogue succeeds", async (t) => {
  await using box = await Sandbox.make(EXAMPLE_FILES);
  await using server = await startHttp(box, { args: ARGS });
  const call = async (name: string, args: unknown): Promise<Record<string, unknown>> => {
    const response = await fetch(`${server.url}/tool`, {
      method: "POST",
      headers: { "X-LLMC-Token": server.token, "Content-Type": "application/json" },
      body: JSON.stringify({ session_id: "examples", name, args }),
    });
    const answer = await response.json();
    assert.equal(response.status, 200, `${name}: ${JSON.stringify(answer)}`);
    return answer;
  };
  for (const [name, example] of Object.entries(TOOL_EXAMPLES)) {
    await t.step(name, async () => void await call(name, await prepare(example, call)));
  }
});

/** Puts the results of earlier calls into the arguments. */
async function prepare(
  { args, first }: ToolExample,
  call: (name: string, args: unknown) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  if (first === undefined) return { ...args };
  const found = (await call(first.tool, first.args))[first.field];
  assert.ok(found !== undefined && found !== null, `${first.tool} gave no ${first.field}`);
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, value === `$${first.field}` ? found : value]),
  );
}
