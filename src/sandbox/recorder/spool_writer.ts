/** Writes what programs touch into the spool, before they change it. @module */
import { encodeText } from "../../core/bytes.ts";
import { isInside } from "../../core/path.ts";
import { O_CLOEXEC } from "../../sys/files/open_flags.ts";
import type { EntryState } from "../../sys/writer/snapshot.ts";
import { type Loss, type SpoolLine, spoolNames } from "../../sys/writer/spool.ts";
import type { EntryReader } from "./entry_reader.ts";
import type { RecorderLibc } from "./kernel.ts";
import type { HeldPlace } from "./places.ts";
import type { Role } from "./recorded_calls.ts";

/** What may be written. */
export interface SpoolLimits {
  /** Contents of larger files are not kept. */
  readonly maxFileBytes: number;
  /** Of all spools together. */
  readonly maxBytes: number;
}

/** The spool of one program. */
export interface Spool {
  /** Records an entry when it is touched for the first time, and that it is touched again. */
  touch(place: HeldPlace, role: Role): void;
  /** A file is about to get another name, through which it can be changed. */
  links(path: string, other: string): void;
  /** A folder is about to get another name. */
  moves(from: HeldPlace, to: HeldPlace, state: EntryState): void;
  /** Something changes of which nothing is kept. */
  lose(path: string, loss: Loss): void;
  close(): void;
}

/** What the spool knows of a path. */
interface Touched {
  /** Whether its content is kept, or there was none. */
  hasContent: boolean;
  atMs: number;
}

const O_WRONLY = 1, O_CREAT = 0o100, O_APPEND = 0o2000;
const LOG = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
/** A path that is touched again is recorded so often. */
const AGAIN_MS = 500;
/** One says that an operation is not whole; more say how much is missing. */
const MAX_LOSSES = 1_000;

/** Where the spool of a program is, and what counts. */
export interface SpoolPlace {
  readonly folder: string;
  readonly mark: string;
  readonly limits: SpoolLimits;
  /** Bytes of all spools of this server. */
  usedBytes(): number;
  /** Counts bytes of this one. */
  use(bytes: number): void;
}

/** Opens it; what was written before stays. */
export function openSpool(
  libc: RecorderLibc,
  reader: EntryReader,
  { folder, mark, limits, usedBytes, use }: SpoolPlace,
): Spool {
  const log = libc.open(encodeText(`${folder}/${spoolNames.log(mark)}\0`), LOG, 0o600);
  const touched = new Map<string, Touched>(), inodes = new Map<string, string>();
  /** Names of files by those that the program gave them. */
  const firstNames = new Map<string, string>();
  let images = 0, losses = 0;

  const write = (line: SpoolLine): void => {
    const bytes = encodeText(`${JSON.stringify(line)}\n`);
    use(bytes.length);
    libc.write(log, bytes, BigInt(bytes.length));
  };
  const keep = (
    place: HeldPlace,
    { sizeBytes = 0, inode = "", links = 1 }: EntryState,
  ): Pick<SpoolLine, "image" | "lost"> => {
    // Another name of the same file may have been changed already.
    const known = links > 1 ? inodes.get(inode) : undefined;
    if (known !== undefined) return { image: known };
    if (sizeBytes > limits.maxFileBytes) return { lost: "size" };
    if (usedBytes() + sizeBytes > limits.maxBytes) return { lost: "room" };
    const image = spoolNames.image(mark, ++images), copied = reader.copy(place, `${folder}/${image}`);
    if (copied !== "copied") return { lost: copied };
    use(sizeBytes);
    if (links > 1) inodes.set(inode, image);
    return { image };
  };

  const touchPath = (place: HeldPlace, path: string, role: Role): void => {
    const before = touched.get(path), atMs = Date.now();
    if (before !== undefined && (before.hasContent || role === "facts")) {
      if (atMs - before.atMs < AGAIN_MS) return;
      before.atMs = atMs;
      return write({ atMs, path });
    }
    const state = reader.stateOf(place);
    if (state === null) return write({ atMs, path, state: { kind: "other" }, lost: "unreadable" });
    const isContent = state.kind === "file" && role !== "facts";
    touched.set(path, { hasContent: state.kind !== "file" || isContent, atMs });
    write({ atMs, path, state, ...isContent ? keep(place, state) : {} });
  };

  return {
    touch(place, role) {
      const first = role === "content" ? firstNames.get(place.path) : undefined;
      if (first !== undefined) touchPath(place, first, role);
      touchPath(place, place.path, role);
    },
    links: (path, other) => void firstNames.set(other, firstNames.get(path) ?? path),
    moves(from, to, state) {
      write({ atMs: Date.now(), path: to.path, source: from.path, state });
      // Names below it mean other entries from now on.
      for (const path of touched.keys()) if (isInside(path, from.path) || isInside(path, to.path)) touched.delete(path);
    },
    lose(path, lost) {
      if (++losses <= MAX_LOSSES) write({ atMs: Date.now(), path, state: { kind: "other" }, lost });
    },
    close: () => void libc.close(log),
  };
}
