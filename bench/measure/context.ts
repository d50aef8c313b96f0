/** Context of every part of the benchmark, and how a row is computed from its rounds. @module */
import type { ServerProcess } from "../peers/client.ts";
import type { Contestant } from "../peers/hands.ts";
import type { Count } from "../tokens/tokenizers.ts";
import type { Cell, Row } from "../../scripts/reports/performance.ts";
import { type Entrant, type RoundBounds, runRounds } from "./rounds.ts";

/** Shared by all parts. */
export interface Bench {
  readonly contestants: readonly Contestant[];
  readonly quick: boolean;
  readonly count: Count;
  /** Says how far it is. */
  say(line: string): void;
}

/** A started server with its contestant and the folder that it serves. */
export interface Running {
  readonly contestant: Contestant;
  readonly server: ServerProcess;
  readonly root: string;
}

/** A shorter run takes a quarter of the rounds and of the time. */
export function bounds({ quick }: Bench, full: RoundBounds): RoundBounds {
  if (!quick) return full;
  const maxRounds = Math.max(3, Math.ceil(full.maxRounds / 4));
  return { ...full, maxRounds, budgetMs: full.budgetMs / 4, minRounds: Math.min(full.minRounds ?? 3, maxRounds) };
}

/** One measured thing of a server: what it does once, after which its results are counted. */
export interface ServerEntrant {
  readonly running: Running;
  once(): Promise<unknown>;
}

/** Measures servers beside a floor. Tokens and calls are those of the last round. */
export async function measureRow(
  bench: Bench,
  row: Omit<Row, "cells" | "unit">,
  servers: readonly ServerEntrant[],
  full: RoundBounds,
  floor?: () => Promise<unknown>,
): Promise<Row> {
  const entrants: Entrant[] = servers.map(({ running, once }) => ({
    key: running.contestant.key,
    async once() {
      running.server.forget();
      await once();
    },
  }));
  if (floor !== undefined) entrants.push({ key: "floor", once: () => floor().then(() => {}) });
  const outcomes = await runRounds(entrants, bounds(bench, full));
  const cells: Record<string, Cell> = {};
  for (const [key, outcome] of outcomes) {
    const running = servers.find(({ running }) => running.contestant.key === key)?.running;
    cells[key] = "fault" in outcome ? { fault: outcome.fault } : {
      ...outcome.summary,
      ...running === undefined ? {} : costOf(running.server, bench.count),
    };
  }
  bench.say(lineOf(row.what, cells));
  return { ...row, unit: "ms", cells };
}

/** Calls and tokens of all results since the server was told to forget. */
function costOf({ results }: ServerProcess, count: Count): Pick<Cell, "calls" | "tokens" | "textTokens"> {
  let tokens = 0, textTokens = 0;
  for (const json of results) {
    const { content = [] }: { content?: { text?: string }[] } = JSON.parse(json) ?? {};
    tokens += count(json);
    textTokens += count(content.map(({ text = "" }) => text).join("\n"));
  }
  return { calls: results.length, tokens, textTokens };
}

/** How a row reads while it runs: best, median and 95th percentile. */
export function lineOf(what: string, cells: Readonly<Record<string, Cell>>): string {
  const parts = Object.entries(cells).map(([key, { min, median, p95, count, tokens, fault }]) => {
    if (fault !== undefined) return `${key} –`;
    const figure = count ?? (median === undefined ? undefined : `${min}/${median}/${p95}`);
    return `${key} ${figure ?? ""}${tokens === undefined ? "" : ` ${tokens}t`}`;
  });
  return `${what}: ${parts.join(" · ")}`;
}
