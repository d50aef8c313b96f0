/** Moves an entry: by rename where possible, across file systems by copy, verification and removal. @module */
import { baseName, isInside, parentOf } from "../../core/path.ts";
import { createHash } from "node:crypto";
import { OpsError } from "../../core/error.ts";
import { type AttributeCopier, claimName, hasOtherNames } from "./content.ts";
import { writeError } from "./error.ts";
import { errnoOf, type FileOps, lstatOrNull, removeQuietly, syncDirectory, writeAll } from "./ops.ts";
import { temporaryBeside } from "./paths.ts";
import { removeEntry } from "./remove.ts";

const CHUNK_BYTES = 1024 * 1024;

/** How to move. */
export interface MoveOptions {
  /** Whether a file or an empty directory at the target may be replaced. */
  readonly overwrite: boolean;
  /** How messages name a path. */
  readonly show: (path: string) => string;
  readonly signal?: AbortSignal | undefined;
  /** Absent where the platform gives no access to extended attributes. */
  readonly copyAttributes?: AttributeCopier | undefined;
}

/** A copy of a tree that is being made. */
interface Copy extends MoveOptions {
  /** Where files of several names were copied to, by device and inode. */
  readonly names: Map<string, string>;
}

/**
 * Moves an entry, a link as such.
 *
 * @throws OpsError INVALID_ARGUMENT when the target exists, lies in the source, or is the source.
 */
export async function moveEntry(
  ops: FileOps,
  source: string,
  target: string,
  options: MoveOptions,
): Promise<void> {
  const { overwrite, show } = options;
  const info = await lstatOrNull(ops, source);
  if (info === null) throw new OpsError("NOT_FOUND", `'${show(source)}' does not exist`);
  if (source === target) throw new OpsError("INVALID_ARGUMENT", "'source' and 'target' are the same entry");
  if (isInside(target, source)) {
    throw new OpsError(
      "INVALID_ARGUMENT",
      `'${show(source)}' cannot be moved into itself`,
      "Give a target outside of it.",
    );
  }
  await requireFree(ops, source, info, target, options);
  try {
    await rename(ops, info, source, target, overwrite);
  } catch (error) {
    if (errnoOf(error) !== "EXDEV") throw writeError(error, show(target)); // the source is there: what is missing is the target's directory
    await moveByCopy(ops, info, source, target, options);
  }
  await syncDirectory(ops, parentOf(target));
  await syncDirectory(ops, parentOf(source));
}

async function requireFree(
  ops: FileOps,
  source: string,
  info: Deno.FileInfo,
  target: string,
  { overwrite, show }: MoveOptions,
): Promise<void> {
  const there = await lstatOrNull(ops, target);
  if (there === null) return;
  if (there.isDirectory && (!overwrite || !info.isDirectory)) {
    const inside = `${target}/${baseName(source)}`;
    throw new OpsError(
      "INVALID_ARGUMENT",
      `'${show(target)}' is an existing directory`,
      `To move into it, give '${show(inside)}' as 'target'.`,
    );
  }
  if (!overwrite) {
    throw new OpsError(
      "INVALID_ARGUMENT",
      `'${show(target)}' already exists`,
      "Set 'overwrite' to replace it, or give another target.",
    );
  }
  if (info.isDirectory && !there.isDirectory) {
    throw new OpsError(
      "NOT_A_DIRECTORY",
      `'${show(target)}' is a file, and '${show(source)}' is a directory`,
      "Delete the file first.",
    );
  }
  if (info.dev === there.dev && info.ino === there.ino && info.ino !== null) {
    throw new OpsError(
      "INVALID_ARGUMENT",
      `'${show(target)}' is another name of the same file`,
      "Delete one of the two names.",
    );
  }
}

async function rename(
  ops: FileOps,
  info: Deno.FileInfo,
  source: string,
  target: string,
  overwrite: boolean,
): Promise<void> {
  if (overwrite || !info.isFile) return await ops.rename(source, target);
  // rename(2) replaces what is there. A second name fails instead, so a new file cannot be lost in between.
  try {
    await ops.link(source, target);
  } catch (error) {
    if (["EEXIST", "EXDEV", "ENOENT", "ENOSPC", "EDQUOT", "EROFS"].includes(errnoOf(error))) throw error;
    return await ops.rename(source, target); // no hard links here, or not for this user
  }
  try {
    await ops.remove(source);
  } catch (error) {
    await removeQuietly(ops, target);
    throw error;
  }
}

