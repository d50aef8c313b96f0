/** Reads the system log: the journal, or the file of a syslog daemon. @module */
import { OpsError } from "../core/error.ts";
import { findHostProgram, type HostOutput, runHostProgram } from "./host_program.ts";
import type { HostText, LogQuery, MachineFacts } from "./machine_facts.ts";
import { isInside } from "../core/path.ts";

const BOUNDS = { timeoutMs: 2_000, maxBytes: 2 * 1024 * 1024 };
const MAX_ENTRIES = 10_000;
const NO_JOURNAL: HostOutput = { stdout: "", complaint: "journalctl is not installed", cut: false };
const OWN_ONLY = "only messages of this server's own user are visible; members of the group systemd-journal see all";
const LOG_FILES = ["/var/log/syslog", "/var/log/messages"];
/** Letters that unit names are made of; journalctl takes no pattern without `*`, `?` and `[`. */
const UNIT = /^[A-Za-z0-9][A-Za-z0-9:_.@\\-]{0,254}$/;

/** Makes the reader. */
export function makeLogFacts({ roots }: { readonly roots: readonly string[] }): Pick<MachineFacts, "logs"> {
  return {
    async logs(query) {
      const args = journalArgs(query);
      const program = await findHostProgram("journalctl", roots);
      const journal = program === null ? NO_JOURNAL : await runHostProgram(program, args, BOUNDS);
      // An empty answer is an answer, unless it complains that there is no journal to look into.
      if (!/^-- No entries --\s*$/.test(journal.stdout) && journal.stdout !== "" || journal.complaint === "") {
        const reason = /not seeing messages from other users/.test(journal.complaint) ? OWN_ONLY : "";
        return { source: "journal", text: journal.stdout, reason, cut: journal.cut };
      }
      return await readLogFile(roots) ??
        { source: null, text: "", reason: journal.complaint.split("\n")[0] ?? "", cut: false };
    },
  };
}

/** Every value is a number or has been matched, so nothing here can be read as another option. */
function journalArgs({ unit, sinceSeconds, maxPriority, maxEntries }: LogQuery): string[] {
  const isCount = (value: number, most: number) => Number.isSafeInteger(value) && value >= 0 && value <= most;
  const fits = (unit === null || UNIT.test(unit)) &&
    (sinceSeconds === null || isCount(sinceSeconds, Number.MAX_SAFE_INTEGER)) &&
    (maxPriority === null || isCount(maxPriority, 7)) && isCount(maxEntries, MAX_ENTRIES);
  if (!fits) throw new OpsError("INVALID_ARGUMENT", "the log query is malformed");
  return [
    ...["--no-pager", "--utc", "--output=short-iso", "--reverse", `--lines=${maxEntries}`],
    ...unit === null ? [] : [`--unit=${unit}`],
    ...sinceSeconds === null ? [] : [`--since=@${sinceSeconds}`],
    ...maxPriority === null ? [] : [`--priority=${maxPriority}`],
  ];
}

/** The end of the first log file that can be read. Inside a root it could be a link to anything: file tools read it there. */
async function readLogFile(roots: readonly string[]): Promise<HostText | null> {
  let reason: HostText | null = null;
  for (const path of LOG_FILES) {
    if (roots.some((root) => root !== "/" && isInside(path, root))) continue;
    try {
      return { source: path, ...await readTail(path), reason: "" };
    } catch (error) {
      if (error instanceof Deno.errors.PermissionDenied) {
        reason = { source: null, text: "", reason: `${path} cannot be read by the server's user`, cut: false };
      }
    }
  }
  return reason;
}

async function readTail(path: string): Promise<{ text: string; cut: boolean }> {
  using file = await Deno.open(path);
  const { size, isFile } = await file.stat();
  if (!isFile) throw new Error(`${path} is not a file`);
  const start = Math.max(0, size - BOUNDS.maxBytes);
  await file.seek(start, Deno.SeekMode.Start);
  const bytes = new Uint8Array(size - start);
  let length = 0;
  while (length < bytes.length) {
    const count = await file.read(bytes.subarray(length));
    if (count === null) break;
    length += count;
  }
  const text = new TextDecoder().decode(bytes.subarray(0, length));
  return { text: start > 0 ? text.slice(text.indexOf("\n") + 1) : text, cut: start > 0 }; // not the half of a line
}
