/**
 * Measures the promised times that have no peer to compare with: stopping and restarting the server, cancelling,
 * answers beside slow calls, questions about the machine and about many recorded calls.
 *
 *     deno run -A bench/bounds.ts [--rounds 5] [--binary dist/llmc-mcp]
 *
 * Writes bench/results/bounds.json and prints a table; exits 1 when a median is above its limit.
 *
 * @module
 */
import { BINARY } from "../tests/support/binary.ts";
import { print } from "../scripts/project.ts";
import { measureAll, type Measured } from "./bounds/bound.ts";
import { endingBounds } from "./bounds/ending.ts";
import { recordBounds } from "./bounds/records.ts";
import { restartBound } from "./bounds/restarting.ts";
import { workingBounds } from "./bounds/working.ts";
import { ms, type Row } from "./http/row.ts";
import { option } from "./measure/options.ts";

const RESULTS = new URL("./results/bounds.json", import.meta.url);

/** Measures every bound so many times. */
export async function measureBounds(binary: string, rounds: number): Promise<Measured[]> {
  const dir = await Deno.makeTempDir({ prefix: "llmc-bounds-" });
  const records = recordBounds(dir);
  try {
    return await measureAll(
      [...endingBounds(binary), restartBound(), ...workingBounds(binary), ...records.bounds],
      rounds,
    );
  } finally {
    records.close();
    await Deno.remove(dir, { recursive: true });
  }
}

function rowOf({ what, limitMs, summary: { min, median, p95 } }: Measured): Row {
  return {
    what,
    figure: `median ${ms(median)}, best ${ms(min)}, p95 ${ms(p95)}`,
    target: `median <= ${ms(limitMs)}`,
    holds: median <= limitMs,
    values: { min_ms: min, median_ms: median, p95_ms: p95 },
  };
}

async function main(): Promise<number> {
  const rows = (await measureBounds(option("binary", BINARY), Number(option("rounds", "5")))).map(rowOf);
  for (const { what, figure, target, holds } of rows) {
    print(`${holds ? "ok  " : "MISS"}  ${what.padEnd(60)}  ${figure.padEnd(44)}  ${target}`);
  }
  const report = { at: new Date().toISOString(), deno: Deno.version.deno, rows };
  await Deno.writeTextFile(RESULTS, `${JSON.stringify(report, null, 2)}\n`);
  return rows.every(({ holds }) => holds) ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
