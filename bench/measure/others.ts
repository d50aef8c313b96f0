/** Runs the other benchmarks and takes in what they wrote: rows of load, of code search, and tasks counted in tokens. @module */
import { CACHE } from "../peers/install.ts";
import type { ForeignRow, TokenTask } from "./report.ts";

/** Where all benchmarks write. */
export const RESULTS = new URL("../results/", import.meta.url);
/** Files of this benchmark itself, and those that are read in another way. */
const NOT_ROWS = new Set(["bench.json", "tokens.json"]);

const FOLDER = new URL("../", import.meta.url).pathname;

/** The programs, each with the arguments for a short run. Code search is not among them: it takes minutes by itself. */
function programs(binary: string): readonly (readonly string[])[] {
  const peer = `${CACHE}/peers/_wonderwhy-er_desktop-commander-0.2.52`;
  return [
    ["tokens.ts", "--binary", binary, "--peers", peer, "--in-namespace"],
    ["http_load.ts", "--binary", binary, "--seconds", "5"],
  ];
}

/** Runs them one after the other. @param deadline `performance.now()` at which they are ended */
export async function runOthers(binary: string, deadline: number, say: (line: string) => void): Promise<void> {
  for (const [program = "", ...args] of programs(binary)) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) {
      say(`bench: no time left for ${program}`);
      continue;
    }
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-lock", "-q", `${FOLDER}${program}`, ...args],
      stdin: "null",
      signal: AbortSignal.timeout(leftMs),
    });
    // It fails, too, when something does not hold: its rows say what.
    if (!(await command.output()).success) say(`bench: ${program} ended early or did not reach everything`);
  }
}

/** Rows by the name of the benchmark; those that were never run are not there. */
export async function foreignRows(folder: URL): Promise<Record<string, ForeignRow[]>> {
  const found: Record<string, ForeignRow[]> = {};
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name).catch(() => []); // never run
  for (const name of names.sort()) {
    if (!name.endsWith(".json") || NOT_ROWS.has(name)) continue;
    const { rows } = await readJson(new URL(name, folder)) ?? {};
    const own = Array.isArray(rows) ? rows.filter(isForeignRow) : [];
    if (own.length > 0) {
      found[name.slice(0, -".json".length)] = own.map(({ what, figure, target, holds }) => ({
        what,
        figure,
        target,
        holds,
      }));
    }
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
