/**
 * Generates docs/performance.md from the last full run of the benchmark; with --check only reports whether it is
 * outdated.
 * @module
 */
import type { Cell, FaultRow, ForeignTable, Report, Row } from "./reports/performance.ts";
import { HOW_FAST } from "./reports/how_fast.ts";
import { judge, multiples, tokenShare } from "./reports/targets.ts";
import { exists, print, ROOT } from "./project.ts";

const RESULTS = `${ROOT}/bench/results/bench.json`;
const DOCUMENT = `${ROOT}/docs/performance.md`;

const INTRODUCTION = `# Performance

Measured beside published servers and beside what the machine needs without any server. All take turns in one run, so
that what else the machine does hits all alike: compare figures within a row, not with those of another machine.

    make bench

measures everything again (ten to twenty minutes; npm brings the peers) and writes this page; \`deno task bench --quick\`
takes two minutes and writes nothing. A client of a hundred lines sends raw JSON-RPC, so its own time is small. The questions
of the code search are made from other people's sources and not part of this repository: its table is measured again where
\`RAG_BENCH\` names them. A table that is of another run, and so perhaps of another executable, says so.
`;

/** What other benchmarks are called on the page. */
const OTHERS: Readonly<Record<string, string>> = {
  code: "Symbols",
  bounds: "Ending, cancelling, answering",
  http: "HTTP under load",
  rag: "Code search",
  security: "Races and arguments",
};

/** The whole page. */
export function renderPerformance(report: Report): string {
  return [
    INTRODUCTION,
    machineLines(report),
    HOW_FAST,
    "## Time and memory\n\nBest / median / 95th percentile, in ms or MB; the median is held against the target.\n",
    rowTable(report, report.rows.filter(({ unit }) => unit === "ms" || unit === "MB"), showMeasure),
    multipleTable(report),
    "\n## Tokens\n\nOf o200k_base. Results are counted as they cross the wire; in brackets the calls that it took.\n",
    rowTable(report, report.rows.filter(hasTokens), showTokens),
    "\n## Nothing lost\n",
    rowTable(report, report.rows.filter(({ unit }) => unit === "count"), ({ count }) => group(count)),
    taskTable(report),
    faultTable(report),
    ...Object.entries(report.others).map(([name, rows]) => foreignTable(name, rows)),
    missedLines(report),
  ].join("\n");
}

function machineLines({ at, machine, contestants, missing, quick }: Report): string {
  const { cores, memoryGb, kernel, node } = machine;
  const peers = contestants.filter(({ key }) => !key.startsWith("ours"))
    .map(({ title, version }) => `${title} ${version}`);
  const on = `${cores} cores, ${memoryGb} GB, Linux ${kernel}, Node ${node.replace("v", "")}`;
  const without = missing.length > 0 ? ` Could not be had: ${missing.join(", ")}.` : "";
  return `Run of ${at} on ${on}${quick ? ", a quick run" : ""}; beside ${peers.join(", ")}.${without}${
    busyNote(machine)
  }\n`;
}

function busyNote({ cores, load, priority }: Report["machine"]): string {
  if (Math.max(...load) <= cores) return "";
  const first = priority
    ? "The servers went before them, but disk and caches are shared: times are somewhat high for everyone."
    : "Times are high for everyone.";
  return ` **Other programs kept the machine busy (load ${load.join(" before, ")} after).** ${first}`;
}

/** Rows as lines, contestants as columns; only those that have a figure in some row. */
function rowTable({ contestants }: Report, rows: readonly Row[], show: (cell: Cell) => string): string {
  const taking = contestants.filter(({ key }) => rows.some(({ cells }) => cells[key] !== undefined));
  const floored = rows.some(({ cells }) => cells.floor !== undefined) && show === showMeasure;
  const head = ["what", ...taking.map(({ title }) => title), ...floored ? ["floor"] : [], "target", "reached"];
  const lines = rows.map((row) => {
    const cells = taking.map(({ key }) => showOr(row.cells[key], show));
    const floor = floored
      ? [row.cells.floor === undefined ? "–" : `${showOr(row.cells.floor, show)} (${row.floor})`]
      : [];
    const judged = judge(row).filter(({ text }) => isAboutTokens(text) === (show === showTokens));
    const targets = judged.map(({ text }) => text).join("; ") || "–";
    return [row.what, ...cells, ...floor, targets, reachedText(judged)];
  });
  return table(head, lines);
}

/** Machines differ, and one of them differs from day to day. */
function multipleTable({ rows }: Report): string {
  const lines = multiples(rows).map(({ what, limit, ours }) => [
    what,
    limit.toPrecision(3),
    ours.toPrecision(3),
    ours <= limit ? "yes" : "**no**",
  ]);
  if (lines.length === 0) return "";
  return `\n## Targets in ms as multiples of the floor\n\nTargets in ms were set for one machine. As multiples of what the machine itself needs for a row, they can be held
against the figures of another one, or of a slow day.\n\n${
    table(["what", "target", "llmc-mcp here", "reached"], lines)
  }`;
}

function isAboutTokens(text: string): boolean {
  return /token|call/.test(text);
}

