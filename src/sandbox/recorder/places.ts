/**
 * Finds the entry that a waiting call names, as the program would find it: in its own mounts, from its own folder, with its own
 * links. Folders are opened only to be named (O_PATH), and no file at all. A program that changes links meanwhile leads
 * this to an entry that it could have named itself.
 * @module
 */
import { encodeText } from "../../core/bytes.ts";
import { joinPath } from "../../core/path.ts";
import { O_CLOEXEC, O_DIRECTORY, O_NOFOLLOW } from "../../sys/files/open_flags.ts";
import { openBelow, type RecorderLibc, RESOLVE } from "./kernel.ts";
import type { WaitingCall } from "./listener.ts";
import type { NamedEntry } from "./recorded_calls.ts";

/** An entry in a folder that stays what it is while it is open. */
export interface HeldPlace {
  /** Descriptor of the folder; `close` it. */
  readonly folder: number;
  readonly name: string;
  /** Without links, as it was a moment ago. */
  readonly path: string;
  close(): void;
}

/** `elsewhere`: nowhere in the roots; `unknown`: it cannot be told. */
export type FoundPlace = HeldPlace | "elsewhere" | "unknown";

/** Finds entries. */
export interface Places {
  find(call: WaitingCall, named: NamedEntry): FoundPlace;
}

const O_PATH = 0o10000000, FOLDER = O_PATH | O_DIRECTORY | O_CLOEXEC;
const O_CREAT = 0o100, O_EXCL = 0o200, O_TMPFILE = 0o20000000, AT_NOFOLLOW = 0x100, AT_FOLLOW = 0x400;
const AT_FDCWD = -100, PAGE_BYTES = 4_096n, MAX_PATH_BYTES = 4_096, MAX_LINKS = 40;
/** Where the entries of the machine are, and nothing that can be undone. */
const NOT_FILES = /^\/(?:dev|proc|sys|newroot|oldroot)(?:\/|$)/;
/** A descriptor of the program, by name. */
const OWN_DESCRIPTOR = /^\/(?:proc\/(?:self|thread-self)\/fd|dev\/fd)\/(\d+)$/;
const STREAMS: Readonly<Record<string, string>> = { "/dev/stdin": "0", "/dev/stdout": "1", "/dev/stderr": "2" };
/** A way to files that leads through a process. */
const OWN_WAY = /^\/proc\/(?:self|thread-self)\/(cwd|root)(?:\/|$)/, ANY_WAY = /^\/proc\/.*\/(?:fd|cwd|root)(?:\/|$)/;

