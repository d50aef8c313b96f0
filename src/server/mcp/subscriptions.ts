/** Resource subscriptions of one client of the older protocol. @module */

/** Subscriptions by address. */
export interface Subscriptions {
  /**
   * Begins to watch, unless that is done already or under way. Ended meanwhile, it does not stay.
   *
   * @param watch Resolves to how to stop.
   * @throws whatever `watch` throws
   */
  begin(uri: string, watch: () => Promise<() => void>): Promise<void>;
  end(uri: string): void;
  close(): void;
}

/** Without any at first. */
export function makeSubscriptions(): Subscriptions {
  /** Also those that are still being made. */
  const watched = new Map<string, Promise<() => void>>();
  const end = (uri: string) => {
    watched.get(uri)?.then((stop) => stop(), () => {}); // of what cannot be watched there is nothing to stop
    watched.delete(uri);
  };
  return {
    async begin(uri, watch) {
      const begun = watched.get(uri) ?? watch();
      watched.set(uri, begun);
      await begun.catch((error: unknown) => {
        if (watched.get(uri) === begun) watched.delete(uri);
        throw error;
      });
    },
    end,
    close: () => [...watched.keys()].forEach(end),
  };
}
