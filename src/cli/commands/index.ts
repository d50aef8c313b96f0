/** `llmc-mcp index` and `llmc-mcp rag search`: code search on the command line. @module */
import type { AppVerbs } from "../../app/verbs.ts";
import type { RootStatus } from "../../code_search/index.ts";
import { type ConfigFlags, resolveHere } from "../settings.ts";
import { EXIT, print, say } from "../output.ts";
import { start } from "../start.ts";

/** Options of `index`. */
export interface IndexFlags extends ConfigFlags {
  readonly status?: boolean;
  readonly rebuild?: boolean;
  readonly json?: boolean;
}

/** Options of `rag search`. */
export interface RagSearchFlags extends ConfigFlags {
  readonly scope?: string;
  readonly k?: string;
  readonly budget?: string;
  readonly json?: boolean;
}

const BAR_WIDTH = 30;
const REDRAW_MS = 100;

/** Brings the indexes up to date with a progress bar, or says how they are. */
export async function index(flags: IndexFlags): Promise<number> {
  const running = await start(resolveHere(flags), { kind: "command" });
  const { server } = running;
  try {
    if (!flags.status) await syncWithBar(server, flags.rebuild ?? false);
    const roots = await server.indexStatus();
    print(flags.json ? `${JSON.stringify(roots, null, 2)}\n` : roots.map(statusLine).join(""));
    if (roots.length === 0) say("llmc-mcp: no folder is indexed; start with --root DIR or set mcp.rag.roots");
    return roots.length === 0 || roots.some(({ state }) => state === "unavailable") ? EXIT.failed : EXIT.ok;
  } finally {
    await running.stop();
  }
}

/** Answers one question, after the index was brought up to date. */
export async function ragSearchCommand(q: string, flags: RagSearchFlags): Promise<number> {
  const running = await start(resolveHere(flags), { kind: "command" });
  try {
    await syncWithBar(running.server, false);
    const { scope, k, budget } = flags;
    const answer = await running.server.call("rag_search", { q, scope, k, budget_tokens: budget });
    if (answer.error) {
      say(answer.text);
      return EXIT.failed;
    }
    print(`${flags.json ? JSON.stringify(answer.result, null, 2) : answer.text.trimEnd()}\n`);
    return EXIT.ok;
  } finally {
    await running.stop();
  }
}

/** Waits for the indexes; on a terminal a bar shows how far they are. */
async function syncWithBar(server: AppVerbs, rebuild: boolean): Promise<void> {
  const syncing = server.indexSync(rebuild);
  if (!Deno.stderr.isTerminal()) return void await syncing;
  const encoder = new TextEncoder();
  const draw = (text: string) => Deno.stderr.writeSync(encoder.encode(`\r\x1b[K${text}`));
  const timer = setInterval(async () => {
    const { done, total } = await server.indexProgress();
    if (total > 0) draw(bar(done, total));
  }, REDRAW_MS);
  try {
    await syncing;
  } finally {
    clearInterval(timer);
    draw("");
  }
}

function bar(done: number, total: number): string {
  const filled = Math.round(BAR_WIDTH * done / total);
  return `indexing ${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${done}/${total} files`;
}

function statusLine({ root, state, files, chunks, size_bytes, indexed_at, reason }: RootStatus): string {
  const size = `${(size_bytes / 1024 / 1024).toFixed(1)} MB`;
  const detail = reason ?? `${files} files, ${chunks} chunks, ${size}, ${indexed_at ?? "never indexed"}`;
  return `${root}  ${state}  ${detail}\n`;
}
