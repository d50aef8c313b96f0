/** Benchmark of files: read, list, edit, many edits at once, a tree of 100,000 files. @module */
import { type Bench, lineOf, measureRow, type Running, type ServerEntrant } from "./measure/context.ts";
import type { Cell, Row } from "../scripts/reports/performance.ts";
import { openServers } from "./measure/servers.ts";
import { summarise } from "./measure/statistics.ts";
import { walkTree } from "./measure/trees.ts";
import { startServer, type ToolAnswer } from "./peers/client.ts";
import { runProgram } from "./peers/floors.ts";
import { type Call, make } from "./peers/hands.ts";
import { makePlace } from "./peers/place.ts";

const FAST = { maxRounds: 200, budgetMs: 12_000 };
const LINES = 40, ENTRIES = 100, PARALLEL = 20;

/** @param hello the smallest compiled server; undefined where none can be compiled */
export async function filesBench(bench: Bench, hello: string | undefined): Promise<Row[]> {
  await using place = await makePlace();
  await using servers = await openServers(bench, place.root, ({ key, read }) => key !== "ours_landlock" && !!read);
  await plant(place.root, servers.all);
  await using stack = new AsyncDisposableStack();
  const echo = hello === undefined
    ? undefined
    : stack.use(await startServer({ program: hello, args: [], env: place.env, cwd: place.root }));
  const echoOnce = echo === undefined ? undefined : () => echo.call("echo", {});
  const floor = "an echo over stdio";
  const rows = [
    await measureRow(
      bench,
      { key: "read", what: `read ${LINES} lines`, floor },
      entrants(servers.all, ({ contestant, root }) => contestant.read?.(`${root}/lines.txt`, LINES)),
      FAST,
      echoOnce,
    ),
    await measureRow(
      bench,
      { key: "list", what: `list ${ENTRIES} entries`, floor },
      entrants(servers.all, ({ contestant, root }) => contestant.list?.(`${root}/entries`)),
      FAST,
      echoOnce,
    ),
    await measureRow(
      bench,
      { key: "edit", what: "edit a block", floor },
      entrants(servers.all, makeEdits()),
      FAST,
      echoOnce,
    ),
    await parallelEdits(bench, servers.all),
  ];
  return rows;
}

async function plant(root: string, servers: readonly Running[]): Promise<void> {
  const line = (index: number) => `line ${index} of a file that is read, with some words to fill it up\n`;
  const text = Array.from({ length: LINES }, (_, index) => line(index)).join("");
  await Deno.writeTextFile(`${root}/lines.txt`, text);
  await Deno.mkdir(`${root}/entries`);
  for (let index = 0; index < ENTRIES; index++) await Deno.writeTextFile(`${root}/entries/file${index}.txt`, "x\n");
  for (const { contestant: { key } } of servers) await Deno.writeTextFile(`${root}/edit_${key}.txt`, text);
}

function entrants(servers: readonly Running[], callOf: (running: Running) => Call | undefined): ServerEntrant[] {
  return servers.map((running) => ({
    running,
    async once() {
      const call = callOf(running);
      if (call === undefined) throw new Error("no such tool");
      refuse(await make(running.server, call));
    },
  }));
}

/** An answer that says it failed is no figure. */
function refuse({ isError, text }: ToolAnswer): void {
  if (isError) throw new Error(text.slice(0, 200));
}

/** Edits that can be made again and again: there and back. */
function makeEdits(): (running: Running) => Call | undefined {
  const turns = new Map<string, number>();
  const original = "line 17 of a file that is read", changed = "line 17 of a file that was edited";
  return ({ contestant: { key, edit }, root }) => {
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    const [from, to] = turn % 2 === 0 ? [original, changed] : [changed, original];
    return edit?.(`${root}/edit_${key}.txt`, from, to);
  };
}

/** Sends edits of different lines of one file all at once, and counts on disk how many are there. */
async function parallelEdits(bench: Bench, servers: readonly Running[]): Promise<Row> {
  const cells: Record<string, Cell> = {};
  for (const { contestant: { key, edit }, server, root } of servers) {
    if (edit === undefined) continue;
    const path = `${root}/parallel_${key}.txt`;
    const lines = Array.from({ length: PARALLEL }, (_, index) => `value_${index}_old;`);
    await Deno.writeTextFile(path, `${lines.join("\n")}\n`);
    const calls = lines.map((line) => make(server, edit(path, line, line.replace("old", "new"))));
    await Promise.allSettled(calls);
    const text = await Deno.readTextFile(path);
    cells[key] = { count: text.match(/_new;/g)?.length ?? 0 };
  }
  const what = `parallel edits of one file, ${PARALLEL} sent, kept`;
  bench.say(lineOf(what, cells));
  return { key: "parallel_edits", what, unit: "count", cells };
}

/** The answer that is capped, and the whole listing behind its handle: the second goes on while the first is read. */
export async function walkBench(bench: Bench): Promise<Row[]> {
  const tree = await walkTree();
  await using servers = await openServers(bench, tree, ({ key }) => key === "ours");
  const [running] = servers.all;
  if (running === undefined) return [];
  const capped: number[] = [];
  const entrant: ServerEntrant = {
    running,
    async once() {
      const started = performance.now();
      const { text } = await running.server.call("linux_fs_list", { path: tree, depth: 10 });
      capped.push(performance.now() - started);
      const handle = text.match(/\bH_\w+/)?.[0];
      if (handle === undefined) throw new Error("no handle for the rest");
      refuse(await running.server.call("linux_handle_read", { handle, offset: 100_000, limit: 10 }));
    },
  };
  const what = "walk 100,000 files, to the last line", floor = "find";
  const full = await measureRow(
    bench,
    { key: "walk_full", what, floor },
    [entrant],
    { maxRounds: 20, budgetMs: 30_000 },
    () => runProgram("find", [tree]),
  );
  const warm = capped.slice(2);
  const cells: Row["cells"] = {
    ours: warm.length === 0 ? full.cells.ours ?? {} : summarise(warm),
    ...full.cells.floor ? { floor: full.cells.floor } : {},
  };
  const first: Row = { ...full, key: "walk_capped", what: "walk 100,000 files, to the capped answer", cells };
  bench.say(lineOf(first.what, cells));
  return [first, full];
}
