/**
 * Condenses compiler and linter output: errors before warnings, identical messages merged with all their locations.
 * @module
 */
import { linesOf } from "../core/bound_lines.ts";
import { cutLine, note } from "../core/bound.ts";
import { type Diagnostic, parseDiagnostics } from "./diagnostic_lines.ts";
import { blockCost, countOf, type Draft, groupBy, makePage, type Source } from "./page.ts";
import { addOthers } from "./others.ts";

const SOFT_TOKENS = 2_000;
const MAX_LINE_CHARACTERS = 400;
/** Places named for one message; the rest is counted. */
const MAX_PLACES = 12;

/** Lines of code frames and notes under one message: the first plan that fits is taken. */
const PLANS: readonly [Plan, ...Plan[]] = [
  { error: 40, warning: 40, note: 40 },
  { error: 12, warning: 6, note: 0 },
  { error: 12, warning: 0, note: 0 },
];
const NO_FRAMES: Plan = { error: 0, warning: 0, note: 0 };
type Plan = Readonly<Record<Diagnostic["severity"], number>>;
/** Reports of this size are shown with all their warnings and frames. */
const SMALL_TOKENS = 700;
const MAX_WARNINGS_BESIDE_ERRORS = 6;

interface Group {
  readonly first: Diagnostic;
  /** Places beyond the first, each once. */
  readonly places: readonly string[];
  readonly total: number;
}

/** Enriches tsc, eslint, gcc, clang, rustc, cargo, deno check, go, mypy, ruff and what prints like them. */
export function enrichDiagnostics(source: Source, budgetTokens: number): Draft | null {
  const lines = [...linesOf(source.stdout), ...linesOf(source.stderr)];
  const { diagnostics, summary, others } = parseDiagnostics(lines);
  if (diagnostics.length === 0) return null;
  if (source.command.kind !== "diagnostics" && !diagnostics.every((each) => /error|warning/i.test(each.header))) {
    return null;
  }
  const all = groupDiagnostics(diagnostics);
  const page = makePage(Math.min(budgetTokens, SOFT_TOKENS) - blockCost(summary));
  const linesFor = (groups: readonly Group[], plan: Plan) =>
    groups.flatMap((group) => render(group, plan[group.first.severity]));
  const small = blockCost(linesFor(all, PLANS[0])) <= SMALL_TOKENS;
  const groups = small ? all : withoutMinor(all);
  const failed = groups.some((group) => group.first.severity === "error");
  const plans = small ? PLANS.slice(0, 1) : failed ? PLANS.slice(2) : PLANS;
  const plan = plans.find((each) => blockCost(linesFor(groups, each)) <= page.room) ?? NO_FRAMES;
  const totalOf = (some: readonly Group[]) => some.reduce((sum, group) => sum + group.total, 0);
  let hidden = totalOf(all) - totalOf(groups);
  for (const group of groups) {
    if (!page.addAll(render(group, plan[group.first.severity]))) hidden += group.total;
  }
  summary.forEach((line) => page.force(cutLine(line, MAX_LINE_CHARACTERS)));
  const left = addOthers(page, others);
  const frames = groups.filter((group) => group.first.detail.length > 0 && plan[group.first.severity] === 0).length;
  const omitted = [
    hidden > 0 ? `${hidden} of ${countOf(diagnostics.length, "diagnostic")}` : "",
    frames > 0 ? `code frames of ${countOf(frames, "message")}` : "",
    left > 0 ? countOf(left, "other line") : "",
  ].filter((part) => part !== "").join(", ");
  if (omitted !== "") page.force(note(`${omitted} left out`));
  return { text: page.text(), stderr: "", omitted, matchCount: diagnostics.length };
}

/** Where there are errors, warnings are what one looks at afterwards: a few are shown, the rest is counted. */
function withoutMinor(groups: readonly Group[]): readonly Group[] {
  const errors = groups.filter((group) => group.first.severity === "error");
  return errors.length === 0 ? groups : groups.slice(0, errors.length + MAX_WARNINGS_BESIDE_ERRORS);
}

const ORDER = { error: 0, warning: 1, note: 2 } as const;

function groupDiagnostics(diagnostics: readonly Diagnostic[]): Group[] {
  const groups = [...groupBy(diagnostics, (each) => `${each.severity} ${each.text}`).values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const places = [...new Set(own.map((each) => each.place))].filter((place) => place !== first.place);
    return [{ first, places, total: own.length }];
  });
  return groups.sort((a, b) => ORDER[a.first.severity] - ORDER[b.first.severity]);
}

function render(group: Group, mostDetail: number): string[] {
  const { first, places, total } = group;
  const repeats = total > 1 ? ` [×${total}]` : "";
  // A header without its place needs the line that holds it, even when frames are left out.
  const placeless = !first.header.includes(first.place);
  const detail = mostDetail > 0 ? cutDetail(first.detail, mostDetail) : placeless ? [`  ${first.place}`] : [];
  const named = places.slice(0, MAX_PLACES).join(" ");
  const more = places.length > MAX_PLACES ? ` and ${places.length - MAX_PLACES} more` : "";
  return [
    cutLine(first.header, MAX_LINE_CHARACTERS) + repeats,
    ...detail,
    ...(places.length > 0 ? [note(`also ${named}${more}`)] : []),
  ];
}

function cutDetail(detail: readonly string[], most: number): string[] {
  const kept = detail.slice(0, most).map((line) => cutLine(line, MAX_LINE_CHARACTERS));
  return detail.length > kept.length
    ? [...kept, note(`${countOf(detail.length - kept.length, "line")} of this message`)]
    : kept;
}
