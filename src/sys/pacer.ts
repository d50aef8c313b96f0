/** Yields during long synchronous work, so that other calls are answered. @module */

import { setImmediate } from "node:timers";

/** Work may go on this long before it lets others in. */
const SLICE_MS = 8;
/** A request over HTTP is read and answered in several turns of the event loop: with one between two slices it waits for as many slices. */
const TURNS = 12;

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
    return giveWay().then(() => {
      signal.throwIfAborted();
      until = performance.now() + SLICE_MS;
    });
  };
}

/** Lets the event loop turn; a timer of 0 ms waits for a whole millisecond or two. */
async function giveWay(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Short enough to be sorted within a slice. */
const RUN_LENGTH = 2_048;

/** Sorts a long list, and yields in between. */
export async function sortPaced<T>(list: readonly T[], compare: (a: T, b: T) => number, pacer: Pacer): Promise<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < list.length; at += RUN_LENGTH) {
    await pacer();
    runs.push(list.slice(at, at + RUN_LENGTH).sort(compare));
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, pacer));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merge<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number, pacer: Pacer): Promise<T[]> {
  const merged: T[] = [];
  let next = 0;
  for (const item of a) {
    for (let other = b[next]; other !== undefined && compare(other, item) < 0; other = b[++next]) merged.push(other);
    merged.push(item);
    if (merged.length % RUN_LENGTH === 0) await pacer();
  }
  return merged.concat(b.slice(next));
}
