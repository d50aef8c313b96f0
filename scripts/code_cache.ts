/** Keeps what V8 compiled of each thread's script during a start and some calls. @module */
import { startServer } from "../bench/peers/client.ts";
import type { Entry } from "./bundle.ts";
import { exists, ROOT } from "./project.ts";

/** Threads that such a session needs; the others start rarely, and compile for themselves. */
export const RECORDED: readonly string[] = ["main", "server_worker", "indexer_worker"];

const DIR = `${ROOT}/dist/recording`;
const ROOM = `${DIR}/root`;
const STATE = `${DIR}/state`;
/** The one folder that every thread of the server may write to, under a name that it would have made up. */
const STORE = `${STATE}/store-${"0".repeat(32)}`;
/** Its presence asks the threads to write. */
const ASK = `${STORE}/record`;

const LIMIT_MS = 30_000;
const POLL_MS = 20;

/** What most sessions begin with. */
const CALLS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  linux_fs_list: { path: "." },
  linux_fs_read: { path: "readme.md" },
  linux_fs_patch_block: { path: "readme.md", old_text: "one", new_text: "two" },
  linux_search_content: { pattern: "word" },
  run_cmd: { command: "echo hi" },
  rag_search: { q: "word" },
};

/** How a thread of the recording program runs: once it is asked to, it writes its cache. */
export function recordingEntry(name: string): Entry {
  const path = `${STORE}/${name}`;
  return {
    then: `const asked = setInterval(() => {
  try { Deno.statSync("${ASK}"); } catch { return; }
  clearInterval(asked);
  Deno.writeFileSync("${path}.part", script.createCachedData());
  Deno.renameSync("${path}.part", "${path}.cache");
}, ${POLL_MS});`,
  };
}

/**
 * Runs a session on the recording program and leaves NAME.cache of each thread in `dir`.
 *
 * @throws Error when the program does not answer, or writes none
 */
export async function recordCodeCache(program: string, dir: string): Promise<void> {
  for (const folder of [STORE, ROOM]) await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await Deno.writeTextFile(`${ROOM}/readme.md`, "one word\n");
    await record(program);
    for (const name of RECORDED) await Deno.copyFile(`${STORE}/${name}.cache`, `${dir}/${name}.cache`);
  } finally {
    await Deno.remove(DIR, { recursive: true });
  }
}

/** The session: a start, the list of tools, and the calls. */
async function record(program: string): Promise<void> {
  await using server = await startServer({
    program,
    args: ["stdio", "--root", ROOM, "--set", `mcp.data_dir=${STATE}`],
    env: { HOME: DIR, PATH: "/usr/local/bin:/usr/bin:/bin" },
    cwd: ROOM,
  });
  await server.listTools();
  for (const [name, args] of Object.entries(CALLS)) {
    const { isError, text } = await server.call(name, args);
    if (isError) throw new Error(`${name}: ${text}`);
  }
  await Deno.writeTextFile(ASK, "");
  const deadline = performance.now() + LIMIT_MS;
  for (const name of RECORDED) {
    while (!await exists(`${STORE}/${name}.cache`)) {
      if (performance.now() > deadline) throw new Error(`the thread ${name} did not write what V8 compiled of it`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
