/** Holds a configuration whose settings can be replaced at run time. @module */
import type { Config } from "./resolve.ts";

/** What a running program can take over: the values, and which layer set them. */
export type Replaceable = Pick<Config, "settings" | "origins">;

/** A configuration, and the one way to change it. */
export interface LiveConfig {
  /** Always answers with the settings of now; who takes them apart at start keeps those of the start. */
  readonly config: Config;
  replace(next: Replaceable): void;
}

/** Starts with a configuration. Everything else is a fact of the start and stays. */
export function makeLiveConfig(start: Config): LiveConfig {
  let now: Replaceable = start;
  const config = Object.defineProperties({ ...start }, {
    settings: { get: () => now.settings, enumerable: true },
    origins: { get: () => now.origins, enumerable: true },
  });
  return {
    config,
    replace(next) {
      now = next;
    },
  };
}
