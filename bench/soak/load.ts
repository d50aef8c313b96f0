/** Calls all tools at a steady rate and checks every answer. @module */
import type { Random } from "../../tests/support/random.ts";
import { NoAnswer } from "../security/stdio_server.ts";
import type { Journal } from "./journal.ts";
import type { Speaker } from "./speakers.ts";

/** What a load has met so far. */
export interface Load {
  readonly calls: number;
  /** By tool. */
  readonly byTool: ReadonlyMap<string, number>;
  /** Tools that did their work at least once. */
  readonly worked: ReadonlySet<string>;
  /** By the code of the error. */
  readonly errors: ReadonlyMap<string, number>;
  /** Sorted, ms. */
  readonly latencies: readonly number[];
  /** Internal errors, and calls without an answer while the server had not been killed. */
  readonly faults: readonly string[];
  /** From now on an unanswered call is no fault: its server is about to be killed. Until {@link resume}. */
  pause(): void;
  resume(): void;
  /** Ends it and waits for calls in flight. */
  stop(): Promise<void>;
}

/** How to load a server. */
export interface LoadOptions {
  readonly speaker: Speaker;
  readonly journal: Journal;
  readonly random: Random;
  readonly callsPerSecond: number;
  /** Codes that are to be expected, such as WRITE_FAILED on a full disk. */
  readonly expected?: readonly string[];
}

type Args = Readonly<Record<string, unknown>>;

/** Every kind of work that tools do. Paths are those of {@link seedFiles}. */
const CALLS: readonly (readonly [string, Args])[] = [
  ["linux_fs_read", { path: "src/a.ts" }],
  ["linux_fs_read", { path: "big.log", offset_lines: -50 }],
  ["linux_fs_read", { path: "missing.txt" }],
  ["linux_fs_list", { path: ".", depth: 3 }],
  ["linux_fs_stat", { path: "src/a.ts" }],
  ["linux_search_content", { pattern: "function", max_results: 20 }],
  ["linux_search_files", { pattern: "*.ts" }],
  ["linux_fs_mkdirs", { path: "made/deep/er" }],
  ["linux_fs_delete", { path: "made", recursive: true }],
  ["run_cmd", { argv: ["echo", "hello"] }],
  ["run_cmd", { command: "cat big.log | sort | head -n 3" }],
  ["run_cmd", { argv: ["seq", "20000"] }],
  ["run_cmd", { argv: ["sleep", "1"] }],
  ["run_cmd", { argv: ["python3", "-c", "print(6 * 7)"] }],
  ["te_run", { command: "ls -l" }],
  ["linux_proc_list", { max_results: 10 }],
  ["linux_proc_tree", { max_depth: 2 }],
  ["linux_sys_snapshot", {}],
  ["linux_sys_info", { info_type: "memory" }],
  ["linux_sys_services", {}],
  ["linux_mcp_usage_stats", {}],
  ["linux_mcp_recent_calls", { max_results: 5 }],
  ["get_metrics", {}],
  ["rag_search", { q: "where is the total added up" }],
  ["rag_bootload", {}],
  ["read_file", { path: "src/a.ts" }],
  ["list_dir", { path: "src" }],
  ["stat", { path: "src" }],
  ["repo_read", { path: "src/a.ts" }],
  ["EXEC_CLI", { command: "uname" }],
  ["SYS_INFO", {}],
  ["linux_proc_start", { argv: ["cat"] }],
  ["linux_mcp_run_onboarding", { flow_name: "system_health" }],
  ["linux_fs_write", { path: "moved/from.txt", content: "moved\n" }],
  ["linux_fs_move", { source: "moved/from.txt", target: "moved/to.txt", overwrite: true }],
  ["linux_sys_logs", { lines: 5 }],
  ["health", {}],
  ["rag_query", { query: "total" }],
  ["repo_write_patch", {
    path: "src/c.ts",
    old_text: "length",
    new_text: "size",
    expected_replacements: 20,
    dry_run: true,
  }],
  ["run_pytest", { path: "test_sum.py" }],
];

/** Files that the calls look at. */
export async function seedFiles(root: string): Promise<void> {
  await Deno.mkdir(`${root}/src`, { recursive: true });
  await Deno.mkdir(`${root}/journal-stdio`, { recursive: true });
  await Deno.mkdir(`${root}/journal-http`, { recursive: true });
  await Deno.mkdir(`${root}/moved`, { recursive: true });
  await Deno.writeTextFile(`${root}/test_sum.py`, "def test_sum():\n    assert 1 + 1 == 2\n");
  const source =
    "/** Adds up the total. */\nexport function total(items: number[]): number {\n  return items.length;\n}\n";
  for (const name of ["a", "b", "c"]) await Deno.writeTextFile(`${root}/src/${name}.ts`, source.repeat(20));
  const line = (index: number) => `2026-01-01 line ${index} of a log that is read from its end\n`;
  await Deno.writeTextFile(`${root}/big.log`, Array.from({ length: 20_000 }, (_, index) => line(index)).join(""));
}

