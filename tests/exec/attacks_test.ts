import assert from "node:assert/strict";
import { OpsError } from "../../src/core/error.ts";
import { ATTACK_PROGRAMS, ATTACKS, setTrap } from "../support/attacks.ts";
import { type TestRunner, testRunner, WAYS } from "./run_support.ts";
import { needing } from "../support/needs.ts";

async function outputOf(runner: TestRunner, command: string | readonly string[]): Promise<string> {
  const request = typeof command === "string" ? { command } : { argv: command };
  try {
    const { stdout, stderr } = await runner.programs.run({
      ...request,
      owner: "me",
      timeoutMs: 5_000,
      inlineBytes: 1 << 20,
    }, new AbortController().signal);
    return stdout + stderr;
  } catch (error) {
    assert.ok(error instanceof OpsError, String(error));
    return error.message;
  }
}

for (const [held, lack] of WAYS) {
  const name = `none of ${ATTACKS.length} argument attacks gets out of the roots (${held})`;
  Deno.test(needing(name, lack), async () => {
    await using runner = await testRunner({ held, confinement: "required", more: ATTACK_PROGRAMS });
    const trap = await setTrap(runner.root, `${runner.root.slice(0, -"/root".length)}/outside`);
    const leaks: string[] = [];
    for (const attack of ATTACKS) leaks.push(...await trap.look(attack, await outputOf(runner, trap.fill(attack))));
    assert.deepEqual(leaks, []);
    assert.equal(await outputOf(runner, "cat a.txt"), "one\ntwo\n"); // else nothing was proved
  });
}
