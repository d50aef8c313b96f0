/** The rules about environment variables: which names decide what code a program loads or runs. @module */
import { OpsError } from "../../core/error.ts";

/** One row. */
interface EnvRule {
  readonly names: RegExp;
  readonly reason: string;
  /** Values that are harmless all the same. */
  readonly values?: RegExp;
  /** Of importance only to programs that are started: a variable of the shell alone may have the name. */
  readonly exported?: boolean;
  /** The value is a list of directories: allowed where the kernel holds the program, when all lie in the roots. */
  readonly directories?: boolean;
}

/** The first row that fits decides; a name that fits none is free. */
const ENV_RULES: readonly (EnvRule | { readonly free: RegExp })[] = [
  { free: /^PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|IOENCODING|UTF8|FAULTHANDLER|NOUSERSITE|ASYNCIODEBUG)$/ },
  { free: /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$/ },
  { names: /^(?:LD|DYLD)_|_PRELOAD$|^GCONV_PATH$|^GLIBC_TUNABLES$|^LOCPATH$/, reason: "the loader runs code from it" },
  { names: /^PATH$/, reason: "it decides which file a command is" },
  { names: /^(?:IFS|CDPATH|GLOBIGNORE)$/, reason: "it changes how a shell reads", exported: true },
  { names: /^(?:BASH_ENV|ENV|ZDOTDIR|INPUTRC)$/, reason: "a shell runs the file that it names" },
  {
    names: /^(?:SHELLOPTS|BASHOPTS|PS[0-4]|PROMPT_COMMAND|BASH_(?:LOADABLES_PATH|XTRACEFD|FUNC_.*|ALIASES|CMDS))$/,
    reason: "a shell runs code from it",
  },
  { names: /^(?:PYTHONPATH|NODE_PATH)$/, reason: "code is loaded from it", directories: true, exported: true },
  { names: /^PYTHON[A-Z]+$/, reason: "Python runs code from it, or loads other code", exported: true },
  {
    names: /^(?:PERL5|PERLLIB|RUBYOPT|RUBYLIB|NODE_OPTIONS|LUA_INIT|AWKPATH|AWKLIBPATH)/,
    reason: "an interpreter runs code from it",
    exported: true,
  },
  {
    names: /^(?:JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS)$/,
    reason: "Java loads agents from it",
    exported: true,
  },
  {
    names: /^GIT_/,
    reason: "git runs programs from it, or reads another repository",
    values: /^(?:cat|true|:|)$/,
    exported: true,
  },
  { names: /^SSH_/, reason: "ssh runs programs from it", exported: true },
  {
    names: /PAGER$|^(?:BROWSER|LESSOPEN|LESSCLOSE)$/,
    reason: "programs run what it names",
    values: /^(?:cat|)$/,
    exported: true,
  },
  {
    names: /^(?:EDITOR|VISUAL|FCEDIT|SUDO_EDITOR)$/,
    reason: "programs run what it names",
    values: /^(?:cat|true|:|)$/,
    exported: true,
  },
  {
    names:
      /^(?:RIPGREP_CONFIG_PATH|TAR_OPTIONS|GREP_OPTIONS|GREP_COLORS?|GZIP|ZIPOPT|MAKEFLAGS|MAKEFILES|GNUMAKEFLAGS)$/,
    reason: "it adds arguments that nobody checked",
    exported: true,
  },
  {
    names: /_RSH$|^SVN_SSH$|^(?:RUSTC_WRAPPER|CARGO_BUILD_RUSTC_WRAPPER|npm_config_(?:script_shell|shell|git))$/i,
    reason: "programs run what it names",
    exported: true,
  },
  { names: /^LLMC_/, reason: "the server itself sets such names" },
];

/** What is known of a variable that is about to be set. */
export interface EnvAssignment {
  readonly name: string;
  /** Null when it is not known beforehand. */
  readonly value: string | null;
  /** Whether programs that are started will see it. */
  readonly exported: boolean;
}

/**
 * Checks one assignment.
 *
 * @returns Directories in the value that must lie in the roots.
 * @throws OpsError COMMAND_NOT_ALLOWED with the name and the reason.
 */
export function checkEnv({ name, value, exported }: EnvAssignment, confined: boolean): readonly string[] {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new OpsError("INVALID_ARGUMENT", `'${name}' is not the name of an environment variable`);
  }
  for (const rule of ENV_RULES) {
    if ("free" in rule) {
      if (rule.free.test(name)) return [];
      continue;
    }
    if (!rule.names.test(name) || rule.exported && !exported) continue;
    if (value !== null && rule.values?.test(value)) return [];
    if (rule.directories && confined) return value === null ? [] : value.split(":").filter((entry) => entry !== "");
    throw new OpsError(
      "COMMAND_NOT_ALLOWED",
      `the variable ${name} may not be set: ${rule.reason}`,
      "Leave it out, or pass what it says as an argument.",
    );
  }
  return [];
}

/** Whether a shell variable of this name changes how the shell itself finds or runs commands. */
export function isShellVariable(name: string): boolean {
  return ENV_RULES.some((rule) => !("free" in rule) && rule.exported !== true && rule.names.test(name));
}
