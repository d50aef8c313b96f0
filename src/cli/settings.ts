/** Loads the configuration for the options of a command. @module */
import { overridesOf } from "../config/cli_layer.ts";
import { loadConfig, type Loaded, type LoadRequest } from "../config/load.ts";
import { type Config, resolveConfig } from "../config/resolve.ts";
import { thisMachine } from "../sys/machine.ts";

/** Options that every command with a configuration takes. */
export interface ConfigFlags {
  readonly config?: string;
  readonly root?: string[];
  readonly set?: string[];
  readonly host?: string;
  readonly port?: string;
}

/** Reads and merges all layers. @throws ConfigError */
function load(flags: ConfigFlags): Loaded {
  return loadConfig(loadRequest(flags), thisMachine());
}

/** The whole configuration, as facts of this machine. @throws ConfigError */
export function resolve(flags: ConfigFlags): Config {
  return resolveConfig(load(flags), thisMachine());
}

/** What the options ask of the loader. */
export function loadRequest(flags: ConfigFlags): LoadRequest {
  return { ...flags.config === undefined ? {} : { configFile: flags.config }, overrides: overridesOf(flags) };
}
