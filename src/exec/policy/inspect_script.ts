/** Looks at a shell script: every command in it must be allowed, and nothing in it may be hidden. @module */
import type { Grammars } from "../../sys/grammar.ts";
import { checkEnv } from "./env_rules.ts";
import type { CommandInspector, Input, Inspected, InspectorDeps, Place } from "./inspect_command.ts";
import { refuse, refuseUnconfined } from "./refusal.ts";
import { readScriptParts } from "./script_parts.ts";
import type { ScriptInput } from "./script_redirects.ts";

/** Commands after which a relative path is another one. */
const MOVES = new Set(["cd", "pushd", "popd", "source", ".", "eval"]);
const EXPORTS_ALL = /\bset\s+[-+]\w*a|allexport|\bdeclare\s+-\w*x/;

/** What looking at scripts needs. */
export interface ScriptDeps extends Pick<InspectorDeps, "paths" | "confined"> {
  readonly grammars: Pick<Grammars, "parse">;
  /** Variables that every child gets: an assignment changes them for programs without an `export`. */
  readonly inherited: ReadonlySet<string>;
}

/** Makes the reader of scripts that the command inspector calls. */
export function makeScriptInspector({ grammars, paths, confined, inherited }: ScriptDeps): InspectorDeps["script"] {
  return async (source: string, place: Place, inspector: CommandInspector): Promise<Inspected> => {
    const parts = await grammars.parse("bash", source, readScriptParts);
    if (parts === undefined) throw refuse("the script", "it takes too long to parse", "Put it into a file.");
    const moves = parts.commands.some(({ words }) => MOVES.has(words[0]?.text ?? ""));
    const exportsAll = EXPORTS_ALL.test(source);
    const here: Place = { ...place, cwd: moves ? null : place.cwd };
    for (const { name, value, exported } of parts.assignments) {
      if (name === "IFS") continue; // command words are literal, so how the shell splits others cannot change them
      const seen = exported || exportsAll || inherited.has(name);
      for (const entry of checkEnv({ name, value, exported: seen }, confined)) {
        await paths.check({ text: entry, literal: true }, here.cwd);
      }
    }
    for (const word of parts.redirects) {
      if (!word.literal && !confined) throw refuseUnconfined(`> ${word.text}`, "the file is not known beforehand");
      await paths.check(word, here.cwd);
    }
    let last = parts.last;
    for (const { words, input, functions } of parts.commands) {
      const { program } = await inspector.command(words, {
        ...here,
        // A function of the script around this one is not known to a shell that it starts.
        functions: new Set([...place.functions, ...functions]),
        input: inputFor(input, place.input),
      });
      if (words[0]?.text === parts.last) last = program;
    }
    return { class: "code", program: last };
  };
}

const inputFor = (input: ScriptInput, outer: Input): Input => input.kind === "inherited" ? outer : input;
