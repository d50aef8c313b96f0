/** Backs up files before a change of several: in the data directory, or beside them. @module */
import { compactTime } from "../../core/time.ts";
import { parentOf } from "../../core/path.ts";
import { OpsError } from "../../core/error.ts";
import { errnoOf, type FileOps, removeQuietly, writeAll } from "./ops.ts";

/** One change's copies. */
export interface BackupSet {
  /** Copies a file before it changes. */
  keep(path: string, info: Deno.FileInfo): Promise<void>;
  /** Where the copies are. */
  readonly paths: readonly string[];
  /** Removes them: the change did not happen. */
  discard(): Promise<void>;
}

/** Where copies go. */
export type BackupPlace = { readonly beside: true } | { readonly beside: false; readonly directory: string };

const CHUNK_BYTES = 1024 * 1024;
/** Sets in the data directory; the oldest go first. */
const MAX_SETS = 100;
const MAX_BESIDE = 1_000;

/** Starts a set. Its directory is named by time, so that names sort by age. */
export function makeBackupSet(ops: FileOps, place: BackupPlace, nowMs: number): BackupSet {
  const time = compactTime(nowMs);
  const set = place.beside ? "" : `${place.directory}/${time}-${crypto.randomUUID().slice(0, 8)}`;
  const paths: string[] = [];
  return {
    paths,
    async keep(path, info) {
      const copy = place.beside ? await freeName(ops, path) : `${set}${path}`;
      if (!place.beside) await makeSet(ops, parentOf(copy));
      paths.push(copy); // before the copy: half of one is to be discarded, too
      await copyContent(ops, path, copy, place.beside ? (info.mode ?? 0o600) & 0o777 : 0o600);
    },
    async discard() {
      for (const path of paths) await removeQuietly(ops, path);
      if (!place.beside && paths.length > 0) await ops.removeTree(set).catch(() => {});
    },
  };
}

/** Removes the oldest sets of a directory. Never throws. */
export async function pruneBackups(ops: FileOps, directory: string): Promise<void> {
  try {
    const sets: string[] = [];
    for await (const { name, isDirectory } of ops.readDir(directory)) {
      if (isDirectory && /^\d{8}T\d{6}Z-[0-9a-f]{8}$/.test(name)) sets.push(name);
    }
    for (const name of sets.sort().slice(0, Math.max(0, sets.length - MAX_SETS))) {
      await ops.removeTree(`${directory}/${name}`);
    }
  } catch {
    // Old copies that stay longer do no harm.
  }
}

async function freeName(ops: FileOps, path: string): Promise<string> {
  for (let count = 0; count < MAX_BESIDE; count++) {
    const name = `${path}.bak${count === 0 ? "" : `.${count}`}`;
    try {
      await ops.lstat(name);
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return name;
      throw error;
    }
  }
  return `${path}.bak.${crypto.randomUUID().slice(0, 8)}`;
}

/** @throws OpsError that blames the data directory: the file itself may be as good as ever. */
async function makeSet(ops: FileOps, path: string): Promise<void> {
  try {
    await makeParents(ops, path);
  } catch (error) {
    const isMissing = error instanceof Deno.errors.NotCapable ||
      ["EACCES", "EPERM", "ENOTDIR"].includes(errnoOf(error));
    if (!isMissing) throw error;
    const message = "what would be replaced cannot be kept in the data directory";
    throw new OpsError("WRITE_FAILED", message, "Nothing was changed. The operator should check mcp.data_dir.");
  }
}

async function makeParents(ops: FileOps, path: string): Promise<void> {
  try {
    await ops.mkdir(path, 0o700);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return;
    if (errnoOf(error) !== "ENOENT") throw error;
    await makeParents(ops, parentOf(path));
    await ops.mkdir(path, 0o700);
  }
}

async function copyContent(ops: FileOps, from: string, to: string, mode: number): Promise<void> {
  using source = await ops.open(from, { read: true });
  using target = await ops.open(to, { write: true, createNew: true, mode });
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (let count = await source.read(buffer); count !== null; count = await source.read(buffer)) {
    await writeAll(target, buffer.subarray(0, count));
  }
}
