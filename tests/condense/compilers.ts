/** Generates the output of compilers and linters. @module */
import type { Random } from "../support/random.ts";

/** One diagnostic as its tool prints it, and the line by which it is recognised in a digest. */
export interface Report {
  readonly lines: readonly string[];
  readonly severity: "error" | "warning";
}

/** A compiler or linter. */
export interface Tool {
  readonly command: string;
  /** Where the tool writes. */
  readonly stream?: "stderr";
  /** Recognises the first line of a diagnostic in a digest. */
  readonly head: RegExp;
  readonly report: (random: Random, place: number) => Report;
  /** Lines before and behind the diagnostics. */
  readonly before?: readonly string[];
  readonly behind?: (reports: readonly Report[]) => readonly string[];
}

const count = (reports: readonly Report[], severity: Report["severity"]): number =>
  reports.filter((each) => each.severity === severity).length;
/** An error or a warning. */
export const severityOf = ({ pick }: Random): Report["severity"] => pick(["error", "warning"] as const);

/** The form of gcc, and of all that imitate it: a header, then the line of code and a caret. */
export function gnu(random: Random, n: number, frame: boolean): Report {
  const severity = severityOf(random), file = `src/a${random.below(9)}.c`;
  const header = `${file}:${n}:5: ${severity}: unused variable 'v${random.below(6)}' [-Wunused-variable]`;
  const code = [`  ${n} |   int v = ${n};`, "    |       ^"];
  const hint = random.chance(0.3) ? [`${file}:${n}:1: note: declared here`, ...code] : [];
  return { severity, lines: [header, ...frame ? code : [], ...hint] };
}

/** The form of rustc, which cargo passes on. */
function rust(random: Random, n: number): Report {
  const severity = severityOf(random);
  const header = severity === "error"
    ? `error[E0308]: mismatched types ${random.below(6)}`
    : `warning: unused variable: \`v${random.below(6)}\``;
  return {
    severity,
    lines: [
      header,
      ` --> src/m${random.below(9)}.rs:${n}:9`,
      "  |",
      `${n} |     let v = ${n};`,
      "  |         ^ expected `String`, found integer",
      ...random.chance(0.3) ? ["  = note: expected struct `String`", "help: try this", ` --> src/lib.rs:${n}:3`] : [],
      "",
    ],
  };
}

/** Compilers and linters whose output is condensed. */
export const TOOLS: readonly Tool[] = [
  {
    command: "tsc",
    head: /^src\/m\d+\.ts\(/,
    report: ({ below }, n) => ({
      severity: "error",
      lines: [`src/m${below(9)}.ts(${n},7): error TS2322: Type 'string' is not assignable to type '${below(6)}'.`],
    }),
  },
  {
    command: "tsc --pretty",
    head: /^src\/m\d+\.ts:\d/,
    report: ({ below }, n) => ({
      severity: "error",
      lines: [
        `src/m${below(9)}.ts:${n}:7 - error TS2322: Type 'string' is not assignable to type '${below(6)}'.`,
        "",
        `${n} const a: number = "x";`,
        "        ~",
        "",
      ],
    }),
    behind: (all) => [`Found ${all.length} errors in 9 files.`, "", "Errors  Files", "     3  src/m1.ts:1"],
  },
  {
    command: "gcc -c a.c",
    stream: "stderr",
    head: /^src\/a\d\.c:\d+:5: /,
    report: (random, n) => gnu(random, n, true),
    before: ["src/a1.c: In function 'main':"],
  },
  {
    command: "clang -c a.c",
    stream: "stderr",
    head: /^src\/a\d\.c:\d+:5: /,
    report: (random, n) => gnu(random, n, random.chance(0.5)),
    behind: (all) => [`${count(all, "warning")} warnings and ${count(all, "error")} errors generated.`],
  },
  {
    command: "rustc src/main.rs",
    stream: "stderr",
    head: /^(?:error|warning)(?:\[E\d+\])?: (?:mismatched|unused)/,
    report: rust,
  },
  {
    command: "cargo build",
    stream: "stderr",
    head: /^(?:error|warning)(?:\[E\d+\])?: (?:mismatched|unused)/,
    report: rust,
    before: ["   Compiling shop v0.1.0 (/src)"],
    behind: (all) => [
      "For more information about this error, try `rustc --explain E0308`.",
      `warning: \`shop\` (bin "shop") generated ${
        count(all, "warning")
      } warnings (run \`cargo fix\` to apply 3 suggestions)`,
      `error: could not compile \`shop\` (bin "shop") due to ${count(all, "error")} previous errors; ` +
      `${count(all, "warning")} warnings emitted`,
    ],
  },
  {
    command: "go vet ./...",
    stream: "stderr",
    head: /^(?:vet: )?calc\/f\d\.go:\d/,
    report: ({ below }, n) => ({
      severity: "error",
      lines: [`calc/f${below(9)}.go:${n}:28: cannot use ${below(6)} (untyped int constant) as string value`],
    }),
    before: ["# example.org/app/calc"],
  },
  {
    command: "deno lint",
    stream: "stderr",
    head: /^error\[no-unused-vars\]/,
    report: (random, n) => ({
      severity: "error",
      lines: [
        `error[no-unused-vars]: \`v${random.below(6)}\` is never used`,
        ` --> /src/m${random.below(9)}.ts:${n}:7`,
        "  | ",
        `${n} | const v = 5;`,
        "  |       ^",
        "  = hint: If this is intentional, prefix it with an underscore",
        "",
        "  docs: https://docs.deno.com/lint/rules/no-unused-vars",
        "",
        "",
      ],
    }),
    behind: (all) => [`Found ${all.length} problems`, "Checked 9 files"],
  },
  {
    command: "deno check",
    stream: "stderr",
    head: /^TS\d+ \[ERROR\]/,
    report: (random, n) => ({
      severity: "error",
      lines: [
        `TS2322 [ERROR]: Type '${random.below(6)}' is not assignable to type 'string'.`,
        "  return a;",
        "  ~~~~~~",
        `    at file:///src/m${random.below(9)}.ts:${n}:3`,
        "",
      ],
    }),
    before: ["Check m1.ts"],
    behind: (all) => [`Found ${all.length} errors.`, "", "error: Type checking failed."],
  },
  {
    command: "mypy src",
    head: /^src\/m\d\.py:\d/,
    report: ({ below }, n) => ({
      severity: "error",
      lines: [`src/m${below(9)}.py:${n}: error: Incompatible return value type ${below(6)}  [return-value]`],
    }),
    behind: (all) => [`Found ${all.length} errors in 9 files (checked 20 source files)`],
  },
  {
    command: "ruff check --output-format concise",
    head: /^src\/m\d\.py:\d/,
    report: ({ below }, n) => ({
      severity: "error",
      lines: [`src/m${below(9)}.py:${n}:1: F401 'os${below(6)}' imported but unused`],
    }),
    behind: (all) => [`Found ${all.length} errors.`, "[*] 3 fixable with the `--fix` option."],
  },
  {
    command: "pylint src",
    head: /^src\/m\d\.py:\d/,
    report: ({ below }, n) => ({
      severity: "warning",
      lines: [`src/m${below(9)}.py:${n}:0: C0116: Missing function docstring ${below(6)} (missing-function-docstring)`],
    }),
    before: ["************* Module src.m1"],
    behind: () => ["", "-".repeat(40), "Your code has been rated at 3.10/10"],
  },
];
