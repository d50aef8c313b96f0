/** Opens regular files only: a pipe or a device would block a reader for ever. @module */
import { OpsError } from "../../core/error.ts";
import { fileError, isDirectory } from "./file_error.ts";
import { type OpenFile, openFile } from "./open_file.ts";

/** What an entry of the file system is. */
export type FileType = "file" | "dir" | "symlink" | "fifo" | "socket" | "char_device" | "block_device" | "other";

/** Names the type in one word. */
export function fileType(info: Deno.FileInfo): FileType {
  if (info.isFile) return "file";
  if (info.isDirectory) return "dir";
  if (info.isSymlink) return "symlink";
  if (info.isFifo) return "fifo";
  if (info.isSocket) return "socket";
  if (info.isCharDevice) return "char_device";
  return info.isBlockDevice ? "block_device" : "other";
}

/** An open regular file; close it. */
export interface RegularFile extends Disposable {
  readonly file: OpenFile;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Differs for every content that the file has had; null while that cannot be told. */
  readonly version: string | null;
}

/** What was changed less long ago may change again without another time to show for it. */
const SETTLED_S = 3;

/**
 * Opens a regular file for reading.
 *
 * @param path Real path: links are resolved already.
 * @param shown The path as the caller knows it, for messages.
 * @throws OpsError IS_DIRECTORY, INVALID_PATH for pipes, sockets and devices, NOT_FOUND, PERMISSION_DENIED.
 */
export async function openRegular(path: string, shown: string = path): Promise<RegularFile> {
  try {
    lookFirst(path, shown);
    const file = openFile(path, { read: true });
    const close = () => file[Symbol.dispose]();
    try {
      const info = await file.stat();
      requireRegular(info, shown);
      const mtimeMs = Math.trunc(info.mtime?.getTime() ?? 0);
      return { file, sizeBytes: info.size, mtimeMs, version: versionOf(info), [Symbol.dispose]: close };
    } catch (error) {
      close();
      throw error;
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENXIO") {
      throw notRegular("socket or device", shown);
    }
    throw fileError(error, shown);
  }
}

/**
 * Opening does something to a pipe, whose writer goes on and dies, and to some devices: a lost race may, a mistake may not.
 * Whoever knows the real path has just looked at it, so that this takes less time than to hand it to a thread.
 */
function lookFirst(path: string, shown: string): void {
  requireRegular(Deno.lstatSync(path), shown);
}

function requireRegular(info: Deno.FileInfo, shown: string): void {
  const type = fileType(info);
  if (type === "dir") throw isDirectory(shown);
  if (type !== "file") throw notRegular(type === "fifo" ? "named pipe" : type.replace("_", " "), shown);
}

function notRegular(kind: string, shown: string): OpsError {
  return new OpsError("INVALID_PATH", `'${shown}' is a ${kind}, not a regular file`, "Only regular files can be read.");
}

/**
 * From what a program cannot set back: the time of the last change of status. Its seconds only, because Deno takes the fraction
 * from the time of the last change of content.
 */
function versionOf({ dev, ino, size, mtime, ctime }: Deno.FileInfo): string | null {
  if (ino === null || mtime === null || ctime === null) return null;
  const changedS = Math.floor(ctime.getTime() / 1000);
  return Date.now() / 1000 - changedS < SETTLED_S ? null : [dev, ino, size, mtime.getTime(), changedS].join(" ");
}
