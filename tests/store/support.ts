/** A handle store in its own directory, and the processes that share it. @module */
import type { CallRecord } from "../../src/store/calls.ts";
import { makeStoreDatabase, type StoreDatabase } from "../../src/store/database.ts";
import { makeHandleStore } from "../../src/store/handle_store.ts";
import type { HandleStore, SourceStamp } from "../../src/store/handles.ts";
import { makeBlobFiles } from "../../src/sys/files/blob_files.ts";

/** What a test may vary. */
export interface StoreOptions {
  readonly dataDir: string;
  readonly ttlHours?: number;
  readonly maxBytes?: number;
  readonly now?: () => number;
  readonly checkSource?: (path: string) => Promise<string>;
}

/** A store and what it warned of. */
export interface TestStore extends Disposable {
  readonly handles: HandleStore;
  readonly database: StoreDatabase;
  readonly warnings: string[];
  /** Reasons of results that could not be stored. */
  readonly failures: string[];
}

/** More than a process puts while the one that is to kill it stands still. */
export const AMPLE_BYTES = 2 ** 40;

/** Opens a store as the server does. */
export function openStore(options: StoreOptions): TestStore {
  const { dataDir, ttlHours = 24, maxBytes = 1 << 28, now = Date.now, checkSource = Deno.realPath } = options;
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const failures: string[] = [];
  const failed = (reason: string) => void failures.push(reason);
  const database = makeStoreDatabase({ dataDir, now, warn });
  const blobs = makeBlobFiles(`${dataDir}/blobs`);
  const handles = makeHandleStore({ database, blobs, checkSource, ttlHours, maxBytes, now, warn, failed });
  return { handles, database, warnings, failures, [Symbol.dispose]: () => database.close() };
}

/** Runs a test with a fresh directory. */
export function withDirectory(test: (directory: string) => void | Promise<void>): () => Promise<void> {
  return async () => {
    const directory = await Deno.makeTempDir({ prefix: "llmc-store-" });
    try {
      await test(directory);
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  };
}

/** Names of what a directory holds. */
export function namesIn(directory: string): string[] {
  return Array.from(Deno.readDirSync(directory), ({ name }) => name);
}

/** The stamp of a file as it is now. */
export async function stampOf(path: string, sha256?: string): Promise<SourceStamp> {
  const { size, mtime } = await Deno.stat(path);
  return { path, sizeBytes: size, mtimeMs: mtime?.getTime() ?? 0, ...(sha256 === undefined ? {} : { sha256 }) };
}

/** Starts a program of this folder in a process of its own. */
export function startProgram(name: string, args: readonly string[]): Deno.ChildProcess {
  const program = new URL(name, import.meta.url).pathname;
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", program, ...args],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  });
  return command.spawn();
}

/** Lines of a process as they come. */
export async function* linesOf(child: Deno.ChildProcess): AsyncGenerator<string> {
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** A call record, the rest of it as in most tests. */
export function callOf(known: Partial<CallRecord>): CallRecord {
  return {
    timeMs: 0,
    tool: "linux_fs_read",
    owner: "5e8f",
    agentId: "claude-desktop-mcp",
    sessionId: "s1",
    model: "unknown",
    argsSummary: "path=a.ts",
    status: "ok",
    errorCode: null,
    durationMs: 1,
    tokensIn: 10,
    tokensOut: 100,
    truncated: false,
    bytesOut: 400,
    correlationId: "c1",
    ...known,
  };
}
