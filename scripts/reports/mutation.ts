/** Generates docs/mutation.md from the results of all mutants. @module */

/** What a change does. */
export type Operator =
  | "negate a condition"
  | "move a boundary"
  | "swap and with or"
  | "remove a statement"
  | "drop an element"
  | "change a constant"
  | "empty a string"
  | "drop an anchor"
  | "swap least and most";

/** One change of one source. */
export interface Mutant {
  readonly path: string;
  readonly operator: Operator;
  /** From 1. */
  readonly line: number;
  /** What is replaced, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The text that is replaced. */
  readonly original: string;
  /** The line in which it begins, without blanks around. */
  readonly context: string;
}

/** What became of a mutant: tests failed, they did not come to an end, or nothing noticed it. */
export type Fate = "killed" | "timed out" | "survived";

/** What a run found in one group. */
export interface GroupFates {
  readonly name: string;
  /** Files that were mutated. */
  readonly files: number;
  /** How many mutants there are in all, of which some were tried. */
  readonly possible: number;
  readonly tried: readonly Tried[];
  readonly equivalents: readonly { readonly mutant: Mutant; readonly reason: string }[];
}

/** A mutant and what became of it. */
export interface Tried {
  readonly mutant: Mutant;
  readonly fate: Fate;
}

/** What came of one seed. */
export interface SeedRun {
  /** Drawn by chance, so that nobody has looked at its mutants before. */
  readonly seed: number;
  /** When it began, as a date. */
  readonly date: string;
  /** Parts that were tried; a run may be made of several. */
  readonly groups: readonly GroupFates[];
}

/** The last seeds, the newest first. */
export interface MutationReport {
  readonly runs: readonly SeedRun[];
}

/** Seeds that are kept. */
const KEPT_RUNS = 3;

/** Adds a run, or what one more piece of it found. */
export function withRun({ runs }: MutationReport, run: SeedRun): MutationReport {
  const before = runs.find(({ seed }) => seed === run.seed), names = new Set(run.groups.map(({ name }) => name));
  const groups = [...before?.groups.filter(({ name }) => !names.has(name)) ?? [], ...run.groups];
  const whole = { ...run, date: before?.date ?? run.date, groups };
  return { runs: [whole, ...runs.filter(({ seed }) => seed !== run.seed)].slice(0, KEPT_RUNS) };
}

/** What each operator does, in the order of the document. */
const OPERATORS: Readonly<Record<Operator, string>> = {
  "negate a condition": "`if (x)` becomes `if (!x)`, `===` becomes `!==`",
  "move a boundary": "`<` becomes `<=`, `>=` becomes `>`",
  "swap and with or": "`&&` becomes `||`",
  "remove a statement": "a call, an assignment, a `throw`, an early `return`, `break` or `continue` is missing",
  "drop an element": "a row of a table, an option of a rule, a word of a list is missing",
  "change a constant": "a number is one higher (a fraction twice as high), `true` becomes `false`",
  "empty a string": "a text that decides something is empty",
  "drop an anchor": "`^` or `$` is missing in a regular expression",
  "swap least and most": "`Math.min` becomes `Math.max`",
};

/** Mutants that count, and how many of them tests noticed. */
export function scoreOf(groups: readonly GroupFates[]): { killed: number; counted: number; percent: number } {
  const all = groups.flatMap(({ tried }) => tried);
  const killed = all.filter(({ fate }) => fate !== "survived").length;
  return { killed, counted: all.length, percent: all.length === 0 ? 100 : killed / all.length * 100 };
}

/** How one mutant is shown. */
export function shownMutant({ path, line, operator, original, replacement }: Mutant): string {
  const short = (text: string) => JSON.stringify(text.length > 70 ? `${text.slice(0, 69)}…` : text);
  return `${path}:${line}: ${operator}: ${short(original)} → ${short(replacement)}`;
}

/** The document. */
export function mutationDocument({ runs }: MutationReport): string {
  const groups = runs[0]?.groups ?? [];
  const survivors = runs.flatMap(({ seed, groups }) =>
    groups.flatMap(({ tried }) => tried).filter(({ fate }) => fate === "survived")
      .map(({ mutant }) => `- \`${shownMutant(mutant)}\` (seed ${seed})`)
  );
  const equivalents = new Set(
    runs.flatMap((run) => run.groups).flatMap((group) =>
      group.equivalents.map(({ mutant, reason }) => `- \`${shownMutant(mutant)}\`: ${reason}`)
    ),
  );
  return `# Mutation check

Written by \`make mutation\`. It changes the source in one small way at a time and runs the unit tests of the changed file: a
test that fails kills the mutant, a mutant that survives is something that no test looks at. Each run draws a seed, which it
prints, and takes other mutants, spread over files, operators and places. The check fails under 95 %.

| seed | begun | parts | tried | killed | |
|---:|---|---:|---:|---:|---:|
${runs.map(runRow).join("\n")}

Of the newest:

| part | files | mutants there are | tried | killed | without an end | survived | equivalent |
|---|---:|---:|---:|---:|---:|---:|---:|
${groups.map(groupRow).join("\n")}

| change | what it does | tried | killed |
|---|---|---:|---:|
${Object.entries(OPERATORS).map(([name, what]) => operatorRow(name, what, groups)).join("\n")}

Texts that people read (messages, hints) are not mutated, nor numbers over 5,000, which bound effort, nor where a loop over a
list ends, because one step further reads nothing. \`MUTATION_SEED=N make mutation\` tries the mutants of one seed again.

## Survivors

Of each seed when it was drawn; tests have been written for them since.

${survivors.length === 0 ? "None." : survivors.join("\n")}

## Equivalent mutants

They do the same as the source, so no test can notice them, and they do not count.

${equivalents.size === 0 ? "None." : [...equivalents].join("\n")}
`;
}

function runRow({ seed, date, groups }: SeedRun): string {
  const { killed, counted, percent } = scoreOf(groups);
  return `| ${seed} | ${date} | ${groups.length} | ${counted} | ${killed} | ${percent.toFixed(1)} % |`;
}

function groupRow({ name, files, possible, tried, equivalents }: GroupFates): string {
  const count = (wanted: Fate) => tried.filter(({ fate }) => fate === wanted).length;
  const figures = [
    files,
    possible,
    tried.length,
    count("killed"),
    count("timed out"),
    count("survived"),
    equivalents.length,
  ];
  return `| ${[name, ...figures.map((figure) => figure.toLocaleString("en"))].join(" | ")} |`;
}

function operatorRow(name: string, what: string, groups: readonly GroupFates[]): string {
  const all = groups.flatMap(({ tried }) => tried).filter(({ mutant }) => mutant.operator === name);
  return `| ${name} | ${what} | ${all.length} | ${all.filter(({ fate }) => fate !== "survived").length} |`;
}
