/** Lazily computed values. @module */

/** Calls `make` when its result is first wanted, and never again. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** As {@link once}, for what may fail: whoever asked then is told, and the next one who asks has it tried again. */
export function onceDone<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    if (made !== undefined) return made;
    const mine = made = make();
    mine.catch(() => made = undefined);
    return mine;
  };
}
