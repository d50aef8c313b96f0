/** Resolves the real path without opening anything. @module */

import { foldLookAlikes } from "../../core/look_alike.ts";
import { makePacer } from "../pacer.ts";

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

/** The names of a larger folder (some 25,000) are not compared: reading them takes too long for a hint. */
const MAX_FOLDER_BYTES = 1_048_576;

/** The names in a folder that look like another one; none where there are too many to compare. */
export async function lookAlikesIn(
  folder: string,
  name: string,
  maxFolderBytes: number = MAX_FOLDER_BYTES,
): Promise<string[]> {
  const wanted = foldLookAlikes(name), found: string[] = [], pacer = makePacer(new AbortController().signal);
  for await (const entry of smallFolder(folder, Infinity, maxFolderBytes)) {
    await pacer();
    if (foldLookAlikes(entry) === wanted) found.push(entry);
  }
  return found;
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

/** Names in a directory, at most so many; none when it cannot be read, or is too large to be read for a hint. */
export async function entryNames(path: string, most: number): Promise<string[]> {
  return await Array.fromAsync(smallFolder(path, most, MAX_FOLDER_BYTES));
}

async function* smallFolder(path: string, most: number, maxBytes: number): AsyncGenerator<string> {
  let count = 0;
  try {
    if ((await Deno.stat(path)).size > maxBytes) return;
    for await (const { name } of Deno.readDir(path)) {
      if (++count > most) return;
      yield name;
    }
  } catch {
    // not a directory, or not for this user
  }
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
