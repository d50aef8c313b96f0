/**
 * Finds orphaned child processes that left their group or session, and kills them. Each child carries two marks: a
 * variable, and the value of a resource limit that cannot be raised, which remains when the environment is cleared.
 * @module
 */

/** New processes can appear while the list is read; nothing forks faster than this many passes in practice. */
const PASSES = 3;
/** The errors of a process that ended while it was looked at. */
const ENDED = /os error (?:2|3)\b/;
const LIMIT_DIGITS = 19;

/** The value of LLMC_PROC that marks one child of one server. */
export function markOf(marker: string, id: string): string {
  return `${marker}.${id}`;
}

/**
 * The limit of a child in decimal: microseconds of real-time CPU without a pause, 30,000 years and more. Without `id` only
 * its beginning, which all children of a server share.
 */
export function limitOf(marker: string, id: string): string {
  return `1${nineDigits(marker.slice(marker.indexOf("-") + 1))}${id === "" ? "" : nineDigits(id)}`;
}

/** The limit of what waits for a child: of this server, and no lower than the limit of any child, because none can be raised. */
export function waitingLimitOf(marker: string): string {
  return limitOf(marker, "").padEnd(LIMIT_DIGITS, "9");
}

/** Of an identifier that begins with random hexadecimal digits. */
function nineDigits(id: string): string {
  const number = Number.parseInt(id.slice(0, 8), 16);
  return String((Number.isNaN(number) ? 0 : number) % 1e9).padStart(9, "0");
}

/** Kills every process marked with `marker` and `id`, or with `marker` and any id when `id` is empty. */
export async function sweep(marker: string, id: string): Promise<number> {
  let killed = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    const { found, ended } = await markedProcesses(marker, id);
    if (found.length === 0 && ended === 0) break; // one that ended may have left a child that the list has not
    for (const pid of found) if (kill(pid)) killed++;
  }
  return killed;
}

/** What is marked with `marker` and `id`, as {@link sweep} finds it, and how many processes have ended meanwhile. */
export async function markedProcesses(marker: string, id: string): Promise<{ found: number[]; ended: number }> {
  const variable = id ? `LLMC_PROC=${markOf(marker, id)}\0` : `LLMC_PROC=${marker}`;
  const limit = limitOf(marker, id).padEnd(LIMIT_DIGITS, "?"); // a digit may be any where it says `?`
  const found: number[] = [],
    hardLimit = new RegExp(`^Max realtime timeout .*\\b${limit.replaceAll("?", "\\d")} +us`, "m");
  let ended = 0;
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await textOf(`/proc/${name}/environ`), limits = await textOf(`/proc/${name}/limits`);
    if (limits === null) ended++;
    else if (`${environment}\0`.includes(variable) || hardLimit.test(limits)) found.push(Number(name));
  }
  return { found, ended };
}

/** Null when the process has ended; empty when it is another user's. */
async function textOf(path: string): Promise<string | null> {
  return await Deno.readTextFile(path).catch((error: unknown) => ENDED.test(String(error)) ? null : "");
}

function kill(pid: number): boolean {
  try {
    Deno.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false; // ended in between
  }
}
