/** Writes lines to standard error, which carries the log; standard output carries the protocol. @module */
import { sleep, within } from "../core/time.ts";
import { encodeText } from "../core/bytes.ts";

/** Takes lines, and never makes its caller wait. */
export interface StderrLines {
  /** Writes one line soon. A closed stderr loses it, a full one in the end, and nothing else. */
  write(line: string): void;
  /** Resolves when all lines are written, or none has been read for a moment. */
  flush(): Promise<void>;
}

/** What waits for a reader: many clients never read, and a pipe holds 64 KiB. */
const MAX_WAITING_CHARS = 256 * 1024;
const FLUSH_LIMIT_MS = 200;

/**
 * Makes it.
 *
 * @param onLost Told how many lines were lost, once lines are read again.
 * @param write Writes some of the bytes and returns how many.
 */
export function makeStderrLines(
  onLost: (count: number) => void,
  write: (bytes: Uint8Array) => Promise<number> = (bytes) => Deno.stderr.write(bytes),
): StderrLines {
  let waiting: string[] = [], waitingChars = 0, lost = 0;
  let draining: Promise<void> | undefined;

  const drain = async (): Promise<void> => {
    // Later than what is under way: an answer goes before the line that tells of it.
    await sleep(0);
    while (waiting.length > 0) {
      const bytes = encodeText(waiting.map((line) => `${line}\n`).join(""));
      waiting = [], waitingChars = 0;
      for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await write(rest));
      if (lost === 0) continue;
      onLost(lost);
      lost = 0;
    }
  };
  const start = (): void => {
    draining ??= drain().catch(() => {
      // stderr has no reader any more, and there is no other place to say so
    }).finally(() => {
      draining = undefined;
      if (waiting.length > 0) start(); // a line that came at the last moment
    });
  };

  return {
    write(line) {
      if (waitingChars + line.length > MAX_WAITING_CHARS) lost++;
      else {
        waiting.push(line);
        waitingChars += line.length;
        start();
      }
    },
    async flush() {
      if (draining !== undefined) await within(draining, FLUSH_LIMIT_MS, undefined);
    },
  };
}
