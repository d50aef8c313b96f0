/** Resolves the configuration that a command runs under from its options. @module */
import { overridesOf } from "../config/cli_layer.ts";
import { ConfigError } from "../config/error.ts";
import { loadConfig, type Loaded, type LoadRequest } from "../config/load.ts";
import { type Config, resolveConfig } from "../config/resolve.ts";
import { thisMachine } from "../sys/machine.ts";
import { say } from "./output.ts";

/** Options that every command with a configuration takes. */
export interface ConfigFlags {
  readonly config?: string;
  readonly root?: string[];
  readonly set?: string[];
  readonly host?: string;
  readonly port?: string;
  /** Log everything, and print stack traces. */
  readonly verbose?: boolean;
}

/** Reads and merges all layers. @throws ConfigError */
function load(flags: ConfigFlags): Loaded {
  return loadConfig(loadRequest(flags), thisMachine());
}

/** Resolves the whole configuration on this machine. @throws ConfigError */
export function resolve(flags: ConfigFlags): Config {
  return resolveConfig(load(flags), thisMachine());
}

/**
 * The same for a command that a person runs in a folder: where no root is configured, the current folder is the root,
 * and a line on standard error says so.
 *
 * @throws ConfigError
 */
export function resolveHere(flags: ConfigFlags): Config {
  const config = resolve(flags);
  if (config.roots.length > 0) return config;
  const here = thisMachine().workingDir;
  if (here === "/") {
    const message = "no root is configured, and the current folder is /, the whole machine; name a folder";
    throw new ConfigError([{ where: "--root DIR", message }]);
  }
  const withRoot = resolve({ ...flags, root: [here] });
  say(`llmc-mcp: no root is configured; using the current folder, ${here}`);
  return withRoot;
}

/** What the options ask of the loader. */
export function loadRequest(flags: ConfigFlags): LoadRequest {
  const set = [...flags.verbose ? ["mcp.observability.log_level=debug"] : [], ...flags.set ?? []];
  return {
    ...flags.config === undefined ? {} : { configFile: flags.config },
    overrides: overridesOf({ ...flags, set }),
  };
}
