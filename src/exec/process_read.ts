/** Reads the output of a managed process: what is new, after waiting for text, a pattern or the end. @module */
import { sleep } from "../core/time.ts";
import { byteLength } from "../core/bytes.ts";
import { compilePattern, type Matcher } from "../core/linear_pattern.ts";
import { settledLength, settleLines, stripControls } from "../condense/output_text.ts";
import type { Entry } from "./process_table.ts";
import type { ReadOutcome, ReadRequest } from "./processes.ts";

const DEFAULT_BYTES = 24 * 1024, MAX_BYTES = 256 * 1024;
/** Output that pauses for this long is taken as one answer, but it is not waited for longer than the second figure. */
const QUIET_MS = 4, MOST_MS = 40;
/** Of what arrives at once, a pattern is looked for in the last part only. */
const MATCHED_BYTES = 64 * 1024;

/** Waits as the request asks, then reads. Never rejects for a process that has ended. */
export async function readProcess(entry: Entry, request: ReadRequest, signal: AbortSignal): Promise<ReadOutcome> {
  const { output } = entry.run;
  const offset = Math.max(0, request.offset ?? entry.nextOffset);
  const watch = request.waitFor === undefined ? null : watchPattern(entry, offset, request.waitFor);
  const isDone = (): boolean =>
    entry.run.exit !== null || (watch ? watch.look() : request.waitForExit !== true && output.bytes > offset);
  await waitUntil(entry, isDone, request.timeoutMs, signal);
  if (!watch && request.waitForExit !== true && request.timeoutMs > 0) await waitForPause(entry);
  signal.throwIfAborted(); // what nobody gets has not been read
  return readNow(entry, offset, request, watch ? watch.look() : null);
}

function readNow(entry: Entry, offset: number, request: ReadRequest, matched: boolean | null): ReadOutcome {
  const { output, exit } = entry.run;
  const slice = output.read(offset, Math.min(MAX_BYTES, Math.max(64, request.maxBytes ?? DEFAULT_BYTES)));
  // A sequence that the next bytes complete is left for the next read, which sees it as a whole.
  const settled = exit === null && slice.end === output.bytes && request.keepAnsi !== true
    ? settledLength(slice.text)
    : slice.text.length;
  const raw = slice.text.slice(0, settled);
  const nextOffset = slice.end - byteLength(slice.text.slice(settled));
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
    matched,
  };
}

/** Feeds a pattern with everything from an offset on, once. */
function watchPattern({ run }: Entry, offset: number, source: string): { look(): boolean } {
  const matcher: Matcher = compilePattern(source);
  const { output } = run;
  let fed = offset, found = false;
  return {
    look() {
      if (found || fed >= output.bytes) return found;
      const slice = output.read(Math.max(fed, output.bytes - MATCHED_BYTES), MATCHED_BYTES);
      const settled = run.exit === null ? settledLength(slice.text) : slice.text.length;
      fed = slice.end - byteLength(slice.text.slice(settled));
      // A terminal ends lines with two characters, which nobody who writes a pattern thinks of.
      return found = matcher.feed(stripControls(slice.text.slice(0, settled)).replace(/\r+\n/g, "\n"));
    },
  };
}

/** Waits until something is done, for the given time, or until the caller gives up. */
async function waitUntil({ run }: Entry, isDone: () => boolean, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  const end = (): void => {
    isOver = true;
    resolve();
  };
  const timer = setTimeout(end, timeoutMs);
  signal.addEventListener("abort", end, { once: true });
  // The end of the process counts as a change, so nothing else has to be raced.
  while (!isOver && !signal.aborted && !isDone()) await Promise.race([over, run.output.changed()]);
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
