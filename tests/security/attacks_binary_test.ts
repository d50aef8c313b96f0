/** The argument attacks through the executable, one session for each level of a machine. @module */
import assert from "node:assert/strict";
import { ATTACK_PROGRAMS, ATTACKS, setTrap } from "../support/attacks.ts";
import { Sandbox, TEST_BINARY } from "../support/binary.ts";
import { StdioPeer } from "../support/stdio_peer.ts";
import { LEVEL, needing } from "../support/needs.ts";

/** With the usual setting of `mcp.tools.confinement`: what nothing can hold is not started. */
const ARGS = ["--set", `mcp.linux_ops.commands.allowed_binaries=${ATTACK_PROGRAMS.join(",")}`];

for (const level of ["full", "landlock", "bwrap", "none"] as const) {
  const name = `none of ${ATTACKS.length} argument attacks gets out of the roots at level ${level}`;
  Deno.test(needing(name, ...LEVEL[level]), async () => {
    await using sandbox = await Sandbox.make();
    const trap = await setTrap(sandbox.root, `${sandbox.dir}/outside`);
    await using peer = await StdioPeer.open(sandbox, {
      binary: TEST_BINARY,
      args: ARGS,
      env: { LLMC_TEST_LEVEL: level },
    });
    const outputOf = async (attack: string | readonly string[]) => {
      const command = typeof attack === "string" ? { command: attack } : { argv: attack };
      const frame = await peer.request("tools/call", { name: "run_cmd", arguments: { ...command, timeout: 5 } });
      return JSON.stringify(frame);
    };
    const leaks: string[] = [];
    for (const attack of ATTACKS) leaks.push(...await trap.look(attack, await outputOf(trap.fill(attack))));
    assert.deepEqual(leaks, []);
    assert.match(await outputOf("cat a.txt"), /one\\ntwo/); // else nothing was proved
  });
}
