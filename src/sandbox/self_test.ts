/** Self-test: attempts to escape the sandbox before anything is served; a leak aborts the start. @module */
import type { Check } from "./permission_check.ts";
import type { Canary, ChildExit, ChildVerbs, HostConfig } from "./protocol.ts";

/**
 * Prints one word for each thing that a confined child must not be able to do; an empty argument skips its line. With
 * nothing but the shell's own commands, because no other program need be allowed.
 */
const BREAK_OUT = `
  for name in "$1"/.*; do [ "$name" = "$1/.*" ] || echo control-reads-root; break; done
  reads() { content=; read -r content <"$1"; [ "$content" ]; } 2>/dev/null
  reads "$2" && echo LEAK-canary-by-path
  reads "$3" && echo LEAK-canary-by-link
  case "$(set)" in *"$4"*) echo LEAK-environment ;; esac
  reads /proc/1/environ
  case "$content" in *"$4"*) echo LEAK-environment-of-pid-1 ;; esac
  [ "$6" ] && reads "/proc/$6/environ" && echo LEAK-environment-of-server
  [ "$5" ] && kill -0 "$5" 2>/dev/null && echo LEAK-signal-to-server
  true`;

/** The shell that carries the attempts; present wherever children can run at all. */
export const SELF_TEST_SHELL = "/bin/sh";

/** Processes that must be out of reach; null where that is a known gap and is not tried. */
export interface OutOfReach {
  readonly signals: number | null;
  readonly environment: number | null;
}

/** Arguments of {@link SELF_TEST_SHELL}. */
export function breakOutArgs({ config, canary }: HostConfig, { signals, environment }: OutOfReach): string[] {
  const readable = config.roots[0] ?? "/usr";
  const files = [readable, canary.path, canary.linked, canary.secret];
  return ["-c", BREAK_OUT, "break-out", ...files, `${signals ?? ""}`, `${environment ?? ""}`];
}

/** Runs a child through a host and judges what it printed. */
export async function judgeChild(name: string, verbs: ChildVerbs, id: number): Promise<Check> {
  const [stdout, stderr, exit] = await Promise.all([
    drain(verbs, id, "stdout"),
    drain(verbs, id, "stderr"),
    verbs.wait(id),
  ]);
  return judge(name, stdout, stderr, exit);
}

function judge(name: string, stdout: string, stderr: string, exit: ChildExit): Check {
  const words = stdout.split("\n");
  const leaks = words.filter((word) => word.startsWith("LEAK-"));
  if (leaks.length > 0) return { outcome: "leaked", name, detail: leaks.join(" ") };
  if (words.includes("control-reads-root")) return { outcome: "held", name, detail: "every attempt refused" };
  return { outcome: "broken", name, detail: `exit code ${exit.code}: ${stderr.trim()}` };
}

async function drain(verbs: ChildVerbs, id: number, stream: "stdout" | "stderr"): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (let chunk = await verbs.read(id, stream); chunk; chunk = await verbs.read(id, stream)) {
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * What Deno opens it opens on the thread that asks; folders it lists on a thread of its pool. One of those that was there
 * before the domain is outside it. A thread that has nothing to do is asked before a new one is made, so that a few attempts
 * meet one of them, if there are any.
 */
const PARALLEL_LISTINGS = 8;

/**
 * What the server worker itself can reach: the canary by path must be refused by Deno, by link by the kernel. Any
 * other reason means that a layer is missing. `own` is a file that it must be able to read.
 */
export async function testOwnReads(canary: Canary, own: string, hasLandlock: boolean): Promise<Check[]> {
  const attempts = [expectRefusal("server reads the canary by path", readsOf(canary.path), "NotCapable")];
  if (hasLandlock) {
    attempts.push(
      expectRefusal("server reads the canary by link", readsOf(canary.linked), "PermissionDenied"),
      expectRefusal("threads list the canary's folder", listingsOf(canary.link), "PermissionDenied"),
    );
  }
  return await Promise.all([control(own), ...attempts, tryLibrary()]);
}

type Attempt = () => Promise<unknown>;

function readsOf(path: string): readonly Attempt[] {
  return [() => Deno.readTextFile(path), () => Promise.try(() => Deno.readTextFileSync(path))];
}

function listingsOf(folder: string): readonly Attempt[] {
  return Array.from({ length: PARALLEL_LISTINGS }, () => () => Array.fromAsync(Deno.readDir(folder)));
}

async function control(own: string): Promise<Check> {
  const name = "control: server reads its own data";
  const { through, detail } = await tryAll(readsOf(own));
  return { outcome: through > 0 ? "held" : "broken", name, detail };
}

async function expectRefusal(name: string, attempts: readonly Attempt[], reason: string): Promise<Check> {
  const { through, reasons, detail } = await tryAll(attempts);
  const outcome = through > 0 ? "leaked" : reasons.size === 1 && reasons.has(reason) ? "held" : "broken";
  return { outcome, name, detail };
}

/** The right to call C functions, needed to enter the domain, must be gone. */
function tryLibrary(): Check {
  const name = "server calls a C function";
  try {
    Deno.dlopen("libc.so.6", {}).close();
    return { outcome: "leaked", name, detail: "the library could be opened" };
  } catch (error) {
    return { outcome: "held", name, detail: error instanceof Error ? error.name : String(error) };
  }
}

async function tryAll(
  attempts: readonly Attempt[],
): Promise<{ through: number; reasons: Set<string>; detail: string }> {
  const results = await Promise.allSettled(attempts.map((attempt) => attempt()));
  const reasons = new Set<string>();
  for (const result of results) {
    if (result.status === "rejected") reasons.add(result.reason instanceof Error ? result.reason.name : "unknown");
  }
  const through = results.filter(({ status }) => status === "fulfilled").length;
  return { through, reasons, detail: [`${through} of ${results.length} attempts`, ...reasons].join(", ") };
}
