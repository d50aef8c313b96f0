/** Tells the shell of a namespace what to run. @module */
import { quoteWord } from "../core/argv.ts";
import { LINGER_SCRIPT } from "./linger.ts";

/** What is run. */
export interface ScriptedCommand {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** An absolute path and its arguments. */
  readonly command: readonly string[];
  /** Whether what it leaves in the background has a moment to finish. */
  readonly lingers: boolean;
}

/** Variables that a shell sets itself, or does not let be set. */
const OWN_NAMES =
  /^(?:_|BASH.*|DIRSTACK|EUID|FUNCNAME|GROUPS|HISTCMD|IFS|LINENO|OLDPWD|OPT(?:ARG|ERR|IND)|PPID|PS\d|PWD|RANDOM|SECONDS|SHELLOPTS|SHLVL|UID)$/;

/** Whether a shell can pass this environment on as it is. */
export function isScriptable(env: Readonly<Record<string, string>>): boolean {
  return Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name) && !OWN_NAMES.test(name));
}

/** A script that a shell reads from its input; the command gets none. In braces, so that it is read before it begins. */
export function namespaceScript({ cwd, env, command, lingers }: ScriptedCommand): string {
  const words = command.map(quoteWord).join(" ");
  return [
    "{",
    "exec </dev/null",
    `cd -- ${quoteWord(cwd)} || exit`,
    "unset OLDPWD",
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quoteWord(value)}`),
    ...lingers ? [`set -- ${words}`, LINGER_SCRIPT] : [`exec ${words}`],
    "}\n",
  ].join("\n");
}
