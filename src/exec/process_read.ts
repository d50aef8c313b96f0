/** Reads the output of a managed process: what is new, after waiting for text, a pattern or the end. @module */
import type { Entry } from "./process_entry.ts";
import { sleep } from "../core/time.ts";
import { byteLength } from "../core/bytes.ts";
import { compilePattern, compileTest, type Matcher } from "../core/linear_pattern.ts";
import { settledLength, settleLines, stripControls } from "../condense/output_text.ts";
import { echoEnd, showsSomething } from "./echo.ts";
import type { Output } from "./output.ts";
import { watchPort } from "./port_watch.ts";
import type { ReadOutcome, ReadRequest } from "./processes.ts";

const DEFAULT_BYTES = 24 * 1024, MAX_BYTES = 256 * 1024;
/** Output that pauses for this long is taken as one answer, but it is not waited for longer than the second figure. */
const QUIET_MS = 4, MOST_MS = 40;
/** Of new output, to see whether anything in it is visible. */
const LOOKED_AT_BYTES = 64 * 1024;
/** Of what arrives at once, a pattern is looked for in the last part only. */
const MATCHED_BYTES = 64 * 1024;

/** Waits as the request asks, then reads. Never rejects for a process that has ended. */
export async function readProcess(entry: Entry, request: ReadRequest, signal: AbortSignal): Promise<ReadOutcome> {
  const { output } = entry.run;
  const startOf = (): number =>
    Math.max(0, request.offset === undefined ? entry.nextOffset : offsetOf(output, request.offset));
  const offset = startOf();
  const watch = request.waitFor === undefined ? null : watchPattern(entry, offset, request);
  using port = request.port === undefined ? null : watchPort(entry.run.child, request.port);
  const waitsForMore = watch !== null || port !== null || request.waitForExit === true;
  const isDone = (): boolean =>
    entry.run.exit !== null || watch?.look() === true || port?.isOpen === true ||
    !waitsForMore && hasAnswer(entry, offset, request);
  await waitUntil(entry, isDone, port?.opened, request.timeoutMs, signal);
  if (!waitsForMore && request.timeoutMs > 0) await waitForPause(entry);
  signal.throwIfAborted(); // output that does not reach the caller has not been read
  const isTail = request.offset !== undefined && request.offset < 0;
  return {
    ...readNow(entry, isTail ? startOf() : offset, request),
    matched: watch ? watch.look() : null,
    matchedLine: watch?.line() ?? null,
    listening: port?.isOpen ?? null,
  };
}

/** The absolute offset of a read: a negative one counts lines from the end of the output so far. */
function offsetOf(output: Output, offset: number): number {
  if (offset >= 0) return offset;
  const from = Math.max(0, output.bytes - MAX_BYTES), { text, end } = output.read(from, MAX_BYTES);
  const lines = text.split("\n"), isClosed = lines.at(-1) === "";
  return end - byteLength(lines.slice(offset - (isClosed ? 1 : 0)).join("\n"));
}

/**
 * Whether there is something new to read. The echo of what was typed is not, nor what a reader does not see: the
 * carriage return of a progress bar, the sequences that a line editor writes.
 */
function hasAnswer(entry: Entry, offset: number, request: ReadRequest): boolean {
  const { sent, run: { output } } = entry;
  const shows = (from: number, to: number): boolean =>
    to > from &&
    (request.keepAnsi === true || showsSomething(output.read(from, Math.min(to - from, LOOKED_AT_BYTES)).text));
  if (sent === null || request.offset !== undefined) return shows(offset, output.bytes);
  if (request.isAnswer !== true && shows(offset, Math.min(sent.at, output.bytes))) return true;
  const start = answerStart(entry);
  return start !== null && shows(Math.max(start, offset), output.bytes);
}

/** Where the answer to what was sent begins; 0 when nothing was sent, null while its echo is still coming. */
function answerStart(entry: Entry): number | null {
  const { sent, run: { output } } = entry;
  if (sent === null) return 0;
  if (sent.typed === "") return sent.at;
  const { text, offset } = output.read(sent.at, LOOKED_AT_BYTES);
  const end = echoEnd(text, sent.typed);
  return end === null ? null : offset + byteLength(text.slice(0, end));
}

