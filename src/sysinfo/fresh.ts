/** Caches an answer briefly, so that concurrent callers share one reading. @module */

/** Remembers the last answer of `read` for `lifeMs`; a failed one is not remembered. */
export function makeFresh<T>(read: () => Promise<T>, lifeMs: number): () => Promise<T> {
  let last: { readonly answer: Promise<T>; readonly untilMs: number } | undefined;
  return () => {
    if (last && performance.now() < last.untilMs) return last.answer;
    const answer = read();
    const mine = last = { answer, untilMs: performance.now() + lifeMs };
    answer.catch(() => {
      if (last === mine) last = undefined;
    });
    return answer;
  };
}
