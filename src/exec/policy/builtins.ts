/** The shell's own commands: which are harmless in a checked script, and which are not. @module */

/**
 * - `free`: cannot start a program.
 * - `inner`: its operands are a command (`command`, `exec`, `builtin`).
 * - `script`: its operands are shell source.
 * - `source`: its first operand is a file of shell source.
 * - `directory`: its operand is a directory.
 * - `names`: its operands are variables that it sets.
 * - string: refused, with this reason.
 */
export type Builtin = "free" | "inner" | "script" | "source" | "directory" | "names" | { readonly refused: string };

const FREE =
  ": true false echo printf test [ [[ pwd dirs set shift return exit break continue wait times type umask ulimit " +
  "kill jobs fg bg disown caller help shopt unalias popd let";

/** Every builtin of bash. */
export const BUILTINS: Readonly<Record<string, Builtin>> = {
  ...Object.fromEntries(FREE.split(" ").map((name) => [name, "free" as const])),
  command: "inner",
  builtin: "inner",
  exec: "inner",
  eval: "script",
  trap: "script",
  source: "source",
  ".": "source",
  cd: "directory",
  pushd: "directory",
  read: "names",
  mapfile: "names",
  readarray: "names",
  getopts: "names",
  export: "names",
  readonly: "names",
  local: "names",
  declare: "names",
  typeset: "names",
  unset: "names",
  alias: { refused: "an alias gives a command another name" },
  enable: { refused: "it loads builtins from files" },
  hash: { refused: "it can give a command another file" },
  bind: { refused: "it binds keys to commands" },
  complete: { refused: "it names commands that run later" },
  compgen: { refused: "it can run commands" },
  compopt: { refused: "it changes how commands complete" },
  coproc: { refused: "it runs a command that cannot be followed" },
  fc: { refused: "it runs commands from a history" },
  history: { refused: "it changes the history" },
  suspend: { refused: "the shell would stop until the deadline" },
  logout: { refused: "this is not a login shell" },
};
