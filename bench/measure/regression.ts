/**
 * Compares the ratios of a run with recorded ones within a wide tolerance: ratios cancel the machine's speed, but not
 * its noise.
 * @module
 */
import type { Cell, Report, Row } from "../../scripts/reports/performance.ts";

/** What bench/regression.json holds. */
export interface Regression {
  /** A ratio may be this many times the recorded one. */
  readonly slack: { readonly time: number; readonly memory: number; readonly tokens: number };
  /** By "row: kind to contestant". */
  readonly ratios: Readonly<Record<string, number>>;
}

type Kind = keyof Regression["slack"];

/** Ratios of ours to each other contestant, by the best round of each, because that is what noise touches least. */
export function ratiosOf({ rows }: Pick<Report, "rows">): Record<string, number> {
  const ratios: Record<string, number> = {};
  for (const row of rows) {
    const own = row.cells.ours;
    if (own === undefined) continue;
    for (const [key, other] of Object.entries(row.cells)) {
      if (key.startsWith("ours")) continue;
      for (const [kind, ratio] of Object.entries(compare(row, own, other))) {
        if (Number.isFinite(ratio)) ratios[`${row.key}: ${kind} to ${key}`] = Math.round(ratio * 1000) / 1000;
      }
    }
  }
  return ratios;
}

function compare({ unit }: Row, own: Cell, other: Cell): Partial<Record<Kind, number>> {
  const timeKind: Kind = unit === "MB" ? "memory" : "time";
  return {
    ...own.min !== undefined && other.min !== undefined ? { [timeKind]: own.min / other.min } : {},
    // Who has to ask again and again until a result is there spends tokens by the speed of the machine.
    ...own.tokens !== undefined && other.tokens && (other.calls ?? 1) === 1
      ? { tokens: own.tokens / other.tokens }
      : {},
  };
}

/** One line for each ratio that is worse than it may be. Ratios that the run does not have are passed over. */
export function findRegressions(now: Readonly<Record<string, number>>, { slack, ratios }: Regression): string[] {
  return Object.entries(ratios).flatMap(([name, recorded]) => {
    const ratio = now[name], limit = recorded * slack[kindOf(name)];
    return ratio === undefined || ratio <= limit
      ? []
      : [`${name}: ${ratio}, recorded ${recorded}, at most ${limit.toFixed(3)}`];
  });
}

function kindOf(name: string): Kind {
  const kind = name.match(/: (time|memory|tokens) to /)?.[1];
  return kind === "memory" || kind === "tokens" ? kind : "time";
}
