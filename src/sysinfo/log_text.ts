/** Parses journal and syslog lines into entries. @module */

/** One message of a log. */
export interface LogEntry {
  /** Milliseconds since 1970; null when the line has no time that could be read. */
  readonly timeMs: number | null;
  /** Program, process id and message, without the host; several lines when the message has them. */
  readonly text: string;
}

/** `2026-05-06T12:00:30+0000 host rest`, of journalctl's short-iso and of newer syslog daemons. */
const ISO = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)? \S+ (.*)$/;
/** `May  6 12:00:30 host rest`, of older ones. */
const CLASSIC = /^([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) \S+ (.*)$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY_MS = 86_400_000;

/** Entries in the order of the text. Lines that begin nothing belong to the one before. */
export function readLog(text: string, nowMs: number): LogEntry[] {
  const entries: { timeMs: number | null; text: string }[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("-- ")) continue; // journalctl's own remarks
    const entry = readIso(line) ?? readClassic(line, nowMs);
    const last = entries.at(-1);
    if (entry) entries.push(entry);
    else if (last) last.text += `\n${line.trim()}`;
    else entries.push({ timeMs: null, text: line });
  }
  return entries;
}

function readIso(line: string): LogEntry | null {
  const [, time, zone = "Z", text = ""] = line.match(ISO) ?? [];
  if (time === undefined) return null;
  const timeMs = Date.parse(time + zone.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2"));
  return { timeMs: Number.isNaN(timeMs) ? null : timeMs, text };
}

/** Without a year: the latest that is not in the future. In the time zone of the machine. */
function readClassic(line: string, nowMs: number): LogEntry | null {
  const [, name = "", day, hour, minute, second, text = ""] = line.match(CLASSIC) ?? [];
  const month = MONTHS.indexOf(name);
  if (month < 0) return null;
  const inYear = (year: number) =>
    new Date(year, month, Number(day), Number(hour), Number(minute), Number(second)).getTime();
  const year = new Date(nowMs).getFullYear(), timeMs = inYear(year);
  return { timeMs: timeMs > nowMs + DAY_MS ? inYear(year - 1) : timeMs, text };
}

/**
 * Whether an entry comes from a unit, as far as a syslog line can tell: by the name of its program. The unit `ssh` runs
 * `sshd`, which starts `sshd-session`.
 */
export function isFromUnit({ text }: LogEntry, unit: string): boolean {
  const name = unit.replace(/\.(?:service|socket|timer)$/, "").replace(/@.*$/, "").toLowerCase();
  const program = text.toLowerCase().match(/^([^\s:[]+)(?:\[|:)/)?.[1] ?? "";
  return [name, `${name}d`].some((own) => program === own || program.startsWith(`${own}-`));
}
