/** Applies a new configuration to the running server and tells listeners. @module */
import type { LiveConfig } from "../config/live.ts";
import { planReload } from "../config/reload.ts";
import type { Config } from "../config/resolve.ts";
import type { Logger } from "../obs/log.ts";
import type { Reloaded } from "./verbs.ts";

/** Replaces settings at run time. */
export interface Reloader {
  /** Takes over what can change in a running server. */
  reload(next: Config): Reloaded;
  /** Calls back after settings changed. Returns how to stop. */
  onReload(listener: () => void): () => void;
}

/** Has no listeners at first. */
export function makeReloader(live: LiveConfig, log: Logger): Reloader {
  const listeners = new Set<() => void>();
  return {
    reload(next) {
      const { changed, waiting, ...now } = planReload(live.config, next);
      live.replace(now);
      log.info("reloaded", { changed: changed.join(" "), waiting: waiting.join(" ") });
      for (const listener of listeners) listener();
      return { changed, waiting };
    },
    onReload(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
