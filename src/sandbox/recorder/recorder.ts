/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/**
 * Recorder worker: looks at calls of programs that change files, and keeps what was there before, so that it can be restored. A
 * program always goes on; what could not be kept is written down as lost. It is outside every domain, because it must look
 * into the programs' memory, and opens nothing but what a program named, in the roots.
 * @module
 */
import { isInsideAny } from "../../core/path.ts";
import type { HostConfig } from "../protocol.ts";
import { openRecorderLibc } from "./kernel.ts";
import { openListener, type WaitingCall } from "./listener.ts";
import { makeEntryReader } from "./entry_reader.ts";
import { type FoundPlace, type HeldPlace, makePlaceFinder } from "./places.ts";
import { type NamedEntry, recordedCalls } from "./recorded_calls.ts";
import type { Spool } from "./spool_writer.ts";
import { makeSpools } from "./spools.ts";

/** The first message; the port brings the listener. */
interface Opening {
  readonly host: HostConfig;
  readonly port: MessagePort;
}

const RENAME_EXCHANGE = 2;

function makeRecorder(host: HostConfig): (call: WaitingCall, isThere: () => boolean) => void {
  const { config, ownFolders, runtimeDir, storeDir } = host;
  const closed = [...config.protectedPaths, ...ownFolders, runtimeDir, storeDir];
  const isRecorded = (path: string) => isInsideAny(path, config.roots) && !isInsideAny(path, closed);
  const libc = openRecorderLibc(), reader = makeEntryReader(libc), calls = recordedCalls();
  const places = makePlaceFinder(libc, isRecorded), spools = makeSpools(libc, reader, host);
  const { max_file_bytes } = config.settings.undo;

  const moveOf = (spool: Spool, from: HeldPlace, to: HeldPlace, isExchange: boolean): void => {
    const state = reader.stateOf(from);
    if (state === null) return spool.lose(from.path, "unreadable");
    const isLarge = state.kind === "file" && (state.sizeBytes ?? 0) > max_file_bytes;
    if (state.kind !== "dir" && !isLarge || isExchange && state.kind !== "dir") {
      spool.touch(from, "entry");
      return spool.touch(to, "entry");
    }
    if (isExchange) return spool.lose(from.path, "path");
    if (reader.stateOf(to)?.kind !== "absent") spool.touch(to, "entry");
    spool.moves(from, to, state);
  };
  const record = (
    spool: Spool,
    names: readonly NamedEntry[],
    found: readonly FoundPlace[],
    isExchange: boolean,
  ): void => {
    const [from, to] = found;
    if (names[0]?.role === "from" && isHeld(from) && isHeld(to)) return moveOf(spool, from, to, isExchange);
    if (names[0]?.role === "other" && isHeld(from) && isHeld(to)) spool.links(from.path, to.path);
    found.forEach((place, at) => {
      if (names[at]?.role === "other") return;
      if (isHeld(place)) spool.touch(place, names[at]?.role ?? "entry");
      else if (place === "unknown") spool.lose("", "path");
    });
    // A folder that leaves the roots takes all that is in it along.
    if (names[0]?.role === "from" && isHeld(from) && reader.stateOf(from)?.kind === "dir") {
      spool.lose(from.path, "path");
    }
  };

  return (call, isThere) => {
    const known = calls.get(call.number);
    if (known === undefined) return;
    const found = known.names.map((named) => places.find(call, named));
    try {
      if (found.every((place) => place === "elsewhere") || !isThere()) return;
      const spool = spools.of(call.tid);
      if (spool === null) return;
      const flags = known.renameFlags === undefined ? 0 : call.int(known.renameFlags);
      record(spool, known.names, found, (flags & RENAME_EXCHANGE) !== 0);
    } catch {
      spools.of(call.tid)?.lose("", "unreadable"); // the program goes on, and its operation says that it is not whole
    } finally {
      for (const place of found) if (isHeld(place)) place.close();
    }
  };
}

function isHeld(found: FoundPlace | undefined): found is HeldPlace {
  return typeof found === "object";
}

self.onmessage = ({ data: { host, port } }: MessageEvent<Opening>) => {
  const record = makeRecorder(host);
  port.onmessage = ({ data: fd }: MessageEvent<number | null>) => {
    if (fd !== null) openListener(openRecorderLibc(), fd).serve(record);
    self.close();
  };
};
