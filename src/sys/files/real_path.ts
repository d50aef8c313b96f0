/** Resolves the real path without opening anything. @module */

import { foldLookAlikes } from "../../core/look_alike.ts";

/** What a directory entry is. */
export type EntryKind = "file" | "directory" | "symlink" | "other";

/** Why a path cannot be looked at. */
export type PathFault = "missing" | "denied" | "loop" | "not-a-directory" | "too-long";

/** The real path, or why there is none. */
export async function realPathOf(path: string): Promise<{ path: string } | { fault: PathFault }> {
  try {
    return { path: await Deno.realPath(path) };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

/** The only name in a folder that looks like another one; null when there is none, or more than one. */
export async function lookAlikeIn(folder: string, name: string): Promise<string | null> {
  const wanted = foldLookAlikes(name), found: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) if (foldLookAlikes(entry.name) === wanted) found.push(entry.name);
  } catch {
    return null; // not to be listed
  }
  return found.length === 1 ? found[0] ?? null : null;
}

/** What the entry itself is, links not followed; null when there is none. */
export async function entryKind(path: string): Promise<EntryKind | null> {
  try {
    const info = await Deno.lstat(path);
    return info.isSymlink ? "symlink" : info.isFile ? "file" : info.isDirectory ? "directory" : "other";
  } catch {
    return null;
  }
}

/** Names in a directory, at most so many; none when it cannot be read. */
export async function entryNames(path: string, most: number): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(path)) if (names.push(name) >= most) break;
  } catch {
    return names; // not a directory, or not for this user
  }
  return names;
}

/** Where a link points, as it is written; null when it cannot be read. */
export async function linkTarget(path: string): Promise<string | null> {
  try {
    return await Deno.readLink(path);
  } catch {
    return null;
  }
}

function faultOf(error: unknown): PathFault {
  if (error instanceof Deno.errors.NotFound) return "missing";
  if (error instanceof Deno.errors.NotADirectory) return "not-a-directory";
  if (error instanceof Deno.errors.FilesystemLoop) return "loop";
  if (error instanceof Error && "code" in error && error.code === "ENAMETOOLONG") return "too-long";
  return "denied"; // NotCapable from Deno, PermissionDenied from the kernel
}
