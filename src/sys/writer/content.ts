/**
 * Writes the content of one file: replaced atomically where that preserves the file's identity, else in place;
 * created; appended.
 * @module
 */
import { parentOf } from "../../core/path.ts";
import { OpsError } from "../../core/error.ts";
import { writeInPlace } from "./in_place.ts";
import { errnoOf, type FileOps, lstatOrNull, removeQuietly, syncDirectory, writeAll } from "./ops.ts";
import { temporaryBeside } from "./paths.ts";

/** Copies what the mode does not tell (extended attributes, access lists) to a new file; false when it could not. */
export type AttributeCopier = (from: string, to: string) => Promise<boolean>;

/** What a change of content needs. */
export interface ContentDeps {
  readonly ops: FileOps;
  /** Absent where the platform gives no access to extended attributes: they are then lost by a replacement. */
  readonly copyAttributes?: AttributeCopier | undefined;
  /** How messages name a path. */
  readonly display: (path: string) => string;
}

/** A file that is ready to take a name. */
export interface StagedFile {
  readonly path: string;
}

/** A new file cannot be made, dressed like the old one or put in its place; the old one may still be writable. */
const IN_PLACE_INSTEAD = new Set(["EACCES", "EPERM", "EROFS", "EBUSY", "EXDEV", "ENOTSUP", "EOPNOTSUPP"]);

/**
 * Replaces the content of a file, or makes it. Readers see the old or the new content, never a mixture, except for
 * files that are written in place: those with several names (hard links), and those that cannot be replaced.
 *
 * @param check Called last before the change; throws to stop it.
 */
export async function replaceContent(
  deps: ContentDeps,
  path: string,
  data: Uint8Array,
  check: (info: Deno.FileInfo | null) => void = () => {},
): Promise<void> {
  const info = await regularOrNull(deps, path);
  if (info === null) {
    check(null);
    const staged = await stageFile(deps, path, data, null);
    await putInPlace(deps.ops, staged, path);
    return await syncDirectory(deps.ops, parentOf(path));
  }
  await requireWritable(deps.ops, path);
  if (hasOtherNames(info)) {
    check(await deps.ops.lstat(path));
    return await writeInPlace(deps.ops, path, data);
  }
  try {
    const staged = await stageFile(deps, path, data, info);
    try {
      check(await lstatOrNull(deps.ops, path));
    } catch (error) {
      await removeQuietly(deps.ops, staged.path);
      throw error;
    }
    await putInPlace(deps.ops, staged, path);
  } catch (error) {
    if (!needsInPlace(error)) throw error;
    return await writeInPlace(deps.ops, path, data);
  }
  await syncDirectory(deps.ops, parentOf(path));
}

/** Makes a file that was not there, complete from its first moment. @throws an EEXIST error when something is. */
export async function createFile(deps: ContentDeps, path: string, data: Uint8Array, mode?: number): Promise<void> {
  const staged = await stageFile(deps, path, data, null, mode);
  await claimName(deps.ops, staged, path);
  await syncDirectory(deps.ops, parentOf(path));
}

/** Adds to the end of a file, or makes it. */
export async function appendContent(deps: ContentDeps, path: string, data: Uint8Array): Promise<void> {
  const { ops } = deps;
  const info = await regularOrNull(deps, path);
  using file = await ops.open(path, { append: true, create: info === null });
  const sizeBytes = info === null ? 0 : (await file.stat()).size;
  try {
    await writeAll(file, data);
    await file.sync();
  } catch (error) {
    if (info === null) await removeQuietly(ops, path);
    else await file.truncate(sizeBytes);
    throw error;
  }
  if (info === null) await syncDirectory(ops, parentOf(path));
}

/**
 * Writes a file under a temporary name in the directory where it will live, and onto the disk.
 *
 * @param like The file it will replace: mode, owner and attributes are taken from it.
 * @param mode Of a new file, before the umask.
 * @param original Where the file to take after is, when it is not at `path`.
 */