async function moveByCopy(
  ops: FileOps,
  info: Deno.FileInfo,
  source: string,
  target: string,
  options: MoveOptions,
): Promise<void> {
  const staged = temporaryBeside(target);
  try {
    await copyTree(ops, info, source, staged, { ...options, names: new Map() });
    if (options.overwrite || !info.isFile) await ops.rename(staged, target);
    else await claimName(ops, { path: staged }, target);
  } catch (error) {
    await removeEntry(ops, staged, { recursive: true }).catch(() => {});
    throw error;
  }
  const { keptCount, kept } = await removeEntry(ops, source, { recursive: true }).catch((error: unknown) => ({
    keptCount: 1,
    kept: [{ path: source, reason: errnoOf(error) }],
  }));
  if (keptCount === 0) return;
  const { show } = options;
  const [first] = kept;
  throw new OpsError(
    "WRITE_FAILED",
    `'${show(target)}' is complete, but ${keptCount} entries of the source could not be removed, first '${
      show(first?.path ?? source)
    }' (${first?.reason})`,
    "Delete what is left of the source.",
  );
}

async function copyTree(ops: FileOps, info: Deno.FileInfo, from: string, to: string, copy: Copy): Promise<void> {
  copy.signal?.throwIfAborted();
  if (info.isFile) {
    const id = `${info.dev}:${info.ino}`, other = hasOtherNames(info) ? copy.names.get(id) : undefined;
    if (other !== undefined) return await ops.link(other, to);
    copy.names.set(id, to);
    await copyFile(ops, from, to, copy);
  } else if (info.isDirectory) {
    await ops.mkdir(to, 0o700);
    for await (const entry of ops.readDir(from)) {
      const child = `${from}/${entry.name}`;
      await copyTree(ops, await ops.lstat(child), child, `${to}/${entry.name}`, copy);
    }
  } else return await copyLink(ops, info, from, to, copy);
  await dress(ops, info, from, to, copy);
}

async function copyLink(
  ops: FileOps,
  info: Deno.FileInfo,
  from: string,
  to: string,
  { show }: MoveOptions,
): Promise<void> {
  const stays = (what: string) =>
    new OpsError(
      "INVALID_ARGUMENT",
      `'${show(from)}' is ${what}, which cannot be made on another file system`,
      "Move the rest without it.",
    );
  if (!info.isSymlink) throw stays("a pipe, socket or device");
  try {
    await ops.symlink(await ops.readLink(from), to);
    await ops.copyTimes(from, to);
  } catch (error) {
    // The server's permissions do not include making links: with one, a tool could name what is outside the roots.
    if (error instanceof Deno.errors.NotCapable) throw stays("a symbolic link");
    throw error;
  }
}

/** Copies content, waits for the disk, and reads the copy back. */
async function copyFile(ops: FileOps, from: string, to: string, { show, signal }: MoveOptions): Promise<void> {
  const sent = createHash("sha256");
  {
    using source = await ops.open(from, { read: true });
    using target = await ops.open(to, { write: true, createNew: true, mode: 0o600 });
    await eachChunk(source, signal, async (chunk) => {
      sent.update(chunk);
      await writeAll(target, chunk);
    });
    await target.sync();
  }
  const stored = createHash("sha256");
  using copy = await ops.open(to, { read: true });
  await eachChunk(copy, signal, (chunk) => Promise.resolve(void stored.update(chunk)));
  if (sent.digest("hex") !== stored.digest("hex")) {
    throw new OpsError("WRITE_FAILED", `the copy of '${show(from)}' differs from it`);
  }
}

async function eachChunk(
  file: { read(into: Uint8Array): Promise<number | null> },
  signal: AbortSignal | undefined,
  use: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (let count = await file.read(buffer); count !== null; count = await file.read(buffer)) {
    signal?.throwIfAborted();
    await use(buffer.subarray(0, count));
  }
}

/** Owner where that is possible, extended attributes, mode, times, in the order in which they last. */
async function dress(
  ops: FileOps,
  info: Deno.FileInfo,
  from: string,
  to: string,
  { copyAttributes, show }: MoveOptions,
): Promise<void> {
  const made = await ops.lstat(to);
  if (made.uid !== info.uid || made.gid !== info.gid) await ops.chown(to, info.uid, info.gid).catch(() => {});
  if (copyAttributes !== undefined && !await copyAttributes(from, to)) {
    throw new OpsError(
      "WRITE_FAILED",
      `the extended attributes of '${show(from)}' cannot be kept on the other file system`,
      "Copy it with run_cmd if they do not matter.",
    );
  }
  await ops.chmod(to, (info.mode ?? 0o644) & 0o7777);
  await ops.copyTimes(from, to);
}
