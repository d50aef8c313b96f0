/** Lazily computed values. @module */

/** Calls `make` when its result is first wanted, and never again. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** As {@link once}, for what may fail: the caller gets the error, and the next call tries again. */
export function onceDone<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    if (made !== undefined) return made;
    const mine = made = make();
    mine.catch(() => made = undefined);
    return mine;
  };
}
