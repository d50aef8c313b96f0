/** Paths of the project and how its scripts start Deno. @module */
import { fileURLToPath } from "node:url";

/** Top of the source tree, without a slash at the end. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** What each thread runs, by the name of its script; all but the first are started as workers. */
export const ENTRIES: Readonly<Record<string, string>> = {
  main: "main.ts",
  broker: "src/sandbox/broker.ts",
  spawner: "src/sandbox/spawner.ts",
  recorder: "src/sandbox/recorder/recorder.ts",
  server: "src/app/server_worker.ts",
  indexer: "src/app/indexer_worker.ts",
  script: "src/app/script_worker.ts",
  condenser: "src/app/condenser_worker.ts",
};

/** What the executable runs first in each thread: it fetches the script. */
export const LOADERS = ["src/entry/main.ts", "src/entry/worker.ts"];

/** The executable that `deno task build` makes. */
export const BINARY = `${ROOT}/dist/llmc-mcp`;
/** The same with the switches that tests need; never released. */
export const TEST_BINARY = `${ROOT}/dist/llmc-mcp-test`;

/** Prints a line for the person who runs the script. */
export function print(line: string): void {
  let bytes = new TextEncoder().encode(`${line}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes)); // a pipe takes what it has room for
}

/** Result of a program that ran to its end. */
export interface Ran {
  readonly ok: boolean;
  readonly code: number;
  /** Standard output and error as they came, one after the other. */
  readonly output: string;
}

/** Also trusts what the machine trusts, because companies inspect TLS with a certificate authority of their own. */
const CA_STORE = { DENO_TLS_CA_STORE: Deno.env.get("DENO_TLS_CA_STORE") ?? "mozilla,system" };

/** Runs the same Deno that runs this script, in the top folder, and keeps what it prints. */
export async function runDeno(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    env: { NO_COLOR: "1", RUST_BACKTRACE: "0", ...CA_STORE, ...env },
    stdin: "null",
  });
  const { success, code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { ok: success, code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** Whether a file or folder is there. */
export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Lower-case hexadecimal SHA-256. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Why Deno failed, as one line: its error and what caused that, without stack and source. */
export function reasonOf(output: string): string {
  const lines = output.trim().split("\n").map((line) => line.trim());
  const from = lines.slice(Math.max(lines.findIndex((line) => line.startsWith("error: ")), 0));
  const error = from.shift()?.replace(/^error: (?:Uncaught )?(?:\(in promise\) )?(?:Error: )?/, "");
  const causes = from.flatMap((line) => line.match(/^\d+: (.+)/)?.[1] ?? []);
  return [error, ...causes].join(": ");
}

/** Runs a verb of the project; when it fails, one line on standard error says why. */
export async function runVerb(name: string, verb: () => Promise<void>): Promise<void> {
  try {
    await verb();
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${name}: ${error instanceof Error ? error.message : error}\n`));
    Deno.exit(1);
  }
}
