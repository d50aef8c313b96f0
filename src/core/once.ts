/** Values that are made when somebody asks. @module */

/** Calls `make` when its result is first wanted, and never again. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
