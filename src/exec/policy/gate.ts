/** Program policy: decides whether a requested command may run, and as what. @module */
import type { Config } from "../../config/resolve.ts";
import { quoteWord, splitCommand } from "../../core/argv.ts";
import { OpsError } from "../../core/error.ts";
import { maskCommandLine } from "../../core/mask_secrets.ts";
import { literals, type Word } from "../../core/options.ts";
import { baseName, normalizePath } from "../../core/path.ts";
import { SHELLS, WRAPPERS } from "../../core/wrappers.ts";
import type { PathGuard } from "../../roots/path_guard.ts";
import type { SandboxReport } from "../../sandbox/protocol.ts";
import { entryKind } from "../../sys/files/real_path.ts";
import { canStartPrograms } from "./apply_rules.ts";
import { checkEnv } from "./env_rules.ts";
import { findCommands, findInScript, type FoundCommands, outermost, reportedProgram } from "./find_commands.ts";
import { gitEnvironment } from "./git_commands.ts";
import { guardArguments, type GuardDeps } from "./guard_arguments.ts";
import { BUILTINS, type Listed, makeListed } from "./listed.ts";
import { makePathCheck } from "./operands.ts";
import { refuse } from "./refusal.ts";
import { familyOf, type ProgramClass, programOf } from "./syntax.ts";

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
  /** An allowed name, or the path of a file inside a root. */
  readonly program: string;
  readonly args: readonly string[];
  /** Real path. */
  readonly cwd: string;
  /** The roots of a session that has fewer than the configuration. */
  readonly roots?: readonly string[];
  /** To be added to the fixed environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly class: ProgramClass;
  /** For people: one line, secrets masked. */
  readonly shown: string;
  /** Every program that the command names, in order. */
  readonly programs: readonly string[];
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
  /** What the sandbox holds on this machine; asked at the first call, because the answer comes after the self-test. */
  readonly sandbox: () => Pick<SandboxReport, "level" | "advice">;
}

const MAX_ARGUMENTS = 256, MAX_BYTES = 128 * 1024, MAX_ENV_NAMES = 64;

/** What is made once the level is known. */
interface Judge {
  readonly listed: Listed;
  /** The rules about arguments; null where the kernel is the wall. */
  readonly guard: GuardDeps | null;
}

/** Makes the gate. */
export function makeGate({ config, paths, sandbox }: GateDeps): Gate {
  const { confinement } = config.settings.tools;
  const judges = new WeakMap<PathGuard, Judge>();
  const shell = ["bash", "sh"].find((name) => Object.hasOwn(config.binaries, name));
  const isConfined = (): boolean => sandbox().level !== "none" && confinement !== "off";

  function judgeOf(guard: PathGuard): Judge {
    const judge = judges.get(guard) ?? makeJudge(guard);
    judges.set(guard, judge);
    return judge;
  }

  function makeJudge(guard: PathGuard): Judge {
    const { level } = sandbox(), confined = isConfined();
    // Landlock opens all configured roots to every program, so a client's narrower ones are left to the rules.
    const kernelHolds = confined && (level === "full" || level === "landlock" && guard === paths);
    const open = guard === paths ? [] : config.roots.filter((root) => root !== "/");
    const check = makePathCheck(guard, confined, open);
    const judge: Judge = {
      listed: makeListed(config, kernelHolds),
      guard: kernelHolds ? null : {
        paths: check,
        confined,
        binaries: config.binaries,
        inner: async (words, place) => void await inspect(findCommands(words, place), judge),
        line: async (source, place) => void await inspect(findInScript(source, place), judge),
      },
    };
    return judge;
  }

  /** @returns Whether everything that was found can only read. */
  async function inspect(
    everything: Iterable<FoundCommands>,
    { listed, guard }: Judge,
    named: string[] = [],
  ): Promise<ProgramClass> {
    let kind: ProgramClass = "read";
    for (const found of everything) {
      if (found.kind === "command") named.push(baseName(found.name));
      if (found.kind === "command") await listed.check(found.name, found.place);
      const own = guard ? await guardArguments(found, guard) : found.kind === "command" ? classOf(found.words) : "code";
      if (own === "code") kind = "code";
    }
    return kind;
  }

  /** A name that the rules know; else what its file is called. */
  const identify = (name: string): string =>
    Object.hasOwn(WRAPPERS, name) || SHELLS.has(name) ? name : baseName(config.binaries[name] ?? name);

  /** Whether a program that may be given any arguments can leave others behind. */
  function classOf([first]: readonly Word[]): ProgramClass {
    const name = first?.text ?? "", family = familyOf(name, config.binaries[name] ?? name);
    return canStartPrograms(family) ? "code" : programOf(family).class;
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
    throw refuse(token, "needs a shell, and neither bash nor sh is allowed", "Quote it, or give 'argv'.");
  }

  /** A command that exists in a shell only: `cd`, `test`, `export`. */
  const needsShell = (name: string): boolean =>
    BUILTINS.has(name) && !Object.hasOwn(config.binaries, name) && shell !== undefined;

  async function checkEnvironment(env: Readonly<Record<string, string>>, cwd: string, { guard }: Judge): Promise<void> {
    const entries = Object.entries(env);
    if (entries.length > MAX_ENV_NAMES) {
      throw new OpsError("INVALID_ARGUMENT", `more than ${MAX_ENV_NAMES} variables in 'env'`);
    }
    for (const [name, value] of entries) {
      if (value.includes("\0")) throw new OpsError("INVALID_ARGUMENT", `the variable ${name} contains a NUL character`);
      const directories = checkEnv({ name, value }, guard === null ? "kernel" : guard.confined);
      for (const text of directories) await guard?.paths.check({ text, literal: true }, cwd);
    }
  }

  function checkConfinement(kind: ProgramClass, program: string): void {
    if (kind === "read" || confinement !== "required" || isConfined()) return;
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
      if (words.length === 0) throw refuse("the command", "it is empty");
      checkBounds(words, env);
      const directory = await workingDirectory(guard, cwd), judge = judgeOf(guard);
      await checkEnvironment(env, directory, judge);
      const found = literals(words), [program = "", ...args] = words;
      const named: string[] = [];
      const kind = await inspect(
        findCommands(found, outermost(directory, input.kind === "text" ? input.text : null, identify)),
        judge,
        named,
      );
      checkConfinement(kind, program);
      return {
        program: program.includes("/") ? normalizePath(program, directory) : program,
        args,
        cwd: directory,
        ...guard === paths ? {} : { roots: guard.roots },
        env: { ...gitEnvironment(isConfined()), ...env },
        class: kind,
        shown: words[1] === "-c" && command !== undefined
          ? maskCommandLine([command])
          : maskCommandLine(words.map(quoteWord)),
        programs: [...new Set(named)],
        reports: reportedProgram(found),
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
    throw new OpsError("INVALID_ARGUMENT", "an argument contains a NUL character");
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
