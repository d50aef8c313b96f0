/** Fake clock: a deadline passes when the test says so, and not because the machine is slow. @module */
import assert from "node:assert/strict";
import { eventually } from "./eventually.ts";

/** Timers of one length that were started since, and go off when the test lets them. */
export interface HeldTimers extends Disposable {
  /** Waits until such a timer was started, and lets it go off: one set for once for the last time. */
  goOff(): Promise<void>;
}

/**
 * Holds the timers and intervals of this thread that are set for exactly so long.
 *
 * @param delayMs Of no other timer. Where the code stops a timer, this one stops too.
 */
export function holdTimers(delayMs: number): HeldTimers {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const held = new Map<number, () => void>();
  const forget = (id: number | undefined) => void (id !== undefined && held.delete(id));
  let last = 0;
  const hold = (callback: () => void, isRepeated: boolean): number => {
    const id = --last; // never the id of a real timer
    held.set(id, () => {
      if (!isRepeated) held.delete(id);
      callback();
    });
    return id;
  };
  Object.assign(globalThis, {
    setTimeout: (callback: () => void, ms?: number) =>
      ms === delayMs ? hold(callback, false) : setTimeout(callback, ms),
    setInterval: (callback: () => void, ms?: number) =>
      ms === delayMs ? hold(callback, true) : setInterval(callback, ms),
    clearTimeout: (id?: number) => (forget(id), clearTimeout(id)),
    clearInterval: (id?: number) => (forget(id), clearInterval(id)),
  });
  return {
    async goOff() {
      const [callback] = await eventually(() => {
        assert.ok(held.size > 0, `no timer of ${delayMs} ms was started`);
        return [...held.values()];
      });
      callback?.();
    },
    [Symbol.dispose]: () => void Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval }),
  };
}

/** Stops `performance.now()` of this thread: what is remembered for a moment is never too old. */
export function stopClock(): Disposable {
  const { now } = performance, stoppedMs = performance.now();
  performance.now = () => stoppedMs;
  return { [Symbol.dispose]: () => void (performance.now = now) };
}
