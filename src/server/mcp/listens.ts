/**
 * Tracks resources that clients of the newer protocol listen to; the SDK keeps the streams but does not report what to
 * watch.
 * @module
 */
import type { Watches } from "./watches.ts";

/** Looks at the messages of one connection. */
export interface Listens {
  /**
   * Starts watching what a `subscriptions/listen` names, and stops when it is cancelled.
   *
   * @returns for a `subscriptions/listen` a promise, which resolves when all is watched, to whether it was not cancelled
   * it in the meantime: a client that is told before misses what changes in between
   */
  look(message: unknown): Promise<boolean> | undefined;
  close(): void;
}

/** @param onChange Called with the address of a resource that has changed. */
export function makeListens(watches: Pick<Watches, "watch">, owner: string, onChange: (uri: string) => void): Listens {
  const listening = new Map<unknown, (() => void)[]>();
  const stop = (id: unknown) => {
    listening.get(id)?.forEach((end) => end());
    listening.delete(id);
  };
  return {
    look(message) {
      const { method, id, params } = Object(message);
      if (method === "notifications/cancelled") stop(Object(params).requestId);
      if (method !== "subscriptions/listen" || id === undefined) return undefined;
      const stops = listening.get(id) ?? [];
      listening.set(id, stops);
      const isWanted = () => listening.get(id) === stops;
      const watched = watchedUris(params).map((uri) =>
        watches.watch(uri, { owner }, () => onChange(uri)).then((end) => {
          if (isWanted()) stops.push(end);
          else end();
        })
      );
      return Promise.allSettled(watched).then(isWanted); // of what cannot be watched nothing is ever told
    },
    close() {
      for (const id of [...listening.keys()]) stop(id);
    },
  };
}

/** One watch for all who watch the same; the first one's callback is called, for all of them. */
export function shareWatches(watches: Watches): Pick<Watches, "watch"> {
  const shared = new Map<string, { users: number; readonly stop: Promise<() => void> }>();
  return {
    async watch(uri, holder, onChange) {
      const key = `${holder.owner} ${uri}`;
      const watch = shared.get(key) ?? { users: 0, stop: watches.watch(uri, holder, onChange) };
      shared.set(key, watch);
      watch.users++;
      const leave = () => {
        if (--watch.users > 0) return;
        if (shared.get(key) === watch) shared.delete(key);
        watch.stop.then((stop) => stop(), () => {});
      };
      await watch.stop.catch((error: unknown) => {
        leave();
        throw error;
      });
      return leave;
    },
  };
}

/** The addresses in the parameters of `subscriptions/listen`. */
function watchedUris(params: unknown): string[] {
  const { resourceSubscriptions } = Object(Object(params).notifications);
  return Array.isArray(resourceSubscriptions)
    ? [...new Set(resourceSubscriptions.filter((uri) => typeof uri === "string"))]
    : [];
}
