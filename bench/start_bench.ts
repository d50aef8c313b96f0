/** Benchmark of the start: time to the answer of `initialize`, idle memory, and tokens of the tool list. @module */
import { type Bench, bounds, lineOf } from "./measure/context.ts";
import { residentMb } from "./measure/machine.ts";
import type { Cell, Row } from "../scripts/reports/performance.ts";
import { type Entrant, runRounds } from "./measure/rounds.ts";
import { summarise } from "./measure/statistics.ts";
import { type ServerProcess, startServer } from "./peers/client.ts";
import { makePlace, type Place } from "./peers/place.ts";

/** What begins after the answer is counted too. */
const SETTLE_MS = 400;
const START_BOUNDS = { maxRounds: 12, budgetMs: 70_000, minRounds: 3, warmUp: 1 };

/** @param hello the smallest compiled server, as the floor; undefined where none can be compiled */
export async function startBench(bench: Bench, hello: string | undefined): Promise<Row[]> {
  const contestants = bench.contestants.filter(({ key }) => key !== "ours_landlock");
  const memory = new Map<string, number[]>(), lists = new Map<string, ListCost>();
  await using stack = new AsyncDisposableStack();
  const places = new Map<string, Place>();
  for (const { key } of contestants) places.set(key, stack.use(await makePlace()));
  const helloPlace = stack.use(await makePlace());
  const keep = (key: string, mb: number) => memory.set(key, [...memory.get(key) ?? [], mb]);
  const entrants: Entrant[] = contestants.map((contestant) => ({
    key: contestant.key,
    async once() {
      const { key } = contestant, place = places.get(key);
      if (place === undefined) return;
      await using server = await startServer(await contestant.command(place));
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      keep(key, await residentMb(server.pid));
      if (!lists.has(key)) lists.set(key, await listCost(bench, server));
      return server.startMs;
    },
  }));
  if (hello !== undefined) {
    entrants.push({
      key: "floor",
      async once() {
        const command = { program: hello, args: [], env: helloPlace.env, cwd: helloPlace.root };
        await using server = await startServer(command);
        keep("floor", await residentMb(server.pid));
        return server.startMs;
      },
    });
  }
  const outcomes = await runRounds(entrants, bounds(bench, START_BOUNDS));
  const start: Record<string, Cell> = {}, idle: Record<string, Cell> = {};
  for (const [key, outcome] of outcomes) {
    start[key] = "fault" in outcome ? outcome : outcome.summary;
    const samples = memory.get(key) ?? [];
    idle[key] = samples.length === 0 ? { fault: "not measured" } : summarise(samples);
  }
  const rows: Row[] = [
    { key: "start", what: "start to `initialize`", unit: "ms", cells: start, floor: "compiled echo server" },
    { key: "idle_memory", what: "memory when idle, MB", unit: "MB", cells: idle, floor: "compiled echo server" },
    { key: "tool_list", what: "tool list", unit: "tokens", cells: cellsOf(lists, "list") },
    { key: "instructions", what: "instructions of the server", unit: "tokens", cells: cellsOf(lists, "instructions") },
  ];
  for (const { what, cells } of rows) bench.say(lineOf(what, cells));
  return rows;
}

/** Everything on the wire, and of it what clients put before a model: name, description, schema of the arguments. */
async function listCost({ count }: Bench, { listTools, instructions }: ServerProcess): Promise<ListCost> {
  const tools = await listTools();
  const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const list = {
    count: tools.length,
    tokens: count(JSON.stringify(tools)),
    textTokens: count(JSON.stringify(seen)),
  };
  return { list, instructions: { tokens: count(instructions) } };
}

function cellsOf(lists: ReadonlyMap<string, ListCost>, part: keyof ListCost): Row["cells"] {
  return Object.fromEntries([...lists].map(([key, cost]) => [key, cost[part]]));
}

interface ListCost {
  readonly list: Cell;
  readonly instructions: Cell;
}
