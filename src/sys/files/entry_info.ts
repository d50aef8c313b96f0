/** Describes one file system entry without following links. @module */
import { OpsError } from "../../core/error.ts";
import { type Entries, entriesByPath } from "./entries.ts";
import { fileError } from "./file_error.ts";
import { type FileType, fileType } from "./open_regular.ts";

/** Facts of an entry. */
export interface EntryInfo {
  readonly type: FileType;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number | null;
  readonly gid: number | null;
  readonly links: number | null;
  /** What a link says, as it is written; null for everything else. */
  readonly target: string | null;
}

const PERMISSION_BITS = 0o7777;

/** Looks at an entry. @param shown The path as the caller knows it. @throws OpsError NOT_FOUND, PERMISSION_DENIED. */
export async function entryInfo(
  path: string,
  shown: string,
  entries: Entries = entriesByPath,
): Promise<EntryInfo> {
  try {
    const info = await Promise.try(() => entries.lstat(path));
    return {
      type: fileType(info),
      sizeBytes: info.size,
      mtimeMs: info.mtime?.getTime() ?? 0,
      mode: (info.mode ?? 0) & PERMISSION_BITS,
      uid: info.uid,
      gid: info.gid,
      links: info.nlink,
      target: info.isSymlink ? entries.readLink(path) : null,
    };
  } catch (error) {
    throw fileError(error, shown);
  }
}

/** @throws OpsError NOT_A_DIRECTORY unless it is one, and as {@link entryInfo}. */
export async function requireDirectory(path: string, shown: string, entries?: Entries): Promise<EntryInfo> {
  const info = await entryInfo(path, shown, entries);
  if (info.type === "dir") return info;
  throw new OpsError("NOT_A_DIRECTORY", `'${shown}' is a ${info.type.replace("_", " ")}`, "Give a directory.");
}
