/**
 * Injects the same faults into every server and reports how each behaved.
 *
 *     deno run -A bench/faults/run.ts [--only WORD] [--server KEY] [--binary dist/llmc-mcp]
 *
 * @module
 */
import { option } from "../measure/options.ts";
import type { FaultRow } from "../../scripts/reports/performance.ts";
import type { Contestant } from "../peers/hands.ts";
import { installPeers } from "../peers/install.ts";
import { ours } from "../peers/ours.ts";
import { VERSION } from "../../src/core/version.ts";
import { BINARY } from "../../scripts/project.ts";
import { PROBES } from "./all.ts";
import { applies, bad, type Probe, tryProbe, type Verdict } from "./probe.ts";

/** Every row, for the servers that it applies to. @param deadline `performance.now()` after which no row begins */
export async function runFaults(
  contestants: readonly Contestant[],
  say: (line: string) => void,
  { probes = PROBES, deadline = Infinity }: { probes?: readonly Probe[]; deadline?: number } = {},
): Promise<FaultRow[]> {
  const rows: FaultRow[] = [];
  for (const probe of probes) {
    if (performance.now() > deadline) break;
    const taking = contestants.filter((one) => applies(probe, one));
    // At once: nothing is measured here, and much of it is waiting for what hangs.
    const verdicts = Object.fromEntries(
      await Promise.all(taking.map(async (contestant) => [contestant.key, await judge(probe, contestant)] as const)),
    );
    rows.push({ key: probe.key, title: probe.title, verdicts });
    const parts = Object.entries(verdicts).map(([key, { verdict, note }]) => `${key} ${verdict} (${note})`);
    say(`${probe.title}: ${parts.join(" · ")}`);
  }
  return rows;
}

function judge(probe: Probe, contestant: Contestant): Promise<Verdict> {
  return tryProbe(probe, contestant).catch((error: unknown) => bad(`probe failed: ${error}`));
}

if (import.meta.main) {
  const say = (line: string) => void Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  const { peers, missing } = await installPeers();
  if (missing.length > 0) say(`cannot be installed: ${missing.join(", ")}`);
  const chosen = option("server", ""), word = option("only", "");
  const contestants = [ours(option("binary", BINARY), VERSION), ...peers]
    .filter(({ key }) => chosen === "" || key === chosen);
  const probes = PROBES.filter(({ key, title }) => key.includes(word) || title.includes(word));
  const rows = await runFaults(contestants, say, { probes });
  const wrong = rows.filter(({ verdicts }) => verdicts.ours !== undefined && verdicts.ours.verdict !== "ok");
  Deno.exit(wrong.length > 0 ? 1 : 0);
}
