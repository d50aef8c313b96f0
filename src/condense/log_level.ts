/** Parses the level of a log line from the place that its format reserves for it, never from its message. @module */

/** How severe a level is; what has no level is "other". */
export type Severity = "error" | "warning" | "other";

/** Spellings of levels, in lower case, by the name under which they are counted. */
const NAMES: Readonly<Record<string, string>> = {
  EMERG: "emerg emergency",
  PANIC: "panic dpanic",
  FATAL: "fatal ftl fata",
  ALERT: "alert",
  CRITICAL: "critical crit",
  SEVERE: "severe",
  ERROR: "error err erro eror fail",
  WARN: "warn warning wrn",
  NOTICE: "notice",
  SUCCESS: "success",
  INFO: "info inf information",
  LOG: "log",
  HTTP: "http",
  VERBOSE: "verbose vrb",
  CONFIG: "config",
  DEBUG: "debug dbg debu dbug silly",
  FINE: "fine finer finest",
  TRACE: "trace trc trac trce",
};
const LEVELS: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([name, spellings]) => spellings.split(" ").map((spelling) => [spelling, name])),
);
const ERRORS: ReadonlySet<string> = new Set(["EMERG", "PANIC", "FATAL", "ALERT", "CRITICAL", "SEVERE", "ERROR"]);
/** Syslog's numbers. Source: RFC 5424, section 6.2.1. */
const SYSLOG = ["EMERG", "ALERT", "CRITICAL", "ERROR", "WARN", "NOTICE", "INFO", "DEBUG"];
/** Letters of klog and glog, and of Ruby's logger. */
const LETTERS: Readonly<Record<string, string>> = {
  D: "DEBUG",
  I: "INFO",
  W: "WARN",
  E: "ERROR",
  F: "FATAL",
  A: "ALERT",
};
/** Marks of Redis. */
const REDIS: Readonly<Record<string, string>> = { "#": "WARN", "*": "NOTICE", "-": "VERBOSE", ".": "DEBUG" };

