/** The one gate through which every program goes: what a caller asked for becomes what may be started. @module */
import { quoteWord } from "../../core/quote.ts";
import type { Config } from "../../config/resolve.ts";
import { splitCommand } from "../../core/argv.ts";
import { OpsError } from "../../core/error.ts";
import { maskCommandLine } from "../../core/mask_secrets.ts";
import type { Grammars } from "../../sys/grammar.ts";
import type { SandboxReport } from "../../sandbox/protocol.ts";
import { entryKind } from "../../sys/files/real_path.ts";
import type { PathGuard } from "../../roots/path_guard.ts";
import { BUILTINS } from "./builtins.ts";
import { checkEnv } from "./env_rules.ts";
import { type CommandInspector, type Inspected, makeCommandInspector, type Place } from "./inspect_command.ts";
import { gitEnvironment } from "./inspect_git.ts";
import { makeScriptInspector } from "./inspect_script.ts";
import { makePathCheck, type PathCheck } from "./operands.ts";
import { refuse } from "./refusal.ts";
import type { ProgramClass } from "./syntax.ts";
import { literals } from "./words.ts";

/** What a caller wants to run. Exactly one of `command` and `argv` is given. */
export interface GateRequest {
  readonly command?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What its paths are checked against, where that is narrower than the configured roots. */
  readonly paths?: PathGuard | undefined;
  /** What it will read: text, nothing, or (`session`) what is written to it later. */
  readonly input: { readonly kind: "nothing" } | { readonly kind: "text"; readonly text: string } | {
    readonly kind: "session";
  };
}

/** What may be started. */
export interface Admission {
  /** An allowlisted name. */
  readonly program: string;
  readonly args: readonly string[];
  /** Real path. */
  readonly cwd: string;
  /** To be added to the fixed environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly class: ProgramClass;
  /** For people: one line, secrets masked. */
  readonly shown: string;
  /** The program whose exit code the run reports: of a shell line, its last one. */
  readonly reports: string;
}

/** Decides what may run. */
export interface Gate {
  /**
   * @throws OpsError COMMAND_NOT_ALLOWED (which word, which rule, which setting), SANDBOX_UNAVAILABLE, INVALID_ARGUMENT,
   * INVALID_PATH, NOT_FOUND; {@link MissingProgram} for an allowed program that is not installed.
   */
  admit(request: GateRequest): Promise<Admission>;
}

/** What the gate needs. */
export interface GateDeps {
  readonly config: Config;
  readonly paths: PathGuard;
  readonly grammars: Pick<Grammars, "parse">;
  /** What the sandbox holds on this machine; asked at the first call, because the answer comes after the self-test. */
  readonly sandbox: () => Pick<SandboxReport, "level" | "advice">;
}

const MAX_ARGUMENTS = 256, MAX_BYTES = 128 * 1024, MAX_ENV_NAMES = 64;

/** What is made once the level is known. */
interface Judge {
  readonly confined: boolean;
  readonly paths: PathCheck;
  readonly inspector: CommandInspector;
}

