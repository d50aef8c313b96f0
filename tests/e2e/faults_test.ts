/** The injected faults of the comparison, on the executable, also without bubblewrap. @module */
import assert from "node:assert/strict";
import { PROBES } from "../../bench/faults/all.ts";
import { applies, type Probe, tryProbe } from "../../bench/faults/probe.ts";
import { REACH } from "../../bench/faults/reach.ts";
import { RUNNING } from "../../bench/faults/running.ts";
import type { Contestant } from "../../bench/peers/hands.ts";
import { ours } from "../../bench/peers/ours.ts";
import { VERSION } from "../../src/core/version.ts";
import { BINARY, TEST_BINARY } from "../support/binary.ts";

function plant(probe: Probe, contestant: Contestant, where: string): void {
  Deno.test(`planted fault, ${where}: ${probe.title}`, async () => {
    const { verdict, note } = await tryProbe(probe, contestant, 500);
    assert.equal(verdict, "ok", note);
  });
}

const released = ours(BINARY, VERSION);
for (const probe of PROBES) plant(probe, released, "as released");

const landlockOnly = ours(TEST_BINARY, VERSION, "landlock");
for (const probe of [...REACH, ...RUNNING]) plant(probe, landlockOnly, "Landlock only");

Deno.test("every planted fault applies to this product", () => {
  assert.deepEqual(PROBES.filter((probe) => !applies(probe, released)).map(({ key }) => key), []);
});
