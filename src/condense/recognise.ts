/** Finds the program whose output a command shows, through wrappers, `bash -c` and pipelines. @module */
import { readScript } from "../core/shell/script.ts";
import { innerCommand } from "../core/wrappers.ts";
import { subcommandOf, unwrap } from "./unwrap.ts";

/** What the output of a program looks like; "build" is anything that may run tests or a compiler. */
export type Kind =
  | "grep"
  | "read"
  | "listing"
  | "git"
  | "table"
  | "tests"
  | "diagnostics"
  | "json"
  | "log"
  | "build"
  | "unknown";

/** The program that produced the output. */
export interface Recognised {
  readonly kind: Kind;
  /** Base name, e.g. "rg". */
  readonly program: string;
  /** Its first argument that is no option, for programs that have subcommands ("git", "cargo"), else "". */
  readonly subcommand: string;
  readonly args: readonly string[];
  /** Programs behind it in the pipeline that only chose lines: "head", "tail", "sort", "grep" … */
  readonly filters: readonly string[];
}

const kinds = (kind: Kind, names: string): [string, Kind][] => names.split(" ").map((name) => [name, kind]);

/** By program, or by program and subcommand, which is looked up first. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...kinds("grep", "rg grep egrep fgrep ag ack zgrep"),
  ["git grep", "grep"],
  ...kinds("read", "cat head tail bat batcat nl sed less more zcat"),
  ...kinds("listing", "ls find fd fdfind tree dir eza exa"),
  ["git ls-files", "listing"],
  ...kinds("git", "git"),
  ...kinds("table", "ps df du docker podman kubectl netstat ss lsof lsblk free top systemctl mount pip iostat vmstat"),
  ...kinds("tests", "pytest py.test jest vitest mocha unittest ava nextest"),
  ["deno test", "tests"],
  ["go test", "tests"],
  ["cargo test", "tests"],
  ["cargo nextest", "tests"],
  ...kinds(
    "diagnostics",
    "tsc eslint gcc g++ cc c++ clang clang++ rustc mypy ruff flake8 pylint pyright shellcheck javac",
  ),
  ["deno check", "diagnostics"],
  ["deno lint", "diagnostics"],
  ["go build", "diagnostics"],
  ["go vet", "diagnostics"],
  ["cargo build", "diagnostics"],
  ["cargo check", "diagnostics"],
  ["cargo clippy", "diagnostics"],
  ...kinds("build", "make ninja cmake npm pnpm yarn bun tox nox gradle mvn just deno node cargo go python python3"),
  ...kinds("json", "jq"),
  ...kinds("log", "journalctl dmesg"),
  ["docker logs", "log"],
  ["podman logs", "log"],
  ["kubectl logs", "log"],
  ["docker compose", "log"],
]);

/** Shell commands that print nothing of interest. */
const QUIET = new Set(
  "cd export set unset source . true : mkdir rm cp mv touch sleep pushd popd umask test [ wait".split(" "),
);
/** Programs that choose or order lines of their input and change none. */
const FILTERS = new Set("head tail sort uniq tee less more cat grep egrep rg column".split(" "));

/**
 * Recognises the producer of a command's output.
 *
 * @param argv Program and arguments; a shell command line is `["bash", "-c", line]`.
 * @returns null when several programs print one after the other, or a later one changed the lines.
 */
export function recogniseCommand(argv: readonly string[]): Recognised | null {
  const words = unwrap(argv);
  const line = shellLine(words);
  if (line === undefined) return recogniseStage(words, []);
  const loud = pipelinesOf(line).filter(prints);
  const [pipeline, ...others] = loud;
  if (pipeline === undefined || others.length > 0) return null;
  return recognisePipeline(pipeline);
}

/** The script of `sh -c SCRIPT`, also with options joined as in `bash -lc`. */
function shellLine(words: readonly string[]): string | undefined {
  if (!/^(?:ba|da|z|k)?sh$/.test(words[0] ?? "")) return undefined;
  const flag = words.findIndex((word, i) => i > 0 && /^-[a-z]*c$/.test(word));
  return flag < 0 ? undefined : words[flag + 1];
}

/** Stages joined by `|`, and the operator before them. */
interface Pipeline {
  readonly operator: string;
  readonly stages: { readonly words: readonly string[]; readonly silent: boolean }[];
}

/** None for a script that cannot be followed: loops, conditions, functions, what does not parse. */
function pipelinesOf(line: string): Pipeline[] {
  const { commands, compound } = readScript(line);
  if (compound) return [];
  const pipelines: Pipeline[] = [];
  for (const { words, redirects, operator } of commands.filter(({ nested, words }) => !nested && words.length > 0)) {
    const silent = redirects.some((redirect) => /^>{1,2}\|?$|^&>/.test(redirect.operator));
    const stage = { words: words.map(({ text }) => text), silent };
    if (operator.startsWith("|") && operator !== "||") pipelines.at(-1)?.stages.push(stage);
    else pipelines.push({ operator, stages: [stage] });
  }
  return pipelines;
}

function prints(pipeline: Pipeline): boolean {
  const last = pipeline.stages.at(-1);
  if (last === undefined || last.silent) return false;
  const program = unwrap(last.words)[0] ?? "";
  if (pipeline.operator === "||" && program === "echo") return false;
  return !QUIET.has(program) && program !== "";
}

function recognisePipeline(pipeline: Pipeline): Recognised | null {
  const filters: string[] = [];
  for (let i = pipeline.stages.length - 1; i >= 0; i--) {
    const words = unwrap(pipeline.stages[i]?.words ?? []);
    if (i === 0 || !isFilter(words)) {
      if (i < pipeline.stages.length - 1 || i === 0 || startsOutput(words)) return recogniseStage(words, filters);
      return null;
    }
    filters.unshift(words[0] ?? "");
  }
  return null;
}

/** Whether a later stage prints something of its own kind, whatever it reads: `… | xargs grep x`, `… | jq .`. */
function startsOutput(words: readonly string[]): boolean {
  return words[0] === "jq" || words[0] === "xargs" || KINDS.get(words[0] ?? "") === "diagnostics";
}

function isFilter(words: readonly string[]): boolean {
  const program = words[0] ?? "";
  if (!FILTERS.has(program)) return false;
  if (program === "uniq") return !words.includes("-c");
  return !/^e?grep$|^rg$/.test(program) || !words.some((word) => /^-[a-zA-Z]*[cno]/.test(word));
}

function recogniseStage(words: readonly string[], filters: readonly string[]): Recognised | null {
  const program = words[0] ?? "";
  if (program === "xargs") return recogniseStage(unwrap(innerCommand(words) ?? []), filters);
  const args = words.slice(1);
  const subcommand = subcommandOf(program, args);
  const kind = KINDS.get(`${program} ${subcommand}`) ?? KINDS.get(program);
  if (kind === undefined) return { kind: "unknown", program, subcommand, args, filters };
  if (program === "rg" && args.includes("--files")) return { kind: "listing", program, subcommand, args, filters };
  if (program === "sed" && !args.includes("-n")) return null;
  return { kind, program, subcommand, args, filters };
}