/** Makes the gate. */
export function makeGate({ config, paths, grammars, sandbox }: GateDeps): Gate {
  const { confinement } = config.settings.tools;
  const ownEnvironment = gitEnvironment();
  const judges = new WeakMap<PathGuard, Judge>();
  const shell = ["bash", "sh"].find((name) => Object.hasOwn(config.binaries, name));

  function judgeOf(guard: PathGuard): Judge {
    const judge = judges.get(guard) ?? makeJudge(guard);
    judges.set(guard, judge);
    return judge;
  }

  function makeJudge(guard: PathGuard): Judge {
    const confined = sandbox().level !== "none" && confinement !== "off";
    const check = makePathCheck(guard, confined, guard === paths ? [] : config.roots.filter((root) => root !== "/"));
    const script = makeScriptInspector({
      grammars,
      paths: check,
      confined,
      inherited: new Set(Object.keys(ownEnvironment)),
    });
    return { confined, paths: check, inspector: makeCommandInspector({ config, confined, paths: check, script }) };
  }

  /** The argument list of a command line: split, or handed to a shell as a whole. */
  function argumentsOf(command: string): readonly string[] {
    const split = splitCommand(command);
    if (split.kind === "broken") {
      throw new OpsError(
        "INVALID_ARGUMENT",
        `the command cannot be split: ${split.reason}`,
        "Correct 'command', or give 'argv'.",
      );
    }
    if (split.kind === "plain" && !needsShell(split.words[0] ?? "")) return split.words;
    if (shell !== undefined) return [shell, "-c", command];
    const token = split.kind === "shell" ? `'${split.token.replace("\n", "line break")}'` : `'${split.words[0]}'`;
    throw refuse(
      token,
      "only a shell understands this, and neither bash nor sh is allowed",
      "Quote it if it is meant literally, give 'argv', or have the operator add bash to mcp.tools.run_cmd_allowlist.",
    );
  }

  /** A command that exists in a shell only: `cd`, `test`, `export`. */
  const needsShell = (name: string): boolean =>
    Object.hasOwn(BUILTINS, name) && !Object.hasOwn(config.binaries, name) && shell !== undefined;

  async function checkEnvironment(
    env: Readonly<Record<string, string>>,
    cwd: string,
    { confined, paths: check }: Judge,
  ): Promise<void> {
    const entries = Object.entries(env);
    if (entries.length > MAX_ENV_NAMES) {
      throw new OpsError("INVALID_ARGUMENT", `more than ${MAX_ENV_NAMES} variables in 'env'`);
    }
    for (const [name, value] of entries) {
      if (value.includes("\0")) throw new OpsError("INVALID_ARGUMENT", `the variable ${name} holds a NUL character`);
      const directories = checkEnv({ name, value, exported: true }, confined);
      for (const text of directories) await check.check({ text, literal: true }, cwd);
    }
  }

  function checkConfinement({ class: kind, program }: Inspected, confined: boolean): void {
    if (confined || kind === "read" || confinement !== "required") return;
    throw new OpsError(
      "SANDBOX_UNAVAILABLE",
      `'${program}' can run code, and nothing confines it on this machine`,
      `${adviceOf(sandbox())}. Or the operator sets mcp.tools.confinement = "best_effort".`,
    );
  }

  return {
    async admit({ command, argv, cwd = ".", env = {}, paths: guard = paths, input }) {
      if ((command === undefined) === (argv === undefined)) {
        throw new OpsError("INVALID_ARGUMENT", "exactly one of 'command' and 'argv' is needed");
      }
      if (Object.keys(config.binaries).length === 0) throw noPrograms();
      const words = argv ?? argumentsOf(command ?? "");
      checkBounds(words, env);
      const directory = await workingDirectory(guard, cwd), judge = judgeOf(guard);
      await checkEnvironment(env, directory, judge);
      const place: Place = { cwd: directory, input, script: false, functions: new Set(), depth: 0 };
      const inspected = await judge.inspector.command(literals(words), place);
      checkConfinement(inspected, judge.confined);
      const [program = "", ...args] = words;
      return {
        program,
        args,
        cwd: directory,
        env: { ...ownEnvironment, ...env },
        class: inspected.class,
        shown: words[1] === "-c" && command !== undefined
          ? maskCommandLine([command])
          : maskCommandLine(words.map(quoteWord)),
        reports: inspected.program,
      };
    },
  };
}

function adviceOf({ advice }: Pick<SandboxReport, "advice">): string {
  return advice === "" ? "Run llmc-mcp doctor" : `Advice: ${advice.replace(/\.$/, "")}`;
}

/** @returns The real path. */
async function workingDirectory(paths: PathGuard, cwd: string): Promise<string> {
  const path = await paths.existing(cwd);
  if (await entryKind(path) === "directory") return path;
  throw new OpsError("NOT_A_DIRECTORY", `'${cwd}' is not a directory`, "Give a directory in 'cwd'.");
}

function checkBounds(words: readonly string[], env: Readonly<Record<string, string>>): void {
  if (words.length > MAX_ARGUMENTS) throw new OpsError("INVALID_ARGUMENT", `more than ${MAX_ARGUMENTS} arguments`);
  const texts = [...words, ...Object.entries(env).flat()];
  if (words.some((word) => word.includes("\0"))) {
    throw new OpsError("INVALID_ARGUMENT", "an argument holds a NUL character");
  }
  const bytes = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length + 1, 0);
  if (bytes <= MAX_BYTES) return;
  throw new OpsError(
    "INVALID_ARGUMENT",
    `arguments and environment are longer than ${MAX_BYTES / 1024} KiB`,
    "Pass long text by 'stdin' or in a file.",
  );
}

function noPrograms(): OpsError {
  return new OpsError(
    "COMMAND_NOT_ALLOWED",
    "no program is allowed on this machine",
    "The operator lists programs in mcp.tools.run_cmd_allowlist.",
  );
}
