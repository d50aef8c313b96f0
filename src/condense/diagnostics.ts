/**
 * Condenses compiler and linter output: errors before warnings, identical messages merged with all their locations.
 * @module
 */
import { linesOf } from "../core/bound_lines.ts";
import { cutLine, note } from "../core/bound.ts";
import { estimateTokens } from "../core/tokens.ts";
import { type Diagnostic, parseDiagnostics } from "./diagnostic_lines.ts";
import { blockCost, countOf, type Draft, groupBy, makePage, type Source } from "./page.ts";
import { addOthers } from "./others.ts";

/** A report with its notes. */
const SOFT_TOKENS = 450;
/** Lines that belong to no message. */
const OTHERS_TOKENS = 600;
const MAX_LINE_CHARACTERS = 400;
/** Lines of code frames and notes under one message, and places of its repetitions: the first plan that fits is taken. */
interface Plan extends Readonly<Record<Diagnostic["severity"], number>> {
  readonly places: number;
}
const PLANS: readonly [Plan, ...Plan[]] = [
  { error: 40, warning: 40, note: 40, places: 8 },
  { error: 12, warning: 6, note: 0, places: 8 },
  { error: 12, warning: 0, note: 0, places: 8 },
  { error: 4, warning: 0, note: 0, places: 8 },
  { error: 0, warning: 0, note: 0, places: 8 },
];
/** With fewer places messages that only resemble each other are told together. */
const SHORT: Plan = { error: 0, warning: 0, note: 0, places: 3 };
const SHORTEST: Plan = { error: 0, warning: 0, note: 0, places: 0 };
/** Reports of this size are shown with all their warnings and frames. */
const SMALL_TOKENS = 300;
const MAX_WARNINGS_BESIDE_ERRORS = 3;

/** Diagnostics that say the same. */
interface Group {
  readonly first: Diagnostic;
  /** Places beyond the first, each once. */
  readonly places: readonly string[];
  readonly total: number;
  /** They differ in what they quote, or in a number. */
  readonly isAlike: boolean;
}

/** Enriches tsc, eslint, gcc, clang, rustc, cargo, deno check, go, mypy, ruff and what prints like them. */
export function enrichDiagnostics(source: Source, budgetTokens: number): Draft | null {
  const lines = [...linesOf(source.stdout), ...linesOf(source.stderr)];
  const { diagnostics, summary, others } = parseDiagnostics(lines);
  if (diagnostics.length === 0) return null;
  if (source.command.kind !== "diagnostics" && !diagnostics.every((each) => /error|warning/i.test(each.header))) {
    return null;
  }
  const exact = groupDiagnostics(diagnostics, ({ text }) => text);
  const page = makePage(Math.min(budgetTokens, SOFT_TOKENS) - blockCost(summary));
  const linesFor = (groups: readonly Group[], plan: Plan) => groups.flatMap((group) => render(group, plan));
  const small = blockCost(linesFor(exact, PLANS[0])) <= SMALL_TOKENS;
  const fits = (some: readonly Group[]) => blockCost(linesFor(withoutMinor(some), SHORT)) <= page.room;
  const all = small || fits(exact) ? exact : groupDiagnostics(diagnostics, ({ text }) => ruleOf(text));
  const groups = small ? all : withoutMinor(all);
  const failed = groups.some((group) => group.first.severity === "error");
  const plans = small ? PLANS.slice(0, 1) : failed ? PLANS.slice(2) : PLANS;
  const plan = [...plans, SHORT].find((each) => blockCost(linesFor(groups, each)) <= page.room) ?? SHORTEST;
  const totalOf = (some: readonly Group[]) => some.reduce((sum, group) => sum + group.total, 0);
  let hidden = totalOf(all) - totalOf(groups);
  for (const group of groups) {
    if (!page.addAll(render(group, plan))) hidden += group.total;
  }
  summary.forEach((line) => page.force(cutLine(line, MAX_LINE_CHARACTERS)));
  const beside = makePage(Math.min(budgetTokens - estimateTokens(page.text()), OTHERS_TOKENS));
  const left = addOthers(beside, others);
  const frames = groups.filter((group) => group.first.detail.length > 0 && plan[group.first.severity] === 0).length;
  const omitted = [
    hidden > 0 ? `${hidden} of ${countOf(diagnostics.length, "diagnostic")}` : "",
    frames > 0 ? `code frames of ${countOf(frames, "message")}` : "",
    left > 0 ? countOf(left, "other line") : "",
  ].filter((part) => part !== "").join(", ");
  const body = beside.text() === "" ? page.text() : `${page.text()}\n${beside.text()}`;
  const text = omitted === "" ? body : `${body}\n${note(`${omitted} left out`)}`;
  return { text, stderr: "", omitted, matchCount: diagnostics.length };
}

/** Where there are errors, warnings are what one looks at afterwards: a few are shown, the rest is counted. */
function withoutMinor(groups: readonly Group[]): readonly Group[] {
  const errors = groups.filter((group) => group.first.severity === "error");
  return errors.length === 0 ? groups : groups.slice(0, errors.length + MAX_WARNINGS_BESIDE_ERRORS);
}

const ORDER = { error: 0, warning: 1, note: 2 } as const;

/** What a message says of whatever it names. */
function ruleOf(text: string): string {
  return text.replace(/(['"`])[^'"`]*\1|‘[^’]*’/g, "'…'").replace(/\d+/g, "#");
}

function groupDiagnostics(diagnostics: readonly Diagnostic[], textOf: (each: Diagnostic) => string): Group[] {
  const groups = [...groupBy(diagnostics, (each) => `${each.severity} ${textOf(each)}`).values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const places = [...new Set(own.map((each) => each.place))].filter((place) => place !== first.place);
    return [{ first, places, total: own.length, isAlike: own.some(({ text }) => text !== first.text) }];
  });
  return groups.sort((a, b) => ORDER[a.first.severity] - ORDER[b.first.severity]);
}

function render({ first, places, total, isAlike }: Group, plan: Plan): string[] {
  const mostDetail = plan[first.severity];
  const repeats = total > 1 ? ` [×${total}]` : "";
  // A header without its place needs the line that holds it, even when frames are left out.
  const placeless = !first.header.includes(first.place);
  const detail = mostDetail > 0 ? cutDetail(first.detail, mostDetail) : placeless ? [`  ${first.place}`] : [];
  const named = joinPlaces(first.place, places.slice(0, plan.places));
  const more = places.length > plan.places ? ` and ${places.length - plan.places} more` : "";
  return [
    cutLine(first.header, MAX_LINE_CHARACTERS) + repeats,
    ...detail,
    ...(named !== "" ? [note(`${isAlike ? "alike:" : "also"} ${named}${more}`)] : []),
  ];
}

/** Places of one file follow its name. */
function joinPlaces(first: string, places: readonly string[]): string {
  const split = (place: string) => /^(.+?)([:(]\d.*)$/.exec(place)?.slice(1) ?? [place, ""];
  let last = split(first)[0];
  return places.map((place) => {
    const [file = place, position = ""] = split(place), isSame = file === last && position !== "";
    last = file;
    return isSame ? position : place;
  }).join(" ");
}

function cutDetail(detail: readonly string[], most: number): string[] {
  const kept = detail.slice(0, most).map((line) => cutLine(line, MAX_LINE_CHARACTERS));
  return detail.length > kept.length
    ? [...kept, note(`${countOf(detail.length - kept.length, "line")} of this message`)]
    : kept;
}