type NowRead = Omit<ReadOutcome, "matched" | "matchedLine" | "listening">;

function readNow(entry: Entry, offset: number, request: ReadRequest): NowRead {
  const { output, exit } = entry.run;
  const slice = output.read(offset, Math.min(MAX_BYTES, Math.max(64, request.maxBytes ?? DEFAULT_BYTES)));
  // A sequence that the next bytes complete is left for the next read, which sees it as a whole.
  const settled = exit === null && slice.end === output.bytes && request.keepAnsi !== true
    ? settledLength(slice.text)
    : slice.text.length;
  // Where more follows a read ends with a line: no word, a secret least of all, is told in two parts.
  const lineEnd = slice.end < output.bytes ? slice.text.lastIndexOf("\n", settled - 1) + 1 : 0;
  const isExact = !slice.text.includes("\ufffd", lineEnd); // else the bytes of what is left cannot be counted
  const kept = lineEnd > 0 && isExact ? lineEnd : settled;
  const raw = slice.text.slice(0, kept);
  const nextOffset = slice.end - byteLength(slice.text.slice(kept));
  entry.nextOffset = nextOffset;
  const text = request.keepAnsi === true ? raw : stripControls(raw);
  return {
    output: entry.pty && request.keepAnsi !== true ? settleLines(text) : text,
    state: exit === null ? "running" : "exited",
    offset: slice.offset,
    nextOffset,
    lostBytes: slice.lostBytes,
    more: slice.end < output.bytes,
    exitCode: exit?.code ?? null,
    signal: exit?.signal ?? null,
    digest: null,
  };
}

interface PatternWatch {
  /** Whether it has matched. */
  look(): boolean;
  /** The first line that it matches. */
  line(): string | null;
}

/** Feeds a pattern with everything from an offset on, once, but for the echo of what was typed. */
function watchPattern(entry: Entry, offset: number, request: ReadRequest): PatternWatch {
  const matcher: Matcher = compilePattern(request.waitFor ?? "");
  const { run } = entry, { output } = run;
  const sent = request.offset === undefined ? entry.sent : null;
  let fed = offset, found = false, lastPiece = "";
  const feed = (end: number, isLast: boolean): void => {
    if (found || fed >= end) return;
    const from = Math.max(fed, end - MATCHED_BYTES);
    const slice = output.read(from, end - from);
    const settled = isLast ? slice.text.length : settledLength(slice.text);
    fed = slice.end - byteLength(slice.text.slice(settled));
    // A terminal ends lines with two characters, which is not what a pattern is written for.
    const piece = stripControls(slice.text.slice(0, settled)).replace(/\r+\n/g, "\n");
    lastPiece = lastPiece.slice(lastPiece.lastIndexOf("\n") + 1) + piece;
    found = matcher.feed(piece);
  };
  if (sent && request.isAnswer !== true) feed(sent.at, true);
  return {
    look() {
      const start = sent ? answerStart(entry) : offset;
      if (start === null) return found;
      fed = Math.max(fed, start);
      feed(output.bytes, run.exit !== null);
      return found;
    },
    line() {
      if (!found) return null;
      const matches = compileTest(request.waitFor ?? "");
      return lastPiece.split("\n").find(matches) ?? null; // a pattern may need several lines
    },
  };
}

/** Waits until something is done, for the given time, or until the caller gives up. */
async function waitUntil(
  { run }: Entry,
  isDone: () => boolean,
  other: Promise<void> | undefined,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  const end = (): void => {
    isOver = true;
    resolve();
  };
  const timer = setTimeout(end, timeoutMs);
  signal.addEventListener("abort", end, { once: true });
  // The end of the process counts as a change, so nothing else has to be raced.
  while (!isOver && !signal.aborted && !isDone()) {
    await Promise.race([over, run.output.changed(), ...other ? [other] : []]);
  }
  clearTimeout(timer);
  signal.removeEventListener("abort", end);
  signal.throwIfAborted();
}

async function waitForPause({ run }: Entry): Promise<void> {
  const end = performance.now() + MOST_MS;
  for (let seen = -1; seen !== run.output.bytes && run.exit === null && performance.now() < end;) {
    seen = run.output.bytes;
    await sleep(QUIET_MS);
  }
}
