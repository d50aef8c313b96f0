/** The worst input for every tool must not delay another client. `make security` tries all inputs. @module */
import assert from "node:assert/strict";
import { ALL_TOOLS } from "../../bench/security/rpc_fuzz.ts";
import { generatedCalls } from "../../bench/security/stalls/generated_inputs.ts";
import { findUnstoppable, measureStalls, writeWorstRoot } from "../../bench/security/stalls/stalls.ts";
import { policyCalls, worstCalls } from "../../bench/security/stalls/worst_inputs.ts";
import { tools } from "../../src/tools/catalog.ts";
import { BINARY, Sandbox, startHttp, TEST_BINARY } from "../support/binary.ts";
import { LEVEL, needing } from "../support/needs.ts";
import { WITHOUT_LIMITS } from "../support/raw_http.ts";

const ARGS = [...WITHOUT_LIMITS, ...ALL_TOOLS];

Deno.test("no tool keeps another client waiting with its worst input, and none goes on when its client leaves", async () => {
  await using sandbox = await Sandbox.make();
  await writeWorstRoot(sandbox.root);
  const calls = worstCalls("short"), called = new Set(calls.map(({ tool }) => tool));
  assert.deepEqual(tools.map(({ name }) => name).filter((name) => !called.has(name)), []);
  {
    await using server = await startHttp(sandbox, { args: ARGS, binary: BINARY });
    const { faults, asked } = await measureStalls(server, calls);
    assert.deepEqual(faults, []);
    assert.ok(asked > calls.length, `${asked} answers`);
  }
  await using server = await startHttp(sandbox, { args: ARGS, binary: BINARY });
  const long = ["every line", "files", "pattern: dots", "prints log.txt", "hunks without numbers", "20,000 names"];
  assert.deepEqual(await findUnstoppable(server, calls.filter(({ what }) => long.includes(what))), []);
});

Deno.test("no argument of a tool keeps another client waiting, whatever its value", async () => {
  await using sandbox = await Sandbox.make();
  await writeWorstRoot(sandbox.root);
  await using server = await startHttp(sandbox, { args: ARGS, binary: BINARY });
  const seed = Number(Deno.env.get("SECURITY_SEED") ?? 1), share = Number(Deno.env.get("SECURITY_VALUES") ?? 2);
  assert.deepEqual((await measureStalls(server, generatedCalls(share, seed))).faults, []);
});

for (const level of ["bwrap", "none"] as const) {
  Deno.test(needing(`no command line keeps another client waiting at level ${level}`, ...LEVEL[level]), async () => {
    await using sandbox = await Sandbox.make({ "same.txt": "the same line\n" });
    await using server = await startHttp(sandbox, { args: ARGS, binary: TEST_BINARY, env: { LLMC_TEST_LEVEL: level } });
    assert.deepEqual((await measureStalls(server, policyCalls())).faults, []);
  });
}
