/** Lists programs whose arguments are another command, and where that command begins. @module */
import { type Arguments, literals, readOptions, type Syntax, type Word } from "./options.ts";
import { baseName } from "./path.ts";

/** One wrapper. */
export interface Wrapper extends Syntax {
  /** Operands before the command. */
  readonly skip: number;
  /** `NAME=value` operands come before the command. */
  readonly assignments?: boolean;
  /** It does something without a command. */
  readonly optional?: boolean;
  /** It appends words that are known only at run time. */
  readonly appends?: boolean;
  /** Options whose value is a line for a shell. */
  readonly shellOptions?: readonly string[];
  /** Options that take a command apart in a way of their own. */
  readonly refused?: readonly string[];
  /** Options that name a file or directory. */
  readonly paths?: readonly string[];
  /** Options with which it only says what a command is. */
  readonly asks?: readonly string[];
  /** It runs what a project has installed: the list does not have to name that. */
  readonly project?: boolean;
}

const wraps = (valued: string, extra: Partial<Wrapper> = {}): Wrapper => ({
  skip: 0,
  stopsAtOperand: true,
  valued,
  ...extra,
});
const project = (valuedLong = ""): Wrapper =>
  wraps("pC", { project: true, optional: true, valuedLong: valuedLong.split(" ") });

/** Wrappers by name; those with two words by both. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: wraps("uCSa", {
    assignments: true,
    optional: true,
    valuedLong: ["--unset", "--chdir", "--split-string", "--argv0"],
    refused: ["-S", "--split-string"],
    paths: ["-C", "--chdir"],
  }),
  command: wraps("", { optional: true, asks: ["-v", "-V"] }),
  builtin: wraps("", { optional: true }),
  exec: wraps("a", { optional: true }),
  nice: wraps("n", { optional: true, valuedLong: ["--adjustment"] }),
  nohup: wraps(""),
  /** The program of `mcp.te.script_path`. */
  "te-script": wraps(""),
  timeout: wraps("ks", { skip: 1, valuedLong: ["--kill-after", "--signal"] }),
  setsid: wraps(""),
  stdbuf: wraps("ioe", { valuedLong: ["--input", "--output", "--error"] }),
  time: wraps("fo", { optional: true, valuedLong: ["--format", "--output"], paths: ["-o", "--output"] }),
  ionice: wraps("cnpPu", { optional: true, valuedLong: ["--class", "--classdata", "--pid", "--pgid", "--uid"] }),
  chrt: wraps("TPD", { skip: 1, optional: true }),
  taskset: wraps("", { skip: 1, optional: true }),
  flock: wraps("wEc", {
    skip: 1,
    optional: true,
    valuedLong: ["--timeout", "--wait", "--conflict-exit-code", "--command"],
    shellOptions: ["-c", "--command"],
  }),
  xargs: wraps("adEILnPs", {
    optional: true,
    appends: true,
    valuedLong: ["--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--process-slot-var"],
    paths: ["-a", "--arg-file"],
  }),
  sudo: wraps("CDghpRrtTuU", { assignments: true, refused: ["-s", "--shell", "-i", "--login", "-e", "--edit"] }),
  doas: wraps("Cu", { refused: ["-s"] }),
  npx: project("--package"),
  bunx: project(),
  pnpx: project(),
  uvx: project("--from --with"),
  "bun x": project(),
  "uv run": project("--with --python --project --directory"),
  "poetry run": project(),
  "pipenv run": project(),
  "pnpm exec": project(),
  "pnpm dlx": project("--package"),
  "yarn exec": project(),
  "bundle exec": project(),
};

/** Shells: what follows `-c` is source. */
export const SHELLS: ReadonlySet<string> = new Set(["bash", "sh", "dash", "ash", "rbash", "ksh", "zsh", "mksh"]);

/** A wrapper's command line taken apart. */
export interface Wrapped {
  readonly wrapper: Wrapper;
  readonly options: Arguments["options"];
  /** `NAME=value` before the command. */
  readonly assignments: readonly Word[];
  /** Everything before the command. */
  readonly before: readonly Word[];
  /** Empty when there is none. */
  readonly command: readonly Word[];
}

/** @param name Of the program that `words` begins with, without its path. @returns null when it is not a wrapper. */
export function readWrapped(name: string, words: readonly Word[]): Wrapped | null {
  const two = `${name} ${words[1]?.text}`, pair = Object.hasOwn(WRAPPERS, two);
  const wrapper = pair ? WRAPPERS[two] : Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (!wrapper) return null;
  const { options, operands } = readOptions(words.slice(pair ? 2 : 1), wrapper);
  let begins = wrapper.skip;
  while (wrapper.assignments && (operands[begins]?.text.indexOf("=") ?? -1) > 0) begins++;
  const command = options.some(({ name: option }) => wrapper.asks?.includes(option)) ? [] : operands.slice(begins);
  return {
    wrapper,
    options,
    assignments: operands.slice(wrapper.skip, begins),
    before: words.slice(1, words.length - command.length),
    command,
  };
}

/** The command inside a wrapper, for words that are literal; null when there is no wrapper around one. */
export function innerCommand(words: readonly string[]): readonly string[] | null {
  const wrapped = readWrapped(baseName(words[0] ?? ""), literals(words));
  return wrapped && wrapped.command.length > 0 ? wrapped.command.map(({ text }) => text) : null;
}
