/** Structured log: one line per event, as JSON or text, without contents and without secrets. @module */
import { maskSecrets } from "../core/mask_secrets.ts";
import { isSecretName } from "../core/secret_names.ts";

/** Least severe first. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** What a line may carry besides its message. */
export interface LogFields {
  /** Correlation id. */
  readonly cid?: string | undefined;
  readonly tool?: string | undefined;
  readonly latency_ms?: number | undefined;
  readonly status?: string | number | undefined;
  readonly error_code?: string | undefined;
  readonly truncated?: boolean | undefined;
  readonly [name: string]: string | number | boolean | null | undefined;
}

/** Writes lines of its level and above. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** How and where lines are written. */
export interface LoggerOptions {
  /** Least severe level that is written; looked at for each line, so it may change. */
  readonly level: LogLevel;
  readonly format: "json" | "text";
  /** Whether the field `stack` is written whole; otherwise its first line, which has the message. */
  readonly stacks: boolean;
  /** Takes a line without its end. */
  readonly sink: (line: string) => void;
  readonly now: () => number;
}

type Value = string | number | boolean | null;

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];
/** A stack fits; what was put into a field by mistake does not. */
const MAX_CHARS = 4_000;

/** A logger. It never throws and never waits. */
export function makeLogger(options: LoggerOptions): Logger {
  const { sink, now } = options;
  const write = options.format === "json" ? toJson : toText;
  const log = (severity: LogLevel) => (message: string, fields: LogFields = {}) => {
    if (LEVELS.indexOf(severity) < LEVELS.indexOf(options.level)) return;
    sink(write(new Date(now()).toISOString(), severity, clean("msg", message), cleanAll(fields, options.stacks)));
  };
  return { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
}

function clean(name: string, value: Value): Value {
  if (isSecretName(name) && typeof value === "string") return "***";
  if (typeof value !== "string") return value;
  return maskSecrets(value.length > MAX_CHARS ? `${value.slice(0, MAX_CHARS)}…` : value).toWellFormed();
}

function cleanAll(fields: LogFields, stacks: boolean): [string, Value][] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const shown = name === "stack" && !stacks ? String(value).split("\n", 1)[0] ?? "" : value;
    return [[name, clean(name, shown)]];
  });
}

function toJson(time: string, level: LogLevel, message: Value, fields: readonly [string, Value][]): string {
  return JSON.stringify({ ts: time, level, msg: message, ...Object.fromEntries(fields) });
}

/** For people: what could start a new line or move the cursor is escaped. */
function toText(time: string, level: LogLevel, message: Value, fields: readonly [string, Value][]): string {
  const shown = fields.map(([name, value]) => `${word(name)}=${word(String(value))}`);
  const text = quote(String(message)).slice(1, -1).replaceAll('\\"', '"');
  return [time, level.toUpperCase().padEnd(5), text, ...shown].join(" ");
}

function word(text: string): string {
  return /^[\w.:/@+-]+$/.test(text) ? text : quote(text);
}

function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
