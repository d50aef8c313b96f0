/** Runs the other benchmarks and imports their results: load, code search, and tokens of tasks. @module */
import { CACHE } from "../peers/install.ts";
import type { ForeignRow, ForeignTable, TokenTask } from "../../scripts/reports/performance.ts";

/** Where all benchmarks write. */
export const RESULTS = new URL("../results/", import.meta.url);
/** Files of this benchmark itself, and those that are read in another way. */
const NOT_ROWS = new Set(["bench.json", "tokens.json"]);

const FOLDER = new URL("../", import.meta.url).pathname;

/** Another benchmark: its program, what it writes, and how long it may take. */
interface Other {
  readonly result: string;
  readonly command: readonly string[];
  readonly limitMs: number;
}

const MINUTE_MS = 60_000;

/** Questions for the code search, which are made from other people's sources and lie elsewhere. */
export const RAG_FOLDER = Deno.env.get("RAG_BENCH");

/** The programs, each with the arguments for a short run. */
function others(binary: string): readonly Other[] {
  const peer = `${CACHE}/peers/_wonderwhy-er_desktop-commander-0.2.52`;
  return [
    {
      result: "tokens.json",
      command: ["tokens.ts", "--binary", binary, "--peers", peer, "--in-namespace"],
      limitMs: 3 * MINUTE_MS,
    },
    { result: "bounds.json", command: ["bounds.ts", "--binary", binary], limitMs: 4 * MINUTE_MS },
    { result: "http.json", command: ["http_load.ts", "--binary", binary, "--seconds", "5"], limitMs: 4 * MINUTE_MS },
    ...RAG_FOLDER === undefined
      ? []
      : [{ result: "rag.json", command: ["rag.ts", RAG_FOLDER], limitMs: 12 * MINUTE_MS }],
  ];
}

/** Runs them one after the other. @returns what those wrote that came to their end */
export async function runOthers(binary: string, say: (line: string) => void): Promise<ReadonlySet<string>> {
  const written = new Set<string>();
  for (const { result, command: [program = "", ...args], limitMs } of others(binary)) {
    const before = await changedMs(result);
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-lock", "-q", `${FOLDER}${program}`, ...args],
      stdin: "null",
      signal: AbortSignal.timeout(limitMs),
    });
    // It fails, too, when something does not hold: its rows say what.
    const { success } = await command.output();
    if (await changedMs(result) > before) written.add(result);
    else say(`bench: ${program} did not come to its end`);
    if (!success) say(`bench: ${program} did not reach everything`);
  }
  return written;
}

async function changedMs(result: string): Promise<number> {
  const info = await Deno.stat(new URL(result, RESULTS)).catch(() => null); // never run
  return info?.mtime?.getTime() ?? 0;
}

/**
 * Tables by the name of the benchmark; those that were never run are not there.
 *
 * @param written What was written in this run.
 */
export async function foreignTables(folder: URL, written: ReadonlySet<string>): Promise<Record<string, ForeignTable>> {
  const found: Record<string, ForeignTable> = {};
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name).catch(() => []); // never run
  for (const name of names.sort()) {
    if (!name.endsWith(".json") || NOT_ROWS.has(name)) continue;
    const { rows, at } = await readJson(new URL(name, folder)) ?? {};
    const own = Array.isArray(rows) ? rows.filter(isForeignRow) : [];
    if (own.length === 0) continue;
    found[name.slice(0, -".json".length)] = {
      ownRun: written.has(name) ? null : String(at).slice(0, 10),
      rows: own.map(({ what, figure, target, holds }) => ({ what, figure, target, holds })),
    };
  }
  return found;
}

function isForeignRow(row: unknown): row is ForeignRow {
  const { what, figure, target, holds }: Partial<ForeignRow> = Object(row);
  return typeof what === "string" && typeof figure === "string" && typeof target === "string" &&
    typeof holds === "boolean";
}

/** Tasks with what they cost in tool list, calls and results. */
export async function tokenTasks(folder: URL): Promise<TokenTask[]> {
  const { outcomes = [] }: { outcomes?: Outcome[] } = await readJson(new URL("tokens.json", folder)) ?? {};
  const tasks = Map.groupBy(outcomes, ({ task }) => task);
  return [...tasks].flatMap(([task, own]) => {
    const ours = own.find(({ server }) => server === "ours"), peer = own.find(({ server }) => server !== "ours");
    return ours === undefined || peer === undefined ? [] : [{ task, ours: total(ours), peer: total(peer) }];
  });
}

interface Outcome {
  readonly task: string;
  readonly server: string;
  readonly cost: {
    readonly listTokens: number;
    readonly callTokens: number;
    readonly resultTokens: number;
    readonly calls: number;
  };
}

function total({ cost: { listTokens, callTokens, resultTokens, calls } }: Outcome): TokenTask["ours"] {
  return { calls, tokens: listTokens + callTokens + resultTokens };
}

async function readJson(url: URL): Promise<Record<string, unknown> | null> {
  try {
    return JSON.parse(await Deno.readTextFile(url));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
