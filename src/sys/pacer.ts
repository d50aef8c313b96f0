/** Yields during long synchronous work, so that other calls are answered. @module */

import { setImmediate } from "node:timers";

/** Work may go on this long before it lets others in. */
const SLICE_MS = 8;

/** Asked between two steps of work: something to wait for when the slice is used up, else undefined. */
export type Pacer = () => Promise<void> | undefined;

/**
 * Starts a clock for one piece of work.
 *
 * @param signal Checked at every turn; its reason is thrown.
 */
export function makePacer(signal: AbortSignal): Pacer {
  let until = performance.now() + SLICE_MS;
  return () => {
    signal.throwIfAborted();
    if (performance.now() < until) return undefined;
    // One turn of the event loop; a timer of 0 ms waits for a whole millisecond or two.
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      signal.throwIfAborted();
      until = performance.now() + SLICE_MS;
    });
  };
}
