/** Takes snapshots of single file system entries, to compare and to restore them. @module */
import { createHash } from "node:crypto";
import { errnoOf, type FileOps, readAt } from "./ops.ts";

/** The state of an entry; what is absent is unknown, or means nothing for its kind. */
export interface EntryState {
  readonly kind: "absent" | "file" | "dir" | "symlink" | "other";
  /** Permission bits, of files and directories. */
  readonly mode?: number;
  readonly uid?: number | null;
  readonly gid?: number | null;
  readonly sizeBytes?: number;
  /** Hex; absent for a file that was too large to read. */
  readonly sha256?: string;
  /** What a link says. */
  readonly target?: string;
  /** Extended attributes and access lists, in base64. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly mtimeMs?: number;
  /** Device and inode. */
  readonly inode?: string;
  /** Names of a file, when it has several. */
  readonly links?: number;
}

/** A state and, of a file that was read, its content. */
export interface EntrySnapshot {
  readonly state: EntryState;
  readonly data: Uint8Array | null;
  /** Of a regular file: see {@link stampOf}. */
  readonly stamp?: string;
}

/** An entry of a tree. */
export interface FoundEntry {
  readonly path: string;
  readonly snapshot: EntrySnapshot;
}

/** Reads and sets extended attributes. */
export interface AttributeAccess {
  read(path: string): Readonly<Record<string, string>>;
  /** Sets these and removes others; false when one could not be set. */
  replace(path: string, attributes: Readonly<Record<string, string>>): boolean;
}

/** What a snapshot is taken with. */
export interface SnapshotDeps {
  readonly ops: FileOps;
  readonly attributes?: AttributeAccess | undefined;
}

/** Nothing is there. */
export const ABSENT: EntrySnapshot = { state: { kind: "absent" }, data: null };

/** Looks at an entry. @param limitBytes A larger file is not read. */
export async function snapshotEntry(deps: SnapshotDeps, path: string, limitBytes: number): Promise<EntrySnapshot> {
  try {
    return await look(deps, path, limitBytes);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error))) return ABSENT;
    throw error;
  }
}

async function look({ ops, attributes }: SnapshotDeps, path: string, limitBytes: number): Promise<EntrySnapshot> {
  const info = await ops.lstat(path);
  if (info.isSymlink) return { state: { kind: "symlink", target: await ops.readLink(path) }, data: null };
  const { uid, gid } = info, mode = (info.mode ?? 0) & 0o7777, inode = `${info.dev}:${info.ino}`;
  const named = attributes?.read(path) ?? {};
  const common = { mode, uid, gid, inode, ...Object.keys(named).length > 0 ? { attributes: named } : {} };
  if (info.isDirectory) return { state: { kind: "dir", ...common }, data: null };
  if (!info.isFile) return { state: { kind: "other", ...common }, data: null };
  const links = (info.nlink ?? 1) > 1 ? { links: info.nlink ?? 1 } : {};
  const file = { kind: "file" as const, ...common, ...links };
  if (info.size > limitBytes) return { state: { ...file, ...sizeOf(info) }, data: null, stamp: stampOf(info) };
  using opened = await ops.open(path, { read: true });
  const read = await opened.stat();
  const data = await readAt(opened, 0, read.size), sha256 = createHash("sha256").update(data).digest("hex");
  return { state: { ...file, ...sizeOf(read), sha256 }, data, stamp: stampOf(read) };
}

/** See {@link FoundEntry}; directories come after what is in them. */
export async function* snapshotsBelow(
  deps: SnapshotDeps,
  path: string,
  limitBytes: () => number,
  signal?: AbortSignal,
): AsyncIterable<FoundEntry> {
  signal?.throwIfAborted();
  const snapshot = await snapshotEntry(deps, path, limitBytes());
  if (snapshot.state.kind === "dir") {
    for await (const { name } of deps.ops.readDir(path)) {
      yield* snapshotsBelow(deps, `${path}/${name}`, limitBytes, signal);
    }
  }
  yield { path, snapshot };
}

/** Whether an entry is in a recorded state, as far as the record says. */
export function fitsState(present: EntryState, recorded: EntryState): boolean {
  if (present.kind !== recorded.kind) return false;
  const isUnread = recorded.kind === "file" && recorded.sha256 === undefined && recorded.sizeBytes !== undefined;
  const keys = isUnread ? [...COMPARED, "sizeBytes", "mtimeMs", "inode"] as const : COMPARED;
  return keys.every((key) => recorded[key] === undefined || recorded[key] === present[key]) &&
    (recorded.mode === undefined || sameAttributes(present.attributes ?? {}, recorded.attributes ?? {}));
}

const COMPARED = ["mode", "uid", "gid", "sha256", "target"] as const;

function sameAttributes(some: Readonly<Record<string, string>>, others: Readonly<Record<string, string>>): boolean {
  const text = (all: Readonly<Record<string, string>>) => JSON.stringify(Object.entries(all).sort());
  return text(some) === text(others);
}

/** Changes whenever the content does, as far as the file system can tell. */
export function stampOf(info: Deno.FileInfo): string {
  return `${info.ino} ${info.size} ${info.mtime?.getTime()}`;
}

function sizeOf({ size, mtime }: Deno.FileInfo): Pick<EntryState, "sizeBytes" | "mtimeMs"> {
  return { sizeBytes: size, mtimeMs: mtime?.getTime() ?? 0 };
}