/** @param isRecorded Whether what is at a path is recorded. */
export function makePlaceFinder(libc: RecorderLibc, isRecorded: (path: string) => boolean): Places {
  const buffer = new Uint8Array(MAX_PATH_BYTES), decoder = new TextDecoder("utf-8", { fatal: true });
  const addressOf = (bytes: Uint8Array<ArrayBuffer>) => BigInt(Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes)));
  const local = new BigUint64Array([addressOf(buffer), 0n]), remote = new BigUint64Array(2);
  const localBytes = new Uint8Array(local.buffer), remoteBytes = new Uint8Array(remote.buffer);

  /** Page by page, because the next one may not be there. @returns null for what cannot be read, or is not UTF-8. */
  const textAt = (tid: number, pointer: bigint): string | null => {
    for (let length = 0; length < MAX_PATH_BYTES;) {
      const from = pointer + BigInt(length), toPageEnd = PAGE_BYTES - from % PAGE_BYTES;
      const size = Math.min(Number(toPageEnd), MAX_PATH_BYTES - length);
      [local[0], local[1], remote[0], remote[1]] = [bufferAt + BigInt(length), BigInt(size), from, BigInt(size)];
      const count = Number(libc.process_vm_readv(tid, localBytes, 1n, remoteBytes, 1n, 0n));
      if (count <= 0) return null;
      const end = buffer.subarray(length, length + count).indexOf(0);
      if (end >= 0) return textOf(buffer.subarray(0, length + end));
      length += count;
    }
    return null;
  };
  const bufferAt = addressOf(buffer);
  const textOf = (bytes: Uint8Array): string | null => {
    try {
      return decoder.decode(bytes);
    } catch {
      return null;
    }
  };
  const linkBuffer = new Uint8Array(MAX_PATH_BYTES);
  const readLink = (folder: number, name: string): string | null => {
    const length = Number(libc.readlinkat(folder, cString(name), linkBuffer, BigInt(MAX_PATH_BYTES)));
    return length < 0 ? null : textOf(linkBuffer.subarray(0, length));
  };
  const ofProcess = (tid: number, what: string): string | null => readLink(AT_FDCWD, `/proc/${tid}/${what}`);

  /** Absolute, links included; null where it cannot be told. */
  const pathOf = (call: WaitingCall, { path, fd }: NamedEntry): string | null => {
    const { tid } = call, text = path === undefined ? "" : textAt(tid, call.argument(path));
    if (text === null) return null;
    if (text.startsWith("/")) return text;
    const number = fd === undefined ? AT_FDCWD : call.int(fd);
    const base = ofProcess(tid, number === AT_FDCWD ? "cwd" : `fd/${number}`);
    if (text === "") return path === undefined || base === null ? base : joinPath(base, "");
    return base === null ? null : joinPath(base, text);
  };

  /** Through the program's own root, so that not even a link leads out of what it sees. */
  const openFolder = (tid: number, path: string): number => {
    const root = libc.open(cString(`/proc/${tid}/root`), FOLDER, 0);
    if (root < 0) return -1;
    try {
      return openBelow(libc, root, cString(path), FOLDER, RESOLVE.inRoot);
    } finally {
      libc.close(root);
    }
  };

  const placeOf = (tid: number, given: string, follows: boolean): FoundPlace => {
    let path = given;
    for (let links = 0; links < MAX_LINKS; links++) {
      const descriptor = follows ? OWN_DESCRIPTOR.exec(path)?.[1] ?? STREAMS[path] : undefined;
      if (descriptor !== undefined) return placeOfDescriptor(tid, descriptor);
      const way = OWN_WAY.exec(path);
      if (way) path = joinPath(ofProcess(tid, way[1] ?? "") ?? "", path.slice(way[0].length));
      else if (NOT_FILES.test(path)) return ANY_WAY.test(path) ? "unknown" : "elsewhere";
      const [parent, name] = split(path);
      const folder = openFolder(tid, parent);
      if (folder < 0) return "elsewhere"; // the call fails as well
      const real = readLink(AT_FDCWD, `/proc/self/fd/${folder}`);
      const target = follows && name !== "" ? readLink(folder, name) : null;
      if (target === null) {
        const entry = real === null ? "" : name === "" ? real : joinPath(real, name);
        if (real !== null && isRecorded(entry)) {
          const close = () => void libc.close(folder);
          return { folder, name: name === "" ? "." : name, path: entry, close };
        }
        libc.close(folder);
        return "elsewhere";
      }
      libc.close(folder);
      path = target.startsWith("/") ? target : joinPath(real ?? "/", target);
    }
    return "elsewhere"; // a circle of links
  };

  const placeOfDescriptor = (tid: number, descriptor: string): FoundPlace => {
    const path = ofProcess(tid, `fd/${descriptor}`);
    return path?.startsWith("/") ? placeOf(tid, path, false) : "elsewhere"; // a pipe
  };

  return {
    find(call, named) {
      const path = pathOf(call, named);
      if (path === null) return "unknown";
      if (!path.startsWith("/")) return "elsewhere"; // a pipe or socket
      const { follows } = named, flags = typeof follows === "boolean" ? 0 : call.int(follows.arg);
      if (typeof follows !== "boolean" && follows.kind === "open" && (flags & O_TMPFILE) !== 0) return "elsewhere";
      return placeOf(call.tid, path, typeof follows === "boolean" ? follows : followsBy(follows.kind, flags));
    },
  };
}

function followsBy(kind: "open" | "at" | "link", flags: number): boolean {
  if (kind === "link") return (flags & AT_FOLLOW) !== 0;
  if (kind === "at") return (flags & AT_NOFOLLOW) === 0;
  return (flags & O_NOFOLLOW) === 0 && (flags & (O_CREAT | O_EXCL)) !== (O_CREAT | O_EXCL);
}

/** The folder and the name in it; no name for a path that ends in `.` or `..`. */
function split(path: string): readonly [folder: string, name: string] {
  const trimmed = path.replace(/\/+$/, ""), at = trimmed.lastIndexOf("/"), name = trimmed.slice(at + 1);
  return name === "" || name === "." || name === ".." ? [trimmed || "/", ""] : [trimmed.slice(0, at) || "/", name];
}

function cString(text: string): Uint8Array<ArrayBuffer> {
  return encodeText(`${text}\0`);
}
