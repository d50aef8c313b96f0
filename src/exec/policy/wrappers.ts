/** Programs whose arguments are another command: where that command begins. @module */
import { EXTERNAL_TE } from "../../config/programs.ts";
import type { Syntax } from "./words.ts";

/** One wrapper. */
export interface Wrapper extends Syntax {
  /** Operands that stand before the command. */
  readonly skip: number;
  /** `NAME=value` operands come before the command. */
  readonly assignments?: boolean;
  /** It does something without a command. */
  readonly optional?: boolean;
  /** It appends words that nobody knows beforehand. */
  readonly appends?: boolean;
  /** Options whose value is a line for a shell. */
  readonly shellOptions?: readonly string[];
  /** Options that take a command apart in a way of their own. */
  readonly refused?: readonly string[];
  /** Options that name a file or directory. */
  readonly paths?: readonly string[];
}

const wraps = (valued: string, extra: Partial<Wrapper> = {}): Wrapper => ({
  skip: 0,
  stopsAtOperand: true,
  valued,
  ...extra,
});

/** Wrappers by family. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: wraps("uCSa", {
    assignments: true,
    optional: true,
    valuedLong: ["--unset", "--chdir", "--split-string", "--argv0"],
    refused: ["-S", "--split-string"],
    paths: ["-C", "--chdir"],
  }),
  nice: wraps("n", { optional: true, valuedLong: ["--adjustment"] }),
  nohup: wraps(""),
  [EXTERNAL_TE]: wraps(""),
  timeout: wraps("ks", { skip: 1, valuedLong: ["--kill-after", "--signal"] }),
  setsid: wraps(""),
  stdbuf: wraps("ioe", { valuedLong: ["--input", "--output", "--error"] }),
  time: wraps("fo", { valuedLong: ["--format", "--output"], paths: ["-o", "--output"] }),
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
};

/** Shells whose `-c` scripts are read with the bash grammar. */
export const SHELLS: ReadonlySet<string> = new Set(["bash", "sh", "dash", "ash", "rbash", "ksh", "zsh", "mksh"]);
