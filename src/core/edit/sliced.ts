/** Runs long pure work in bounded slices, so that timers and other calls run in between. @module */
import { sleep } from "../time.ts";

/** Work that pauses at `yield`; when it is answered `true` its time is up, and it returns the best it has. */
export type SlicedWork<T> = Generator<void, T, boolean>;

/** Bounds of sliced work. */
export interface SliceOptions {
  /** Processor time after which the work must come to an end. */
  readonly budgetMs?: number;
  /** Longest stretch without a pause. */
  readonly sliceMs?: number;
  /** Ends the work as if its time were up. */
  readonly signal?: AbortSignal;
}

/** Runs work to its end or to the end of its budget, giving way to the event loop after every slice. */
export async function runSliced<T>(
  work: SlicedWork<T>,
  { budgetMs = 200, sliceMs = 6, signal }: SliceOptions = {},
): Promise<T> {
  let usedMs = 0;
  let stop = false;
  while (true) {
    const startMs = performance.now();
    let step = work.next(stop);
    let tookMs = performance.now() - startMs;
    while (!step.done && tookMs < sliceMs) {
      step = work.next(stop);
      tookMs = performance.now() - startMs;
    }
    if (step.done) return step.value;
    usedMs += tookMs;
    stop = usedMs + sliceMs >= budgetMs || signal?.aborted === true;
    await sleep(0);
  }
}