/** "yes", "no", or which of several are not reached. */
function reachedText(judged: readonly { text: string; reached: boolean | null }[]): string {
  const known = judged.filter(({ reached }) => reached !== null);
  if (known.length === 0) return "–";
  const missed = known.filter(({ reached }) => reached === false).map(({ text }) => text);
  if (missed.length === 0) return "yes";
  return known.length === 1 ? "**no**" : `**no**: ${missed.join("; ")}`;
}

function hasTokens({ unit, cells }: Row): boolean {
  return unit === "tokens" || Object.values(cells).some(({ tokens }) => tokens !== undefined);
}

function showOr(cell: Cell | undefined, show: (cell: Cell) => string): string {
  return cell === undefined ? "–" : cell.fault === undefined ? show(cell) : "failed";
}

function showMeasure({ min, median, p95 }: Cell): string {
  return median === undefined ? "–" : [min, median, p95].map(round).join(" / ");
}

function showTokens({ count, tokens, textTokens, calls }: Cell): string {
  if (tokens === undefined) return "–";
  if (count !== undefined) return `${group(textTokens)} of ${group(tokens)} before a model, ${count} tools`;
  return calls === undefined ? group(tokens) : `${group(tokens)} (${calls})`;
}

function taskTable(report: Report): string {
  const share = tokenShare(report);
  if (share === null) return "";
  const lines = report.tokenTasks.map(({ task, ours, peer }) => [
    task,
    `${group(ours.tokens)} (${ours.calls})`,
    `${group(peer.tokens)} (${peer.calls})`,
    percent(ours.tokens / peer.tokens),
  ]);
  const text = table(["task", "llmc-mcp", "Desktop Commander", "share"], lines);
  return `\n## Scripted tasks, all tokens\n\nTool list, calls and results of ${lines.length} tasks, in brackets the calls: ${
    percent(share)
  } of what Desktop Commander takes; the target is 25 %, ${share <= 0.25 ? "reached" : "**not reached**"}.\n\n${text}`;
}

function faultTable({ contestants, faults }: Report): string {
  if (faults.length === 0) return "";
  const taking = contestants.filter(({ key }) => faults.some(({ verdicts }) => verdicts[key] !== undefined));
  const lines = faults.map(({ title, verdicts }) => [title, ...taking.map(({ key }) => showVerdict(verdicts[key]))]);
  const wrong = taking.map(({ key }) => `**${faults.filter(({ verdicts }) => isWrong(verdicts[key])).length}**`);
  return `\n## Planted faults\n\nThe same situations for every server; the verdict is taken from the disk and from /proc, not from what the server
says. "soft" is right on disk without being flagged as an error; – is something that a server does not do at all.

${table(["situation", ...taking.map(({ title }) => title)], [...lines, ["**rows wrong**", ...wrong]])}`;
}

function isWrong(verdict: FaultRow["verdicts"][string] | undefined): boolean {
  return verdict?.verdict === "BAD";
}

function showVerdict(verdict: FaultRow["verdicts"][string] | undefined): string {
  if (verdict === undefined) return "–";
  return verdict.verdict === "BAD" ? `**BAD**, ${verdict.note}` : `${verdict.verdict}, ${verdict.note}`;
}

function foreignTable(name: string, { ownRun, rows }: ForeignTable): string {
  const lines = rows.map(({ what, figure, target, holds }) => [what, figure, target, holds ? "yes" : "**no**"]);
  const note = ownRun === null ? "" : `Of a run of its own, on ${ownRun}.\n\n`;
  return `\n## ${OTHERS[name] ?? name}\n\n${note}${table(["what", "measured", "target", "reached"], lines)}`;
}

/** Everything that is not reached, in one place, so that it cannot be overlooked. */
function missedLines({ rows, others }: Report): string {
  const own = rows.flatMap((row) =>
    judge(row).filter(({ reached }) => reached === false).map(({ text }) => `${row.what}: ${text}`)
  );
  const foreign = Object.values(others).flatMap(({ rows }) => rows).filter(({ holds }) => !holds)
    .map(({ what, target }) => `${what}: ${target}`);
  const missed = [...own, ...foreign];
  if (missed.length === 0) return "\n## Not reached\n\nNothing: every target was reached in this run.\n";
  return `\n## Not reached in this run\n\n${missed.map((line) => `- ${line}`).join("\n")}\n`;
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return `${[row(head), `|${"---|".repeat(head.length)}`, ...lines.map(row)].join("\n")}\n`;
}

function round(value = Number.NaN): string {
  return value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : group(Math.round(value));
}

function group(value = Number.NaN): string {
  return value.toLocaleString("en-US");
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

if (import.meta.main && await exists(RESULTS)) {
  const text = renderPerformance(JSON.parse(await Deno.readTextFile(RESULTS)));
  const current = await Deno.readTextFile(DOCUMENT).catch(() => "");
  if (current !== text && Deno.args.includes("--check")) {
    print("docs/performance.md is out of date: deno run -A scripts/generate_performance_docs.ts");
    Deno.exit(1);
  }
  if (current !== text) {
    await Deno.writeTextFile(DOCUMENT, text);
    print("wrote docs/performance.md");
  }
}
