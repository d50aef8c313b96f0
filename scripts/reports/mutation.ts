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

/** What came of a run. */
export interface MutationReport {
  /** Length of the run. */
  readonly seconds: number;
  readonly groups: readonly GroupFates[];
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
export function mutationDocument({ groups, seconds }: MutationReport): string {
  const { killed, counted, percent } = scoreOf(groups);
  const survivors = groups.flatMap(({ tried }) => tried.filter(({ fate }) => fate === "survived"));
  const equivalents = groups.flatMap((group) => group.equivalents);
  return `# Mutation check

Written by \`make mutation\`, which took ${
    Math.round(seconds / 60)
  } minutes. It changes the source in one small way at a
time and runs the unit tests of the changed file: a test that fails kills the mutant, a mutant that survives is something
that no test looks at. Of all mutants it takes the same ones every time, spread over files, operators and places.

Killed: **${killed} of ${counted}, ${percent.toFixed(1)} %**. The check fails under 95 %.

| part | files | mutants there are | tried | killed | without an end | survived | equivalent |
|---|---:|---:|---:|---:|---:|---:|---:|
${groups.map(groupRow).join("\n")}

| change | what it does | tried | killed |
|---|---|---:|---:|
${Object.entries(OPERATORS).map(([name, what]) => operatorRow(name, what, groups)).join("\n")}

Texts that people read (messages, hints) are not mutated, nor numbers over 5,000, which bound effort, nor where a loop over a
list ends, because one step further reads nothing. Tests were written for what survived in this choice and in a second one:
\`MUTATION_SEED=3 make mutation\` tries mutants that nobody has looked at.

## Survivors

${survivors.length === 0 ? "None." : survivors.map(({ mutant }) => `- \`${shownMutant(mutant)}\``).join("\n")}

## Equivalent mutants

They do the same as the source, so no test can notice them, and they do not count.

${
    equivalents.length === 0
      ? "None."
      : equivalents.map(({ mutant, reason }) => `- \`${shownMutant(mutant)}\`: ${reason}`).join("\n")
  }
`;
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
