/** Runs a system program with fixed arguments, bounded in time and output. @module */
import { isInside } from "../core/path.ts";

/** What came of it. */
export interface HostOutput {
  readonly stdout: string;
  /** What it wrote to standard error. */
  readonly complaint: string;
  /** Whether it was stopped at a bound. */
  readonly cut: boolean;
}

/** Bounds of one run. */
export interface HostBounds {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const SEARCHED = ["/usr/bin", "/bin"];

/**
 * Where a program of the system is; null when it is not installed. One that lies in a root is not trusted: whoever may
 * write there could have replaced it, and here it would run outside of the sandbox.
 */
export async function findHostProgram(name: string, roots: readonly string[]): Promise<string | null> {
  for (const dir of SEARCHED) {
    const path = await Deno.realPath(`${dir}/${name}`).catch(() => null); // not there
    if (path !== null && !roots.some((root) => root !== "/" && isInside(path, root))) return path;
  }
  return null;
}

/** Runs it and takes the beginning of its output. @param args Fixed, or checked by the caller; no shell sees them. */
export async function runHostProgram(path: string, args: readonly string[], bounds: HostBounds): Promise<HostOutput> {
  const child = new Deno.Command(path, {
    args: [...args],
    clearEnv: true,
    env: { LC_ALL: "C.UTF-8", SYSTEMD_COLORS: "0", SYSTEMD_PAGER: "", SYSTEMD_URLIFY: "0" },
    cwd: "/",
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const kill = (): void => {
    try {
      child.kill("SIGKILL");
    } catch {
      // it has just ended
    }
  };
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    kill();
  }, bounds.timeoutMs);
  try {
    const [stdout, stderr] = await Promise.all([
      readBegin(child.stdout, bounds.maxBytes, kill),
      readBegin(child.stderr, MAX_COMPLAINT_BYTES, () => {}),
    ]);
    await child.status;
    return { stdout: stdout.text, complaint: stderr.text.trim(), cut: late || stdout.cut };
  } finally {
    clearTimeout(timer);
  }
}

const MAX_COMPLAINT_BYTES = 4_096;

/** Reads up to a bound; beyond it, `stop` is called and the rest is drained, so that the program can end. */
async function readBegin(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
  stop: () => void,
): Promise<{ text: string; cut: boolean }> {
  const decoder = new TextDecoder();
  let text = "", bytes = 0, cut = false;
  for await (const chunk of stream) {
    if (cut) continue;
    const room = maxBytes - bytes;
    text += decoder.decode(chunk.subarray(0, room), { stream: true });
    bytes += chunk.length;
    if (chunk.length <= room) continue;
    cut = true;
    stop();
  }
  return { text, cut };
}