/** Makes each call once, and ends what that starts. */
export async function callEachOnce(speaker: Speaker): Promise<void> {
  for (const [name, args] of CALLS) {
    const { text } = await speaker.call(name, args);
    const procId = procIdIn(text);
    if (procId !== undefined) await speaker.call("linux_proc_stop", { proc_id: procId });
  }
}

function procIdIn(text: string): string | undefined {
  return text.match(/\bP_\w+/)?.[0];
}

/** Begins to call. */
export function startLoad({ speaker, journal, random, callsPerSecond, expected = [] }: LoadOptions): Load {
  const byTool = new Map<string, number>(), errors = new Map<string, number>();
  const latencies: number[] = [], faults: string[] = [], handles: string[] = [], worked = new Set<string>();
  const started: { readonly procId: string; readonly pid: number }[] = [];
  let waiting: (readonly [string, Args])[] = [];
  const inFlight = new Set<Promise<void>>();
  let calls = 0, isPaused = false;
  const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);

  const ask = async (name: string, args: Args): Promise<{ text: string; code: string | null } | null> => {
    const startedMs = performance.now();
    calls++;
    count(byTool, name);
    try {
      const said = await speaker.call(name, args);
      latencies.push(performance.now() - startedMs);
      if (said.code === null || said.code === "FAILED") worked.add(name); // a program may fail, the tool did its work
      if (said.code !== null) count(errors, said.code);
      if (said.code === "INTERNAL") faults.push(`${name}: ${said.text.slice(0, 300)}`);
      return said;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      count(errors, "no answer");
      if (!isPaused) faults.push(`${speaker.face} ${name}: ${error.message}`);
      return null;
    }
  };

  const change = async () => {
    const next = journal.next(random);
    if (next === null) return;
    const said = await ask(next.name, next.args);
    if (said?.code === null) return next.acknowledge();
    next.release();
    if (said !== null && !expected.includes(said.code ?? "")) faults.push(`${next.name}: ${said.text.slice(0, 300)}`);
  };

  const use = async ({ procId, pid }: { procId: string; pid: number }) => {
    await ask("linux_proc_send", { proc_id: procId, input: "hello" });
    await ask("linux_proc_read", { proc_id: procId, timeout_ms: 100 });
    if (pid > 0 && random.chance(0.5)) await ask("linux_proc_kill", { pid });
    await ask("linux_proc_stop", { proc_id: procId });
  };

  const once = async () => {
    if (random.chance(0.3)) return await change();
    // What was started is used and ended again, what was kept is read on.
    const old = started.length > 3 ? started.shift() : undefined;
    if (old !== undefined) return await use(old);
    const handle = random.chance(0.2) ? handles.shift() : undefined;
    if (handle !== undefined) return void await ask("linux_handle_read", { handle, offset: 10, limit: 10 });
    // In turns and in any order, so that none is left out for long.
    if (waiting.length === 0) {
      waiting = CALLS.map((call) => ({ call, at: random.below(1e9) })).toSorted((one, other) => one.at - other.at).map((
        { call },
      ) => call);
    }
    const [name, args] = waiting.pop() ?? ["health", {}];
    const said = await ask(name, args);
    const procId = said === null ? undefined : procIdIn(said.text);
    if (procId !== undefined) started.push({ procId, pid: Number(said?.text.match(/\bpid\W+(\d+)/)?.[1] ?? 0) });
    handles.push(...said?.text.match(/\bH_\w+/g)?.slice(0, 1) ?? []);
    if (handles.length > 20) handles.length = 20;
  };

  const timer = setInterval(() => {
    if (isPaused) return;
    const work = once();
    inFlight.add(work);
    work.finally(() => inFlight.delete(work));
  }, 1000 / callsPerSecond);
  return {
    get calls() {
      return calls;
    },
    byTool,
    worked,
    errors,
    get latencies() {
      return latencies.toSorted((one, other) => one - other);
    },
    faults,
    pause: () => void (isPaused = true),
    resume() {
      started.length = 0; // they died with their server
      handles.length = 0;
      isPaused = false;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(inFlight);
      for (const { procId } of started.splice(0)) await ask("linux_proc_stop", { proc_id: procId });
    },
  };
}
