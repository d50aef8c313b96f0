/** Describes the effective configuration: without secrets, and with the layer that set each key. @module */
import { isTable } from "./check_value.ts";
import { fileSchema } from "./file_schema.ts";
import { listKeys } from "./keys.ts";
import type { Origin } from "./layer.ts";
import { maskValue } from "./redact.ts";
import type { Config } from "./resolve.ts";

/** One key with its effective value. */
export interface ConfigRow {
  /** Dotted: `mcp.server.port`. */
  readonly key: string;
  readonly value: unknown;
  readonly origin: Origin | "default";
}

/** Every key in the order of the schema; passwords in URLs are replaced. */
export function configRows(config: Config): ConfigRow[] {
  const file = { mcp: config.settings };
  return listKeys(fileSchema).flatMap(({ name, path }) => {
    const value = path.reduce<unknown>((table, step) => isTable(table) ? table[step] : undefined, file);
    return value === undefined
      ? []
      : [{ key: name, value: maskValue(value), origin: config.origins[name] ?? "default" }];
  });
}

/** The configuration as one plain value for the start log, `config show --json` and the operator's page. */
export function describeConfig(config: Config): Record<string, unknown> {
  return {
    config_file: config.configFile,
    project_file: config.projectFile,
    data_dir: config.dataDir,
    roots: config.roots,
    unconfined: config.unconfined,
    programs: Object.keys(config.binaries),
    missing_programs: config.missingBinaries,
    origins: config.origins,
    warnings: config.warnings,
    settings: maskValue(config.settings),
  };
}
