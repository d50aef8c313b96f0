/** A second process repeatedly swaps a folder for a link to the outside while tools work on its name. @module */
import assert from "node:assert/strict";
import { startServer } from "../../bench/peers/client.ts";
import { makePlace } from "../../bench/peers/place.ts";
import { ourRacer } from "../../bench/security/contestants.ts";
import { type Flipper, makeFlipper } from "../../bench/security/flipper.ts";
import { race } from "../../bench/security/race.ts";
import type { RaceResult } from "../../scripts/reports/security.ts";
import { BINARY, TEST_BINARY } from "../support/binary.ts";

/** For each operation; `make security` takes much longer. */
const DURATION_MS = 400;
const MOST_ROUNDS = 20;

interface Asked {
  readonly flipper: Flipper;
  readonly level?: string;
  /** Which operations; all by default. */
  readonly only?: readonly string[];
  /** Whether the link leads to the server's data directory, and not merely outside. */
  readonly toDataDir?: boolean;
  readonly durationMs?: number;
}

/** Races operations of one server, one after the other. */
async function raceAll({ flipper, level, only, toDataDir = false, durationMs = DURATION_MS }: Asked) {
  const racer = ourRacer(level === undefined ? BINARY : TEST_BINARY, level);
  await using place = await makePlace();
  await using server = await startServer(await racer.command(place));
  const results: RaceResult[] = [];
  for (const operation of racer.operations) {
    if (only !== undefined && !only.includes(operation.name)) continue;
    const outside = toDataDir ? `${place.dir}/state/llmc-mcp` : place.outside;
    // On a busy machine all calls may be over before anything was swapped.
    for (let round = 0, swaps = 0; round < MOST_ROUNDS && swaps === 0; round++) {
      const result = await race(server, place.root, operation, { flipper, durationMs, outside, shared: toDataDir });
      results.push(result);
      swaps = result.swaps;
    }
  }
  return results;
}

function assertNothingEscaped(results: readonly RaceResult[]): void {
  for (const { operation, tries, told, betrayed, opened, changed, examples } of results) {
    const isRaced = results.some((each) => each.operation === operation && each.swaps > 0);
    assert.ok(tries > 0 && isRaced, `${operation} was not raced`);
    assert.deepEqual({ told, betrayed, opened, changed }, NOTHING, `${operation}\n${examples.join("\n")}`);
  }
  assert.ok(results.some(({ worked }) => worked > 0), "tools work under the name at all");
}

const NOTHING = { told: 0, betrayed: 0, opened: 0, changed: 0 };

Deno.test("no tool loses a race against a swapped folder", async () => {
  await using flipper = await makeFlipper();
  assertNothingEscaped(await raceAll({ flipper }));
});

Deno.test("no tool can be led to the server's own files by a race", async () => {
  await using flipper = await makeFlipper();
  const only = ["read", "list", "write, new file", "write, overwrite", "delete", "move out", "search content"];
  assertNothingEscaped(await raceAll({ flipper, only, toDataDir: true }));
});

Deno.test("no program loses the race where only Landlock holds it", async () => {
  await using flipper = await makeFlipper();
  assertNothingEscaped(await raceAll({ flipper, level: "landlock", only: ["run cat", "run in the folder", "read"] }));
});

Deno.test("the race is one that is lost where the kernel does not hold: else it would prove nothing", async () => {
  await using flipper = await makeFlipper();
  let lost = 0;
  for (let attempt = 0; attempt < 20 && lost === 0; attempt++) {
    for (const { told, opened } of await raceAll({ flipper, level: "bwrap", only: ["read"] })) lost += told + opened;
  }
  assert.ok(lost > 0);
});
