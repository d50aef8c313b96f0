/** Keeps what V8 compiled of each thread's script during a start and some calls. @module */
import { startServer } from "../bench/peers/client.ts";
import { exists, ROOT } from "./project.ts";
import { ASK } from "./recording/record.ts";

/** The loaders of the program that records. */
export const RECORDING_LOADERS = ["scripts/recording/main.ts", "scripts/recording/worker.ts"];

/** Threads that the session needs; the others start rarely, and compile for themselves. */
const RECORDED = ["main", "server", "indexer"];

const DIR = `${ROOT}/dist/recording`;
const ROOM = `${DIR}/root`;
const STATE = `${DIR}/state`;
/** The one folder that every thread of the server may write to, under a name that it would have made up. */
const STORE = `${STATE}/store-${"0".repeat(32)}`;

const LIMIT_MS = 30_000;
const POLL_MS = 20;

/** What most sessions begin with. */
const CALLS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  linux_fs_list: { path: "." },
  linux_fs_read: { path: "readme.md" },
  linux_fs_patch_block: { path: "readme.md", old_text: "one", new_text: "two" },
  linux_search_content: { pattern: "word" },
  run_cmd: { command: "echo hi | cat" },
  rag_search: { q: "word" },
};

/**
 * Runs a session on the program that records, and returns the caches by the names of the scripts.
 *
 * @throws Error when the program does not answer, or writes none
 */
export async function recordCodeCache(program: string): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  for (const folder of [STORE, ROOM]) await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await Deno.writeTextFile(`${ROOM}/readme.md`, "one word\n");
    await Deno.writeTextFile(`${ROOM}/word.py`, "def word():\n    return 1\n");
    await runSession(program);
    const caches = RECORDED.map(async (name) => [name, await Deno.readFile(`${STORE}/${name}.cache`)] as const);
    return new Map(await Promise.all(caches));
  } finally {
    await Deno.remove(DIR, { recursive: true });
  }
}

/** A start, the list of tools, and the calls. */
async function runSession(program: string): Promise<void> {
  await using server = await startServer({
    program,
    args: ["stdio", "--root", ROOM, "--set", `mcp.data_dir=${STATE}`],
    env: { HOME: DIR, PATH: "/usr/local/bin:/usr/bin:/bin" },
    cwd: STORE,
  });
  await server.listTools();
  for (const [name, args] of Object.entries(CALLS)) {
    const { isError, text } = await server.call(name, args);
    if (isError) throw new Error(`${name}: ${text}`);
  }
  await Deno.writeTextFile(`${STORE}/${ASK}`, "");
  const deadline = performance.now() + LIMIT_MS;
  for (const name of RECORDED) {
    while (!await exists(`${STORE}/${name}.cache`)) {
      if (performance.now() > deadline) throw new Error(`the thread ${name} did not write what V8 compiled of it`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
