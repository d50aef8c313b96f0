/** Configures what is logged and in which format. @module */
import { configRows } from "../config/describe.ts";
import type { Config } from "../config/resolve.ts";
import type { LogFields, LogLevel } from "../obs/log.ts";
import type { Startup } from "../sandbox/protocol.ts";

/** The effective configuration as fields of one line, without secrets; `set_by` names the layer of what is not default. */
export function configFields(config: Config): LogFields {
  const rows = configRows(config);
  const set = rows.filter(({ origin }) => origin !== "default").map(({ key, origin }) => `${key}=${origin}`);
  const values = rows.map(({ key, value }): [string, string | number | boolean] => {
    const plain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return [key, plain ? value : JSON.stringify(value)];
  });
  return { ...Object.fromEntries(values), file: config.configFile ?? config.projectFile ?? "", set_by: set.join(" ") };
}

/** Whether somebody sits at the terminal. */
function isForPerson({ face }: Startup): boolean {
  return face.kind === "command" || (face.kind === "http" && face.watched);
}

/** Lines for a program, unless a person reads them and has not chosen. */
export function logFormat(startup: Startup): "json" | "text" {
  const { origins, settings } = startup.host.config;
  const isChosen = "mcp.observability.log_format" in origins;
  return isForPerson(startup) && !isChosen ? "text" : settings.observability.log_format;
}

/** A person at the terminal is shown calls and answers themselves; the log is for what went wrong. */
export function logLevel(startup: Startup, { settings }: Config): LogLevel {
  const { log_level: level } = settings.observability, atStart = startup.host.config;
  const isChosen = "mcp.observability.log_level" in atStart.origins ||
    level !== atStart.settings.observability.log_level;
  return isForPerson(startup) && !isChosen ? "warn" : level;
}

/** A person is shown the message of an error; its stack only when everything is logged. */
export function logsStacks(startup: Startup, config: Config): boolean {
  return !isForPerson(startup) || logLevel(startup, config) === "debug";
}
