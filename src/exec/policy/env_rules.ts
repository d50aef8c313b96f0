/** Lists rules for environment variables: which names decide what code a program loads or runs. @module */
import { OpsError } from "../../core/error.ts";

/** One row. */
interface EnvRule {
  readonly names: RegExp;
  readonly reason: string;
  /** Values that are harmless all the same. */
  readonly values?: RegExp;
  /** Refused although the kernel holds the program. */
  readonly ours?: boolean;
  /** The value is a list of directories: allowed where the kernel holds the program, when all lie in the roots. */
  readonly directories?: boolean;
}

/** The first row that fits decides; a name that fits none is free. */
const ENV_RULES: readonly (EnvRule | { readonly free: RegExp })[] = [
  { free: /^PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|IOENCODING|UTF8|FAULTHANDLER|NOUSERSITE|ASYNCIODEBUG)$/ },
  { free: /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$/ },
  { names: /^(?:LD|DYLD)_|_PRELOAD$|^GCONV_PATH$|^GLIBC_TUNABLES$|^LOCPATH$/, reason: "the loader runs code from it" },
  { names: /^PATH$/, reason: "it decides which file a command is" },
  { names: /^(?:IFS|CDPATH|GLOBIGNORE)$/, reason: "it changes how a shell parses commands" },
  { names: /^(?:BASH_ENV|ENV|ZDOTDIR|INPUTRC)$/, reason: "a shell runs the file that it names" },
  {
    names: /^(?:SHELLOPTS|BASHOPTS|PS[0-4]|PROMPT_COMMAND|BASH_(?:LOADABLES_PATH|XTRACEFD|FUNC_.*|ALIASES|CMDS))$/,
    reason: "a shell runs code from it",
  },
  { names: /^(?:PYTHONPATH|NODE_PATH)$/, reason: "code is loaded from it", directories: true },
  { names: /^PYTHON[A-Z]+$/, reason: "Python runs code from it, or loads other code" },
  {
    names: /^(?:PERL5|PERLLIB|RUBYOPT|RUBYLIB|NODE_OPTIONS|LUA_INIT|AWKPATH|AWKLIBPATH)/,
    reason: "an interpreter runs code from it",
  },
  {
    names: /^(?:JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS)$/,
    reason: "Java loads agents from it",
  },
  {
    names: /^GIT_/,
    reason: "git runs programs from it, or reads another repository",
    values: /^(?:cat|true|:|)$/,
  },
  { names: /^SSH_/, reason: "ssh runs programs from it" },
  {
    names: /PAGER$|^(?:BROWSER|LESSOPEN|LESSCLOSE)$/,
    reason: "programs run what it names",
    values: /^(?:cat|)$/,
  },
  {
    names: /^(?:EDITOR|VISUAL|FCEDIT|SUDO_EDITOR)$/,
    reason: "programs run what it names",
    values: /^(?:cat|true|:|)$/,
  },
  {
    names:
      /^(?:RIPGREP_CONFIG_PATH|TAR_OPTIONS|GREP_OPTIONS|GREP_COLORS?|GZIP|ZIPOPT|MAKEFLAGS|MAKEFILES|GNUMAKEFLAGS)$/,
    reason: "it adds arguments that are not checked",
  },
  {
    names: /_RSH$|^SVN_SSH$|^(?:RUSTC_WRAPPER|CARGO_BUILD_RUSTC_WRAPPER|npm_config_(?:script_shell|shell|git))$/i,
    reason: "programs run what it names",
  },
  { names: /^LLMC_/, reason: "the server itself sets such names", ours: true },
];

/** What is known of a variable that is about to be set. */
export interface EnvAssignment {
  readonly name: string;
  /** Null when it is not known in advance. */
  readonly value: string | null;
}

/**
 * Checks one assignment.
 *
 * @param confined Whether namespaces hold the program; `kernel` where nothing is left to rules. *
 * @returns Directories in the value that must lie in the roots.
 * @throws OpsError COMMAND_NOT_ALLOWED with the name and the reason.
 */
export function checkEnv({ name, value }: EnvAssignment, confined: boolean | "kernel"): readonly string[] {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new OpsError("INVALID_ARGUMENT", `'${name}' is not the name of an environment variable`);
  }
  for (const rule of ENV_RULES) {
    if ("free" in rule) {
      if (rule.free.test(name)) return [];
      continue;
    }
    if (!rule.names.test(name) || confined === "kernel" && !rule.ours) continue;
    if (value !== null && rule.values?.test(value)) return [];
    if (rule.directories && confined) return value === null ? [] : value.split(":").filter((entry) => entry !== "");
    throw new OpsError(
      "COMMAND_NOT_ALLOWED",
      `the variable ${name} may not be set: ${rule.reason}`,
      "Leave it out, or pass its value as an argument.",
    );
  }
  return [];
}
