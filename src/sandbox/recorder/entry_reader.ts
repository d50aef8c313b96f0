/** Reads what an entry is, and copies its content, without following a link or waiting for a pipe. @module */
import { encodeText } from "../../core/bytes.ts";
import { O_CLOEXEC, O_NOFOLLOW, O_NONBLOCK } from "../../sys/files/open_flags.ts";
import { readStatx, STATX_BASIC_AND_BIRTH, STATX_BYTES } from "../../sys/files/statx.ts";
import type { EntryState } from "../../sys/writer/snapshot.ts";
import { errnoNow, openBelow, type RecorderLibc, RESOLVE } from "./kernel.ts";
import type { HeldPlace } from "./places.ts";

/** A copy of a content, or why there is none. */
export type Copied = "copied" | "unreadable" | "room";

/** Reads entries in their folder. */
export interface EntryReader {
  /** Without the hash of a content; null for what cannot be looked at. */
  stateOf(place: HeldPlace): EntryState | null;
  /** Copies a regular file, sharing its blocks where the file system can. @param path Of a new file. */
  copy(place: HeldPlace, path: string): Copied;
}

const AT_SYMLINK_NOFOLLOW = 0x100, ENOENT = 2, ENOTDIR = 20;
const O_WRONLY = 1, O_CREAT = 0o100, O_EXCL = 0o200;
const READ = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, NEW = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
const FICLONE = 0x40049409n, MAX_AT_ONCE = 1n << 30n;
const MAX_ATTRIBUTE_BYTES = 65_536, MAX_LINK_BYTES = 4_096;

/** For the recorder's thread. */
export function makeEntryReader(libc: RecorderLibc): EntryReader {
  const facts = new Uint8Array(STATX_BYTES), view = new DataView(facts.buffer);
  const names = new Uint8Array(MAX_ATTRIBUTE_BYTES), value = new Uint8Array(MAX_ATTRIBUTE_BYTES);
  const link = new Uint8Array(MAX_LINK_BYTES), decoder = new TextDecoder();
  let canClone = true;

  const openEntry = ({ folder, name }: HeldPlace): number =>
    openBelow(libc, folder, cString(name), READ, RESOLVE.noLinks);
  const attributesOf = (fd: number): Record<string, string> => {
    const length = Number(libc.flistxattr(fd, names, BigInt(MAX_ATTRIBUTE_BYTES)));
    if (length <= 0) return {};
    const listed = decoder.decode(names.subarray(0, length)).split("\0");
    return Object.fromEntries(
      listed.filter((name) => name !== "" && !name.startsWith("security.")).flatMap((name) => {
        const size = Number(libc.fgetxattr(fd, cString(name), value, BigInt(MAX_ATTRIBUTE_BYTES)));
        return size < 0 ? [] : [[name, value.subarray(0, size).toBase64()] as const];
      }),
    );
  };
  const opened = (place: HeldPlace): Pick<EntryState, "attributes"> => {
    const fd = openEntry(place);
    if (fd < 0) return {};
    const attributes = attributesOf(fd);
    libc.close(fd);
    return Object.keys(attributes).length > 0 ? { attributes } : {};
  };
  const copyInto = (from: number, to: number): Copied => {
    if (canClone && libc.clone(to, FICLONE, BigInt(from)) === 0) return "copied";
    canClone = false; // the store is on one file system, and the roots seldom on several
    for (;;) {
      const count = Number(libc.sendfile(to, from, null, MAX_AT_ONCE));
      if (count === 0) return "copied";
      if (count < 0) return "room";
    }
  };

  return {
    stateOf(place) {
      if (libc.statx(place.folder, cString(place.name), AT_SYMLINK_NOFOLLOW, STATX_BASIC_AND_BIRTH, facts) < 0) {
        return [ENOENT, ENOTDIR].includes(errnoNow(libc)) ? { kind: "absent" } : null;
      }
      const info = readStatx(view);
      if (info.isSymlink) {
        const length = Number(libc.readlinkat(place.folder, cString(place.name), link, BigInt(MAX_LINK_BYTES)));
        return length < 0 ? null : { kind: "symlink", target: decoder.decode(link.subarray(0, length)) };
      }
      const { uid, gid, nlink } = info, mode = (info.mode ?? 0) & 0o7777, inode = `${info.dev}:${info.ino}`;
      const common = { mode, uid, gid, inode };
      if (info.isDirectory) return { kind: "dir", ...common, ...opened(place) };
      if (!info.isFile) return { kind: "other", ...common };
      const links = (nlink ?? 1) > 1 ? { links: nlink ?? 1 } : {};
      const times = { sizeBytes: info.size, mtimeMs: info.mtime?.getTime() ?? 0 };
      return { kind: "file", ...common, ...links, ...times, ...opened(place) };
    },
    copy(place, path) {
      const from = openEntry(place);
      if (from < 0) return "unreadable";
      const to = libc.open(cString(path), NEW, 0o600);
      const copied = to < 0 ? "room" : copyInto(from, to);
      libc.close(from);
      if (to >= 0) libc.close(to);
      if (copied !== "copied" && to >= 0) libc.unlink(cString(path));
      return copied;
    },
  };
}

function cString(text: string): Uint8Array<ArrayBuffer> {
  return encodeText(`${text}\0`);
}
