/**
 * Sets aside guarded files that a program made or changed. This runs in the server's own domain, where a program that swaps
 * folders meanwhile can lead it nowhere but to other files of the roots.
 * @module
 */
import { executes, type GitAssignment, readGitConfig, withoutAssignments } from "../core/git_config.ts";
import type { SuspectFile } from "./guard_watch.ts";
import { SET_ASIDE } from "./guarded_files.ts";

const MAX_NAMES = 8, MAX_SPARE_NAMES = 100;

/** Sets them aside. @returns Lines for the result that say so. */
export function setGuardedAside(suspects: readonly SuspectFile[], roots: readonly string[]): string[] {
  const files: string[] = [], keys: string[] = [];
  for (const suspect of suspects) {
    const shown = shownPath(suspect.path, roots);
    try {
      if (suspect.isGitConfig) keys.push(...dropKeys(suspect).map((key) => `${key} in ${shown}`));
      else {
        const aside = moveAside(suspect.path);
        if (suspect.before !== null) Deno.writeFileSync(suspect.path, suspect.before, { createNew: true });
        files.push(
          `${shown} → ${aside.slice(aside.lastIndexOf("/") + 1)}${suspect.before ? " (its former text is back)" : ""}`,
        );
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) files.push(`${shown} could not be moved (${error})`);
    }
  }
  const why = "it would run later, outside the sandbox; the operator allows a path with mcp.tools.unguarded_paths";
  return [
    ...files.length > 0 ? [`set aside: ${atMost(files)}: ${why}`] : [],
    ...keys.length > 0 ? [`taken out of git's configuration, now in *${SET_ASIDE}: ${atMost(keys)}: ${why}`] : [],
  ];
}

function atMost(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(", ") + (rest > 0 ? `, and ${rest} more` : "");
}

function shownPath(path: string, roots: readonly string[]): string {
  const [only = "", another] = roots;
  return another === undefined && path.startsWith(`${only}/`) ? path.slice(only.length + 1) : path;
}

/** Renames a file, or a link in its place, in its own folder. @returns The new path. */
function moveAside(path: string): string {
  const target = spareName(path);
  Deno.renameSync(path, target);
  return target;
}

function spareName(path: string): string {
  for (let count = 1; count < MAX_SPARE_NAMES; count++) {
    const name = `${path}${count > 1 ? `.${count}` : ""}${SET_ASIDE}`;
    try {
      Deno.lstatSync(name);
    } catch {
      return name;
    }
  }
  return `${path}.${crypto.randomUUID()}${SET_ASIDE}`;
}

/** Takes the assignments out that were not there before, and keeps the program's version beside it. @returns Their keys. */
function dropKeys({ path, before, trusted }: SuspectFile): string[] {
  if (!Deno.lstatSync(path).isFile) {
    moveAside(path);
    if (before !== null) Deno.writeFileSync(path, before, { createNew: true });
    return ["everything"];
  }
  const text = Deno.readTextFileSync(path);
  const added = readGitConfig(text).filter((each) => executes(each) && !trusted.includes(lineOf(each)));
  if (added.length === 0) return [];
  moveAside(path);
  Deno.writeTextFileSync(path, withoutAssignments(text, added), { createNew: true });
  return added.map(({ key }) => key);
}

function lineOf({ key, value }: GitAssignment): string {
  return `${key}=${value}`;
}
