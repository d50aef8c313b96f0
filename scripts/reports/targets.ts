/** Target figures as data: a limit on one of our figures, or on its ratio to a peer's. @module */
import type { Report, Row } from "./performance.ts";

/** One limit. */
export interface Target {
  readonly row: string;
  /** As a person writes it. */
  readonly text: string;
  /** Whether it is reached; null when the figures for it are missing. */
  reached(row: Row): boolean | null;
}

/** Figures of a cell that a limit can be set on. */
type Figure = "median" | "p95" | "tokens" | "textTokens" | "calls" | "count";

function figure(row: Row, key: string, of: Figure): number | null {
  return row.cells[key]?.[of] ?? null;
}

function atMost(row: string, of: Figure, limit: number, text: string, key = "ours"): Target {
  const reached = (found: Row) => {
    const value = figure(found, key, of);
    return value === null ? null : value <= limit;
  };
  return { row, text, reached };
}

function ratio(row: string, other: string, limit: number, text: string): Target {
  const reached = (found: Row) => {
    const own = figure(found, "ours", "median"), theirs = figure(found, other, "median");
    return own === null || theirs === null ? null : own <= limit * theirs;
  };
  return { row, text, reached };
}

/** All of them, in the order of the rows. */
const TARGETS: readonly Target[] = [
  atMost("start", "median", 200, "≤ 200 ms"),
  ratio("start", "desktop_commander", 0.2, "≤ 0.2 × Desktop Commander"),
  ratio("start", "filesystem", 0.8, "≤ 0.8 × server-filesystem"),
  atMost("idle_memory", "median", 110, "≤ 110 MB"),
  atMost("tool_list", "textTokens", 2_300, "≤ 2,300 tokens before a model"),
  atMost("tool_list", "tokens", 3_500, "≤ 3,500 tokens in all"),
  atMost("read", "median", 0.8, "≤ 0.8 ms"),
  atMost("read", "p95", 2, "p95 ≤ 2 ms"),
  atMost("list", "median", 1, "≤ 1 ms"),
  atMost("list", "tokens", 500, "≤ 500 tokens"),
  atMost("edit", "median", 5, "≤ 5 ms, on disk for certain"),
  exactly("parallel_edits", 20),
  atMost("walk_capped", "median", 20, "≤ 20 ms"),
  atMost("walk_full", "median", 300, "≤ 300 ms"),
  ratio("search_rare", "floor", 1.3, "≤ 1.3 × rg"),
  atMost("search_rare", "calls", 1, "1 call"),
  atMost("search_rare", "tokens", 300, "≤ 300 tokens"),
  ratio("search_common", "floor", 1, "≤ 1.0 × rg"),
  atMost("search_common", "calls", 1, "1 call"),
  atMost("search_common", "tokens", 1_500, "≤ 1,500 tokens"),
  atMost("echo", "median", 12, "≤ 12 ms in bubblewrap"),
  atMost("echo", "median", 3, "≤ 3 ms with Landlock only", "ours_landlock"),
  atMost("processes", "median", 8, "≤ 8 ms"),
  atMost("processes", "tokens", 800, "≤ 800 tokens"),
  atMost("repl", "median", 10, "≤ 10 ms"),
  exactly("lost_output", 0),
];

function exactly(row: string, wanted: number): Target {
  const reached = (found: Row) => {
    const value = figure(found, "ours", "count");
    return value === null ? null : value === wanted;
  };
  return { row, text: String(wanted), reached };
}

/** A limit in ms as a multiple of the row's floor, on the machine for which it was set and on that of a report. */
export interface Multiple {
  readonly what: string;
  readonly limit: number;
  readonly ours: number;
}

/** Limits in ms, and the floor of their row on the machine for which they were set: half as fast, all are twice as long. */
const SET_FOR: readonly { row: string; limitMs: number; floorMs: number; key?: string; where?: string }[] = [
  { row: "start", limitMs: 200, floorMs: 45 },
  { row: "read", limitMs: 0.8, floorMs: 0.3 },
  { row: "list", limitMs: 1, floorMs: 0.3 },
  { row: "edit", limitMs: 5, floorMs: 0.3 },
  { row: "walk_capped", limitMs: 20, floorMs: 77 },
  { row: "walk_full", limitMs: 300, floorMs: 77 },
  { row: "echo", limitMs: 12, floorMs: 0.6, where: " in bubblewrap" },
  { row: "echo", limitMs: 3, floorMs: 0.6, key: "ours_landlock", where: " with Landlock only" },
  { row: "processes", limitMs: 8, floorMs: 3.2 },
];

/** Those whose floor was measured. */
export function multiples(rows: readonly Row[]): Multiple[] {
  return SET_FOR.flatMap(({ row: key, limitMs, floorMs, key: whose = "ours", where = "" }) => {
    const row = rows.find((each) => each.key === key);
    const ours = row && figure(row, whose, "median"), floor = row && figure(row, "floor", "median");
    return row && ours && floor ? [{ what: row.what + where, limit: limitMs / floorMs, ours: ours / floor }] : [];
  });
}

/** Limits of a row with what became of them. */
export function judge(row: Row): { text: string; reached: boolean | null }[] {
  return TARGETS.filter((target) => target.row === row.key).map(({ text, reached }) => ({
    text,
    reached: reached(row),
  }));
}

/** Share of all tokens of the scripted tasks; null when they were not run. */
export function tokenShare({ tokenTasks }: Report): number | null {
  if (tokenTasks.length === 0) return null;
  const sum = (of: "ours" | "peer") => tokenTasks.reduce((all, task) => all + task[of].tokens, 0);
  return sum("ours") / sum("peer");
}
