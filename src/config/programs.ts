/** Resolves program names to executables on this machine. @module */
import type { Machine } from "./machine.ts";
import { expandSets } from "./program_sets.ts";
import type { Settings } from "./schema.ts";

/** Name under which the program of `mcp.te.script_path` is known to the gate and to the hosts of children. */
export const EXTERNAL_TE = "te-script";

/** The allowlist, resolved. */
export interface FoundPrograms {
  /** Name to real path. */
  readonly found: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
  /** Names of programs that are installed and on no list. */
  readonly others: readonly string[];
  /** Allowed by a list, but unsafe. */
  readonly unsafe: readonly string[];
}

/** Finds every allowed program once. */
export function resolvePrograms(
  { tools, te, linux_ops: { commands } }: Settings,
  folders: readonly string[],
  machine: Machine,
): FoundPrograms {
  const refused = new Set(commands.allow_unsafe ? [] : commands.unsafe_binaries);
  const allowed = expandSets([...tools.run_cmd_allowlist, ...commands.allowed_binaries]);
  const found: Record<string, string> = {};
  const missing: string[] = [];
  for (const name of allowed.filter((each) => !refused.has(each))) {
    const path = machine.findProgram(name, folders);
    if (path === undefined) missing.push(name);
    else found[name] = path;
  }
  if (te.script_path !== "") {
    // The operator's own choice of a wrapper; what it wraps is checked like any command.
    const cut = te.script_path.lastIndexOf("/");
    const path = machine.findProgram(te.script_path.slice(cut + 1), [te.script_path.slice(0, cut)]);
    if (path === undefined) missing.push(te.script_path);
    else found[EXTERNAL_TE] = path;
  }
  const others = [...new Set(folders.flatMap((folder) => machine.list(folder)))].filter((name) => !(name in found));
  return { found, missing, others, unsafe: allowed.filter((name) => refused.has(name)) };
}
