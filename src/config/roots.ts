/** Resolves configured folders to real, existing ones. @module */
import { isInside, isInsideAny, normalizePath } from "../core/path.ts";
import type { Problem } from "./error.ts";
import type { Loaded } from "./load.ts";
import type { Machine } from "./machine.ts";

const ROOTS = "mcp.tools.allowed_roots";
const INDEXED = "mcp.rag.roots";

/** The folders that tools may touch. */
export interface Roots {
  readonly roots: readonly string[];
  /** Whether they are the whole machine. */
  readonly unconfined: boolean;
  /** Real path of each folder that was named through a symbolic link, by the path that was given. */
  readonly spellings: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
}

/** Real paths of the allowed roots, without repetitions and without those that lie in another one. */
export function resolveRoots(loaded: Loaded, machine: Machine): Roots {
  const { allowed_roots, enforce_roots } = loaded.settings.tools;
  const { folders, problems } = realFolders(ROOTS, allowed_roots, loaded, machine);
  const spellings = Object.fromEntries(
    allowed_roots.filter((path) => path.startsWith("/"))
      .map((path): [string, string] => [normalizePath(path), machine.realPath(path) ?? ""])
      .filter(([path, real]) => real !== "" && path !== real),
  );
  const outermost = folders.filter((folder) => !folders.some((other) => other !== folder && isInside(folder, other)));
  const unconfined = !enforce_roots || outermost.includes("/");
  return { roots: unconfined ? ["/"] : [...new Set(outermost)], unconfined, spellings, problems };
}

/** Real paths of the folders to index; they must lie in a root. */
export function resolveIndexed(
  roots: readonly string[],
  loaded: Loaded,
  machine: Machine,
): { readonly folders: readonly string[]; readonly problems: readonly Problem[] } {
  const { folders, problems } = realFolders(INDEXED, loaded.settings.rag.roots, loaded, machine);
  const outside = folders.filter((folder) => !isInsideAny(folder, roots));
  return {
    folders: folders.length > 0 ? [...new Set(folders)] : usuallyIndexed(roots, machine),
    problems: [
      ...problems,
      ...outside.map((folder) => loaded.fault(INDEXED, `${folder} is outside the allowed roots`, folder)),
    ],
  };
}

/**
 * The roots that are git work trees; where none is, every root that is not as large as a home directory; where there is
 * none of these either, the work tree or folder inside the roots in which the server was started.
 */
function usuallyIndexed(roots: readonly string[], machine: Machine): readonly string[] {
  const isWorkTree = (folder: string) => machine.realPath(`${folder}/.git`) !== undefined;
  const isSmall = (folder: string) => !isInside(machine.homeDir, folder);
  const workTrees = roots.filter(isWorkTree), small = roots.filter(isSmall);
  if (workTrees.length > 0 || small.length > 0) return workTrees.length > 0 ? workTrees : small;
  const here = machine.realPath(machine.workingDir);
  if (here === undefined || !isInsideAny(here, roots)) return [];
  const above = here.split("/").map((_, count, names) => names.slice(0, names.length - count).join("/") || "/");
  const folder = above.find((each) => isWorkTree(each) && isInsideAny(each, roots)) ?? here;
  return isSmall(folder) ? [folder] : [];
}

function realFolders(
  key: string,
  paths: readonly string[],
  loaded: Loaded,
  machine: Machine,
): { folders: string[]; problems: Problem[] } {
  const folders: string[] = [];
  const problems: Problem[] = [];
  for (const path of paths) {
    const real = machine.realPath(path);
    if (real === undefined) problems.push(loaded.fault(key, `${path} does not exist, or cannot be reached`, path));
    else if (!machine.isDirectory(real)) problems.push(loaded.fault(key, `${path} is not a directory`, path));
    else folders.push(real);
  }
  return { folders, problems };
}