export async function stageFile(
  deps: ContentDeps,
  path: string,
  data: Uint8Array,
  like: Deno.FileInfo | null,
  mode = 0o666,
  original = path,
): Promise<StagedFile> {
  const { ops } = deps;
  const staged = temporaryBeside(path);
  try {
    using file = await ops.open(staged, { write: true, createNew: true, mode: like === null ? mode : 0o600 });
    await writeAll(file, data);
    if (like !== null) await dressLike(deps, original, like, staged, await file.stat());
    await file.sync();
  } catch (error) {
    await removeQuietly(ops, staged);
    throw error;
  }
  return { path: staged };
}

/** Gives a staged file a name that nothing has yet, and no other process can take in between. */
export async function claimName(ops: FileOps, staged: StagedFile, path: string): Promise<void> {
  try {
    await ops.link(staged.path, path);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errnoOf(error))) {
      await removeQuietly(ops, staged.path);
      throw error;
    }
    // No hard links here (FAT, some network file systems): reserve the name, then put the file over the reservation.
    try {
      (await ops.open(path, { write: true, createNew: true }))[Symbol.dispose]();
    } catch (failure) {
      await removeQuietly(ops, staged.path);
      throw failure;
    }
    return await putInPlace(ops, staged, path, () => removeQuietly(ops, path));
  }
  await removeQuietly(ops, staged.path);
}

/** Renames a staged file; on failure it is gone. */
export async function putInPlace(
  ops: FileOps,
  staged: StagedFile,
  path: string,
  undo: () => Promise<void> = async () => {},
): Promise<void> {
  try {
    await ops.rename(staged.path, path);
  } catch (error) {
    await removeQuietly(ops, staged.path);
    await undo();
    throw error;
  }
}

/** The file at a path; null when there is nothing. @throws OpsError for everything else that may be there. */
export async function regularOrNull(
  { ops, display }: Pick<ContentDeps, "ops" | "display">,
  path: string,
): Promise<Deno.FileInfo | null> {
  const info = await lstatOrNull(ops, path);
  if (info === null || info.isFile) return info;
  if (info.isDirectory) throw new OpsError("IS_DIRECTORY", `'${display(path)}' is a directory`, "Name a file in it.");
  const what = info.isSymlink ? "became a symbolic link meanwhile" : "is a pipe, socket or device";
  throw new OpsError("INVALID_PATH", `'${display(path)}' ${what}`, "Only regular files can be written.");
}

/** Whether other directory entries share the file: replacing it would leave them with the old content. */
export function hasOtherNames(info: Deno.FileInfo): boolean {
  return (info.nlink ?? 1) > 1;
}

/** Whether a failed replacement should be tried in place. */
export function needsInPlace(error: unknown): boolean {
  return IN_PLACE_INSTEAD.has(errnoOf(error));
}

/** A replacement needs no right to the old file itself; but who took that right away meant it. */
export async function requireWritable(ops: FileOps, path: string): Promise<void> {
  try {
    (await ops.open(path, { write: true }))[Symbol.dispose]();
  } catch (error) {
    if (errnoOf(error) === "ETXTBSY") return; // a running program can be replaced, only not overwritten
    throw error;
  }
}

/** Gives a staged file owner, attributes and mode of the one that it replaces, in the order in which they last. */
async function dressLike(
  { ops, copyAttributes }: ContentDeps,
  path: string,
  like: Deno.FileInfo,
  staged: string,
  fresh: Deno.FileInfo,
): Promise<void> {
  if (like.uid !== fresh.uid || like.gid !== fresh.gid) await ops.chown(staged, like.uid, like.gid);
  if (copyAttributes !== undefined && !await copyAttributes(path, staged)) {
    throw Object.assign(new Error("the extended attributes cannot be kept"), { code: "ENOTSUP" });
  }
  await ops.chmod(staged, (like.mode ?? 0o644) & 0o7777); // last: a change of owner clears set-id bits
}
