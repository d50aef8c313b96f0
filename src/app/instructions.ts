/** Builds the server instructions that a client gets once: facts a model cannot infer from the tools. @module */
import { expandSets } from "../config/program_sets.ts";
import type { Config } from "../config/resolve.ts";
import { type Catalog, shownName } from "../call/catalog.ts";

/** Clients cut long instructions, and every token of them is paid in every session. */
const MAX_BYTES = 1_000;
const MAX_ROOTS = 4, MAX_PROGRAMS_LENGTH = 120;
/** What a developer looks for first, where it is there. */
const MAIN_PROGRAMS =
  "git node npm npx pnpm yarn bun deno python3 pip uv pytest make cmake gcc cargo go java mvn gradle dotnet ruby php bash rg curl jq gh sqlite3";

/** Whole lines, the most important first, as many as fit. */
export function makeInstructions(config: Config, catalog: Catalog): string {
  const encoder = new TextEncoder(), kept: string[] = [];
  let room = MAX_BYTES;
  for (const line of linesOf(config, catalog)) {
    const size = encoder.encode(line).length + 1;
    if (size > room) continue;
    kept.push(line);
    room -= size;
  }
  return kept.join("\n");
}

function linesOf({ roots, unconfined, binaries, settings }: Config, catalog: Catalog): string[] {
  const listed = new Set(catalog.listed().map(({ name }) => name));
  const say = (name: string) => shownName(name, settings);
  const hint = (needs: string, line: string) => listed.has(needs) ? [line] : [];
  const isShort = settings.tools.list === "core", behind = isShort ? " (with `more`, as all that is not listed)" : "";
  const ofClient = settings.tools.client_roots === "narrow" ? " (or a client's root in it)" : "";
  return [
    unconfined
      ? "The whole machine is open to tools."
      : roots.length > 0
      ? `Files and commands are confined to: ${shortList(roots)}. Relative paths start at the first${ofClient}.`
      : "No folder is open to tools yet; the operator must add one with --root.",
    ...settings.read_only ? ["The server is read-only."] : [],
    `Long results end with a handle in their last [line]: ${say("linux_handle_read")}${behind} reads on.`,
    ...isShort ? [] : hint(
      "rag_search",
      `To find code by meaning use ${say("rag_search")}; for exact text ${say("linux_search_content")}.`,
    ),
    ...hint(
      "linux_fs_patch_block",
      `Edit with ${say("linux_fs_patch_block")} or ${say("linux_fs_apply_diff")} rather than rewriting files.`,
    ),
    ...hint("run_cmd", `Programs that may run: ${programList(Object.keys(binaries))}.`),
  ];
}

/** The main ones, because the list can be longer than the instructions; last, what only reads and is taken for granted. */
function programList(all: readonly string[]): string {
  let room = MAX_PROGRAMS_LENGTH;
  const readers = new Set(expandSets(["@read"]));
  const main = MAIN_PROGRAMS.split(" ").filter((name) => all.includes(name));
  const names = [
    ...new Set([...main, ...all.filter((name) => !readers.has(name)), ...all.filter((name) => readers.has(name))]),
  ];
  const shown = names.filter((name) => (room -= name.length + 1) >= 0);
  const more = shown.length < names.length ? ` and ${names.length - shown.length} more` : "";
  return `${shown.join(" ") || "none"}${more}`;
}

function shortList(paths: readonly string[]): string {
  const more = paths.length > MAX_ROOTS ? ` and ${paths.length - MAX_ROOTS} more` : "";
  return paths.slice(0, MAX_ROOTS).join(", ") + more;
}
