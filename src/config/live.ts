/** A configuration whose settings can be replaced while the program runs. @module */
import type { Config } from "./resolve.ts";
import type { Settings } from "./schema.ts";

/** A configuration, and the one way to change it. */
export interface LiveConfig {
  /** Always answers with the settings of now; who takes them apart at start keeps those of the start. */
  readonly config: Config;
  replace(settings: Settings): void;
}

/** Starts with a configuration. Everything but its settings is a fact of the start and stays. */
export function makeLiveConfig(start: Config): LiveConfig {
  let settings = start.settings;
  const config = Object.defineProperty({ ...start }, "settings", { get: () => settings, enumerable: true });
  return {
    config,
    replace(next) {
      settings = next;
    },
  };
}
