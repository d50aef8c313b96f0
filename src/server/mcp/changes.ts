/** Publishes `list_changed` notifications. @module */

/** What changed. */
export type ListName = "tools" | "prompts" | "resources";

/** Passes notifications on to the servers of clients that may want them. */
export interface ListChanges {
  publish(list: ListName): void;
  /** Returns how to stop. */
  subscribe(listener: (list: ListName) => void): () => void;
}

/** Without listeners at first. */
export function makeChanges(): ListChanges {
  const listeners = new Set<(list: ListName) => void>();
  return {
    publish: (list) => listeners.forEach((listener) => listener(list)),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
