/** Looks at one command: is the program allowed, and may it be given these arguments. @module */
import type { Config } from "../../config/resolve.ts";
import { OpsError } from "../../core/error.ts";
import { canStartPrograms } from "./apply_rules.ts";
import { BUILTINS } from "./builtins.ts";
import { inspectArguments } from "./inspect_arguments.ts";
import { inspectBuiltin } from "./inspect_builtin.ts";
import { inspectShell, inspectWrapper } from "./inspect_wrapper.ts";
import type { PathCheck } from "./operands.ts";
import { refuse, refuseUnconfined, shorten } from "./refusal.ts";
import { REFUSED_PROGRAMS } from "./rules.ts";
import { familyOf, type ProgramClass, programOf } from "./syntax.ts";
import type { Word } from "./words.ts";
import { SHELLS, WRAPPERS } from "./wrappers.ts";

/** What a command reads as its input. */
export type Input =
  | { readonly kind: "nothing" }
  /** Text that is known now. */
  | { readonly kind: "text"; readonly text: string }
  /** A pipe or a file. */
  | { readonly kind: "unknown" }
  /** Whoever started the program writes to it later: allowing the program was the decision. */
  | { readonly kind: "session" };

/** Where a command stands. */
export interface Place {
  /** Real path; null when a script went elsewhere. */
  readonly cwd: string | null;
  readonly input: Input;
  /** Inside a script, where builtins and functions exist. */
  readonly script: boolean;
  readonly functions: ReadonlySet<string>;
  /** How many commands this one stands in. */
  readonly depth: number;
}

/** What was found out about a command that may run. */
export interface Inspected {
  readonly class: ProgramClass;
  /** The program whose exit code is reported. */
  readonly program: string;
}

/** Looks at commands. All methods throw OpsError COMMAND_NOT_ALLOWED or INVALID_PATH. */
export interface CommandInspector {
  command(words: readonly Word[], place: Place): Promise<Inspected>;
  /** Source for a shell. */
  script(source: string, place: Place): Promise<Inspected>;
}

/** What looking at commands needs. */
export interface InspectorDeps {
  readonly config: Config;
  readonly paths: PathCheck;
  /** Whether the kernel holds what is started. */
  readonly confined: boolean;
  /** Reads shell source and calls back for each command in it. */
  script(source: string, place: Place, inspector: CommandInspector): Promise<Inspected>;
}

/** What the parts of the inspector share. */
export type Inspection = Pick<InspectorDeps, "confined" | "paths"> & { readonly inspector: CommandInspector };

const MAX_DEPTH = 8;
const NAME = /^[A-Za-z0-9._+-]+$/;
const LOADER = /^ld(?:-linux|\.so|-musl)/;

/** Makes the inspector. */
export function makeCommandInspector(deps: InspectorDeps): CommandInspector {
  const inspector: CommandInspector = {
    async command(words, place) {
      const [first, ...rest] = words;
      if (first === undefined) throw refuse("the command", "it is empty");
      if (place.depth > MAX_DEPTH) throw refuse(first.text, "commands stand in each other too deep");
      const name = checkName(first, place);
      if (place.script && place.functions.has(name)) return { class: "code", program: name };
      if (place.script && Object.hasOwn(BUILTINS, name)) {
        return { class: "code", program: await inspectBuiltin(name, rest, place, { ...deps, inspector }) };
      }
      // A keyword of bash, and the one wrapper that needs no file.
      const realPath = place.script && name === "time" ? name : lookUp(deps.config, name);
      return await inspectProgram(name, realPath, rest, { ...place, depth: place.depth + 1 });
    },
    script(source, place) {
      if (place.depth > MAX_DEPTH) throw refuse("a script", "scripts stand in each other too deep");
      return deps.script(source, { ...place, script: true, depth: place.depth + 1 }, inspector);
    },
  };

  /** @param realPath Its file: a program is what its file is, whatever it is called by. */
  async function inspectProgram(
    name: string,
    realPath: string,
    words: readonly Word[],
    place: Place,
  ): Promise<Inspected> {
    const family = familyOf(name, realPath);
    const file = fileOf(realPath);
    const wrapper = WRAPPERS[family] ?? WRAPPERS[file];
    if (wrapper) return await inspectWrapper(name, wrapper, words, place, { ...deps, inspector });
    if (SHELLS.has(name) || SHELLS.has(file)) return await inspectShell(name, words, place, { ...deps, inspector });
    const refused = REFUSED_PROGRAMS[name] ?? REFUSED_PROGRAMS[file];
    if (refused !== undefined || LOADER.test(file)) {
      throw refuse(name, refused ?? "it runs any program that it is given");
    }
    if (!deps.confined && canStartPrograms(family)) {
      const unknown = words.find(({ text, literal }) => !literal && text === "");
      if (unknown) throw refuseUnconfined(name, "an argument is not known beforehand and could start a program");
    }
    const isRead = await inspectArguments(family, programOf(family), words, place, { ...deps, inspector });
    return { class: isRead ? "read" : "code", program: family };
  }

  return inspector;
}

const fileOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function checkName(word: Word, place: Place): string {
  if (!word.literal) {
    throw refuse(word.text || "a command", "the name of a command must be written out, without variables or patterns");
  }
  const name = word.text;
  if (place.script && Object.hasOwn(BUILTINS, name)) return name;
  if (name.includes("/")) {
    throw refuse(
      name,
      "a program is named without a path",
      "Use its bare name; run a script of your own by its interpreter, e.g. bash FILE or python3 FILE.",
    );
  }
  if (!NAME.test(name)) throw refuse(name, "this is not a name of a program");
  return name;
}

/** The real path of an allowed program. */
function lookUp(config: Config, name: string): string {
  const { commands } = config.settings.linux_ops;
  const path = Object.hasOwn(config.binaries, name) ? config.binaries[name] : undefined;
  const file = path === undefined ? name : fileOf(path);
  const unsafe = commands.unsafe_binaries.find((entry) =>
    entry === name || entry === file || file.startsWith(`${entry}.`)
  );
  if (unsafe !== undefined && !commands.allow_unsafe) {
    throw refuse(
      name,
      "it is one of the unsafe programs",
      "The operator decides by mcp.linux_ops.commands.unsafe_binaries and allow_unsafe.",
    );
  }
  if (path !== undefined) return path;
  if (config.missingBinaries.includes(name)) throw new MissingProgram(name);
  throw new OpsError(
    "COMMAND_NOT_ALLOWED",
    `'${shorten(name)}' is not an allowed program`,
    `Allowed: ${
      Object.keys(config.binaries).sort().join(" ")
    }. The operator adds others to mcp.tools.run_cmd_allowlist.`,
  );
}

/** An allowed program that this machine does not have: its run ends with 127, as in a shell. */
export class MissingProgram extends OpsError {
  constructor(readonly program: string) {
    super(
      "COMMAND_NOT_ALLOWED",
      `'${program}' is allowed but not installed on this machine`,
      "Use another program, or have the operator install it.",
    );
  }
}