const ZONE = String.raw`(?:Z|\s?[+-]\d\d:?\d\d|\sUTC|\sGMT)?`;
const CLOCK = String.raw`\d\d:\d\d(?::\d\d)?(?:[.,:]\d{1,9})?`;
const TIME = [
  String.raw`\d{4}[-/.]\d\d[-/.]\d\d[T ]{1,2}${CLOCK}${ZONE}`,
  String.raw`\d\d[-/.]\d\d[-/.]\d{4} ${CLOCK}${ZONE}`,
  String.raw`\d\d?[ /-][A-Z][a-z]{2}[ /-]\d{4}[ :]${CLOCK}${ZONE}`,
  String.raw`(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]\d ${CLOCK}(?: \d{4})?`,
  String.raw`${CLOCK.replace("(?::\\d\\d)?", ":\\d\\d")}`,
  String.raw`\d{10}(?:\.\d+)?`,
  String.raw` *\d+\.\d{6}`,
].join("|");
/** What Docker Compose and Kubernetes put before a line. */
const SOURCE = /^[\w./-]{1,60} +\| /;
const STAMP = new RegExp(`^\\[?(?:${TIME})\\]?(?=$|[\\s|:,\\]]|\\t)`);
/** The address and the users of a web server's access log. */
const ACCESS = /^\S+ \S+ \S+ \[\d\d\/\w{3}\/\d{4}:[^\]]*\] "/;
/** The host and the program of a syslog line. */
const SYSLOG_TAG = /^(?:\S+ )?[\w./@()-]+(?:\[\d+\])?: /;
const FACILITY = /^\S+ (?:kern|user|mail|daemon|auth|syslog|lpr|news|uucp|cron|authpriv|ftp|local[0-7])\.([a-z]+) /;
const REDIS_LINE = /^\d+:[A-Z] \d\d? \w{3} \d{4} [\d:.]+ ([#*.-]) /;
/** Fields between a time and a level: threads, process ids, zones, and names that a separator ends. */
const FIELD =
  /^(?:\[[^\]]{0,160}\]|\([^)]{0,80}\)|<[^>]{0,80}>|\d[\d#.:*]*(?=[\s:])|[+-]\d{4}\b|[A-Z]{3,4}(?= \[)|[\w.$/:@-]+(?= - | \| |\t))/;
const LONGEST = 16_384;

/** Whether a message begins here: with a time, as a JSON object, or in a format that begins with its level. */
export function beginsMessage(line: string): boolean {
  return hasTime(line) || /^\{"|^\{ "/.test(line) || /^[DIWEF]\d{4} \d\d:\d\d/.test(line) ||
    /^[DIWEFA], \[/.test(line) ||
    /^(?:time|ts|level|lvl)=/.test(line) || REDIS_LINE.test(line) || /^<\d{1,3}>/.test(line);
}

function hasTime(line: string): boolean {
  return STAMP.test(line.replace(SOURCE, "")) || ACCESS.test(line);
}

/**
 * The level of a log line by its usual name in upper case, e.g. `ERROR`; a status of 500 and above in an access log is
 * `5xx`.
 *
 * @returns undefined when the line has none, whatever words its message has.
 */
export function levelOf(line: string): string | undefined {
  const text = line.length > LONGEST ? line.slice(0, LONGEST) : line;
  if (text.startsWith("{")) return jsonLevel(line);
  if (ACCESS.test(text)) return /" 5\d\d (?:\d|-)/.test(text) ? "5xx" : undefined;
  const klog = /^([DIWEF])\d{4} \d\d:\d\d/.exec(text) ?? /^([DIWEFA]), \[/.exec(text);
  if (klog !== null) return LETTERS[klog[1] ?? ""];
  const redis = REDIS_LINE.exec(text);
  if (redis !== null) return REDIS[redis[1] ?? ""];
  const priority = /^<(\d{1,3})>/.exec(text);
  if (priority !== null) return SYSLOG[Number(priority[1]) % 8];
  const pair = /^(?:[\w.]+=(?:"[^"]*"|\S*)\s+){0,4}(?:level|lvl|severity)="?([A-Za-z]+)/.exec(text);
  if (pair !== null) return LEVELS.get((pair[1] ?? "").toLowerCase());
  const bare = text.replace(SOURCE, ""), stamp = STAMP.exec(bare);
  if (stamp === null) return levelAtStart(bare);
  const rest = bare.slice(stamp[0].length).trimStart();
  const facility = FACILITY.exec(rest);
  if (facility !== null) return LEVELS.get(facility[1] ?? "");
  return levelAtStart(rest) ?? (SYSLOG_TAG.test(rest) ? levelAtStart(rest.replace(SYSLOG_TAG, "")) : undefined);
}

/** How a level counts. */
export function severityOf(level: string | undefined): Severity {
  if (level === undefined) return "other";
  return ERRORS.has(level) || level === "5xx" ? "error" : level === "WARN" ? "warning" : "other";
}

/** The level behind at most a few fields that are not words of a message. */
function levelAtStart(text: string): string | undefined {
  let rest = text;
  for (let fields = 0; fields < 6; fields++) {
    rest = rest.replace(/^[\s|:,;-]+/, "");
    const enclosed = /^[[(<]\s*(?:[\w.]{1,40}:)?([A-Za-z]{3,11})\s*[\])>]/.exec(rest);
    const level = enclosed === null ? wordLevel(rest) : LEVELS.get((enclosed[1] ?? "").toLowerCase());
    if (level !== undefined) return level;
    const field = FIELD.exec(rest);
    if (field === null) return undefined;
    rest = rest.slice(field[0].length);
  }
  return undefined;
}

/** A word in capitals is a level by itself; one in small letters only where a separator follows. */
function wordLevel(text: string): string | undefined {
  const match = /^([A-Za-z]{3,11})(?=$|[\s:|,[(\]-])/.exec(text);
  const word = match?.[1];
  if (word === undefined) return undefined;
  const isUpper = word === word.toUpperCase();
  if (!isUpper && !/^(?::|\t| *\|| +- )/.test(text.slice(word.length))) return undefined;
  return LEVELS.get(word.toLowerCase());
}

const JSON_KEYS = ["level", "severity", "lvl", "levelname", "log.level", "loglevel", "@level", "priority", "PRIORITY"];

function jsonLevel(line: string): string | undefined {
  const value = jsonField(line);
  if (typeof value === "string" && !/^\d+$/.test(value)) return LEVELS.get(value.toLowerCase());
  const number = Number(value);
  if (value === undefined || !Number.isFinite(number)) return undefined;
  // Journald and syslog count down from 7; pino and bunyan count up in tens.
  if (number < 8) return SYSLOG[number];
  return number >= 60 ? "FATAL" : number >= 50 ? "ERROR" : number >= 40 ? "WARN" : number >= 30 ? "INFO" : "DEBUG";
}

function jsonField(line: string): string | number | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed !== "object" || parsed === null) return undefined;
    const fields = new Map<string, unknown>(Object.entries(parsed));
    const nested = fields.get("log");
    if (typeof nested === "object" && nested !== null) {
      fields.set("log.level", new Map(Object.entries(nested)).get("level"));
    }
    const value = JSON_KEYS.map((key) => fields.get(key)).find((each) => each !== undefined);
    return typeof value === "string" || typeof value === "number" ? value : undefined;
  } catch {
    return undefined; // cut, or not JSON after all
  }
}
