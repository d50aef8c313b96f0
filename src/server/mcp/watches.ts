/** Notifies subscribers when a resource changes; a bounded number of resources, polled twice a second. @module */
import type { Holder } from "../../call/answer.ts";
import { OpsError } from "../../core/error.ts";

/** What watching needs. */
export interface WatchesDeps {
  /** Another text whenever the content is another; null when there is nothing. */
  stamp(uri: string, holder: Holder): Promise<string | null>;
  readonly intervalMs?: number;
}

/** Watched resources. */
export interface Watches {
  /**
   * Calls back after each change, until stopped.
   * @throws OpsError NOT_FOUND when there is no such resource, RATE_LIMITED when too many are watched
   */
  watch(uri: string, holder: Holder, onChange: () => void): Promise<() => void>;
  close(): void;
}

interface Watch {
  readonly uri: string;
  readonly holder: Holder;
  readonly onChange: () => void;
  /** Undefined until it was looked at for the first time. */
  stamp: string | null | undefined;
}

/** Looking at one costs a few microseconds of system calls. */
const MAX_WATCHES = 1_024, MAX_OF_OWNER = 512;
const INTERVAL_MS = 500;

/** Makes the watcher; its timer runs only while something is watched. */
export function makeWatches({ stamp, intervalMs = INTERVAL_MS }: WatchesDeps): Watches {
  const watches = new Set<Watch>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function look(): Promise<void> {
    for (const watch of watches) {
      if (watch.stamp === undefined) continue;
      const now = await stamp(watch.uri, watch.holder).catch(() => watch.stamp); // what fails now is looked at again
      if (now === watch.stamp || !watches.has(watch)) continue;
      watch.stamp = now;
      watch.onChange();
    }
    timer = watches.size > 0 ? setTimeout(() => void look(), intervalMs) : undefined;
  }

  async function existing(uri: string, holder: Holder): Promise<string> {
    const found = await stamp(uri, holder);
    if (found !== null) return found;
    throw new OpsError("NOT_FOUND", `there is no resource ${uri.slice(0, 200)} to watch`, "List the resources.");
  }

  return {
    async watch(uri, { owner, paths }, onChange) {
      const holder: Holder = { owner, ...paths ? { paths } : {} };
      const own = [...watches].filter((each) => each.holder.owner === owner).length;
      if (own >= MAX_OF_OWNER || watches.size >= MAX_WATCHES) {
        throw new OpsError("RATE_LIMITED", `${own} resources are watched already`, "Unsubscribe from one first.");
      }
      const watch: Watch = { uri, holder, onChange, stamp: undefined };
      const stop = () => void watches.delete(watch);
      watches.add(watch); // it counts at once: many may be asked for at the same time
      try {
        watch.stamp = await existing(uri, holder);
      } catch (error) {
        stop();
        throw error;
      }
      timer ??= setTimeout(() => void look(), intervalMs);
      return stop;
    },
    close() {
      watches.clear();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
