/** Opens the log of the application and writes the lines about its start. @module */
import type { AppDeps } from "./deps.ts";
import { configRows } from "../config/describe.ts";
import type { Config } from "../config/resolve.ts";
import { once } from "../core/once.ts";
import { VERSION } from "../core/version.ts";
import { type LogFields, type Logger, type LogLevel, makeLogger } from "../obs/log.ts";
import type { SandboxReport, Startup } from "../sandbox/protocol.ts";
import { makeStderrLines } from "../sys/stderr.ts";

/** The log, and the lines of it that standard error has not taken yet. */
export interface AppLog {
  readonly log: Logger;
  flush(): Promise<void>;
}

/** Logs to standard error unless another sink is given; level and stacks follow the settings of now. */
export function openLog({ startup, sink }: Pick<AppDeps, "startup" | "sink">, config: Config): AppLog {
  const stderr = makeStderrLines((count) =>
    log.warn("lines of this log were lost, because standard error was not read", { count })
  );
  const log: Logger = makeLogger({
    get level() {
      return logLevel(startup, config);
    },
    format: logFormat(startup),
    get stacks() {
      return logsStacks(startup, config);
    },
    sink: sink ?? stderr.write,
    now: Date.now,
  });
  return { log, flush: stderr.flush };
}

/** The lines about the start. */
export interface StartAnnouncement {
  /** Writes them soon: the client's first message is answered before. */
  schedule(report: SandboxReport): void;
  /** Writes them now where that was asked for and is still to come. */
  finish(): void;
}

const ANNOUNCE_MS = 50;

/** Announces nothing until it is scheduled. */
export function makeStartAnnouncement(log: Logger, config: Config, face: Startup["face"]): StartAnnouncement {
  let finish = () => {};
  return {
    schedule(report) {
      const announce = once(() => announceStart(log, config, face, report));
      const timer = setTimeout(announce, ANNOUNCE_MS);
      finish = () => {
        clearTimeout(timer);
        announce();
      };
    },
    finish: () => finish(),
  };
}

function announceStart(log: Logger, config: Config, face: Startup["face"], report: SandboxReport): void {
  log.debug("configuration", configFields(config));
  log.info("started", {
    version: VERSION,
    sandbox: report.level,
    roots: config.roots.join(":"),
    config_file: config.configFile,
  });
  if (report.unconfined) log.warn("the roots are not enforced: tools and programs can access the whole machine");
  if (report.root && face.kind !== "command") {
    log.warn("running as root weakens the sandbox: run it as the user who owns the files");
  }
}

/** The effective configuration as fields of one line, without secrets; `set_by` names the layer of what is not default. */
function configFields(config: Config): LogFields {
  const rows = configRows(config);
  const set = rows.filter(({ origin }) => origin !== "default").map(({ key, origin }) => `${key}=${origin}`);
  const values = rows.map(({ key, value }): [string, string | number | boolean] => {
    const plain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return [key, plain ? value : JSON.stringify(value)];
  });
  return { ...Object.fromEntries(values), file: config.configFile ?? config.projectFile ?? "", set_by: set.join(" ") };
}

/** Whether a person reads the log at a terminal. */
function isForPerson({ face }: Startup): boolean {
  return face.kind === "command" || (face.kind === "http" && face.watched);
}

/** Lines for a program, unless a person reads them and has not chosen. */
function logFormat(startup: Startup): "json" | "text" {
  const { origins, settings } = startup.host.config;
  const isChosen = "mcp.observability.log_format" in origins;
  return isForPerson(startup) && !isChosen ? "text" : settings.observability.log_format;
}

/** A person at the terminal is shown calls and answers themselves; the log is for what went wrong. */
function logLevel(startup: Startup, { settings }: Config): LogLevel {
  const { log_level: level } = settings.observability, atStart = startup.host.config;
  const isChosen = "mcp.observability.log_level" in atStart.origins ||
    level !== atStart.settings.observability.log_level;
  return isForPerson(startup) && !isChosen ? "warn" : level;
}

/** A person is shown the message of an error; its stack only when everything is logged. */
function logsStacks(startup: Startup, config: Config): boolean {
  return !isForPerson(startup) || logLevel(startup, config) === "debug";
}
