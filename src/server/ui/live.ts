/** Updates open pages live: one shared timer, and only what has changed is sent. @module */
import type { Markup } from "./markup.ts";
import type { Moment, Moments } from "./moment.ts";
import { COMMON_PARTS, type PageName, PAGES } from "./page_table.ts";
import type { View } from "./part.ts";
import { stateOf } from "./state.ts";

/** What an open page shows; `state` is the same as plain data, for programs. */
export interface Watched {
  readonly kind: PageName | "state";
  readonly view: View;
  /** Whether it may go on; asked at every beat. */
  isOpen(): boolean;
}

/** The streams of all open pages. */
export interface Live {
  /** Null when too many are open. */
  open(watched: Watched): ReadableStream<Uint8Array> | null;
  /** Something happened: tell soon, not only at the next beat. */
  kick(): void;
  /** Ends all streams. */
  close(): void;
}

const BEAT_MS = 1_000;
/** Several calls that end together are told together. */
const KICK_MS = 200;
const INDEX_BEATS = 5;
/** Silence that a proxy in between does not take for the end. */
const QUIET_BEATS = 15;
const MAX_STREAMS = 64;

const encoder = new TextEncoder();

interface Reader {
  readonly watched: Watched;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  /** What it was last told, by part. */
  readonly told: Map<string, string>;
  quietBeats: number;
}

/** Makes it; nothing runs while no page is open. */
export function makeLive(moments: Moments): Live {
  const readers = new Set<Reader>();
  let timer: ReturnType<typeof setInterval> | undefined, kicked: ReturnType<typeof setTimeout> | undefined;
  let beats = 0;

  function drop(reader: Reader): void {
    readers.delete(reader);
    if (readers.size > 0) return;
    clearInterval(timer);
    clearTimeout(kicked);
    timer = kicked = undefined;
  }

  function tellAll(): void {
    clearTimeout(kicked);
    kicked = undefined;
    const render = makeRenderer(moments.now());
    for (const reader of readers) {
      if (!reader.watched.isOpen()) end(reader, "over");
      // A reader that does not keep up gets the newest state when it does.
      else if ((reader.controller.desiredSize ?? 0) > 0) tell(reader, render(reader.watched));
    }
  }

  function beat(): void {
    const storageIsOpen = [...readers].some(({ watched }) => watched.kind === "storage");
    if (storageIsOpen && beats++ % INDEX_BEATS === 0) void moments.refreshIndex();
    tellAll();
  }

  function end(reader: Reader, event: string): void {
    drop(reader);
    reader.controller.enqueue(encoder.encode(`event: ${event}\ndata:\n\n`));
    reader.controller.close();
  }

  return {
    open(watched) {
      if (readers.size >= MAX_STREAMS) return null;
      let reader: Reader | undefined;
      return new ReadableStream({
        start(controller) {
          reader = { watched, controller, told: new Map(), quietBeats: 0 };
          readers.add(reader);
          timer ??= setInterval(beat, BEAT_MS);
          tell(reader, makeRenderer(moments.now())(watched));
        },
        cancel: () => reader && drop(reader),
      }, { highWaterMark: 4 });
    },
    kick() {
      if (readers.size > 0) kicked ??= setTimeout(tellAll, KICK_MS);
    },
    close() {
      for (const reader of readers) end(reader, "closing");
    },
  };
}

function tell(reader: Reader, parts: ReadonlyMap<string, string>): void {
  let text = "";
  for (const [id, content] of parts) {
    if (reader.told.get(id) === content) continue;
    reader.told.set(id, content);
    text += `event: part\ndata: ${JSON.stringify({ id, content })}\n\n`; // JSON has no bare line break
  }
  reader.quietBeats = text === "" ? reader.quietBeats + 1 : 0;
  if (text === "" && reader.quietBeats < QUIET_BEATS) return;
  reader.quietBeats = 0;
  reader.controller.enqueue(encoder.encode(text === "" ? ": still here\n\n" : text));
}

/** Renders each part of a moment once, however many look at it. */
function makeRenderer(moment: Moment): (watched: Watched) => ReadonlyMap<string, string> {
  const rendered = new Map<string, string>();
  const renderOnce = (key: string, render: () => Markup | string): string => {
    const known = rendered.get(key) ?? String(render());
    rendered.set(key, known);
    return known;
  };
  return ({ kind, view }) => {
    if (kind === "state") return new Map([["state", renderOnce("state", () => JSON.stringify(stateOf(moment)))]]);
    const { range, mayAct, item, piece } = view;
    const from = piece && "slice" in piece ? piece.slice.startByte : "";
    const suffix = JSON.stringify([range, mayAct, item, from]);
    return new Map(
      [...COMMON_PARTS, ...PAGES[kind].parts].map((
        part,
      ) => [part.id, renderOnce(`${part.id} ${suffix}`, () => part.render(moment, view))]),
    );
  };
}
