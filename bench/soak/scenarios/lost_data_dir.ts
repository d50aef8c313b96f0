/**
 * Scenario: the data directory is removed while the server runs; calls continue, and the next start creates it again.
 * @module
 */
import { badLines, makeFolders, type Scenario, type Setting } from "../scenario.ts";
import type { Outcome } from "../../../scripts/reports/reliability.ts";
import { seedFiles } from "../load.ts";
import { speakStdio } from "../speakers.ts";
import { checkDatabases } from "../watch.ts";

const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["linux_fs_read", { path: "src/a.ts" }],
  ["linux_fs_write", { path: "new.txt", content: "x\n" }],
  ["linux_fs_apply_diff", { diff_text: "--- a/new.txt\n+++ b/new.txt\n@@ -1 +1 @@\n-x\n+y\n" }],
  ["run_cmd", { argv: ["echo", "x"] }],
  ["run_cmd", { argv: ["seq", "50000"] }],
  ["linux_search_content", { pattern: "function" }],
  ["linux_mcp_usage_stats", {}],
  ["linux_mcp_recent_calls", {}],
  ["rag_search", { q: "total" }],
];
/** What may fail without a place to keep things: backups, handles, records, the index. */
const MAY_FAIL = ["WRITE_FAILED", "STATS_BACKEND_UNAVAILABLE", "INDEX_UNAVAILABLE"];

export const lostDataDir: Scenario = {
  name: "removed data directory",
  share: 0.04,
  async run({ program, dir }: Setting): Promise<Outcome> {
    const { root, env } = await makeFolders(dir);
    await seedFiles(root);
    const speaker = await speakStdio({ program, root, env });
    const faults: string[] = [];
    let worked = 0, failed = 0;
    const callAll = async (lenient: boolean) => {
      for (const [name, args] of CALLS) {
        const { code, text } = await speaker.call(name, args);
        if (code === null) worked++;
        else failed++;
        if (code !== null && !(lenient && MAY_FAIL.includes(code))) faults.push(`${name}: ${text.slice(0, 200)}`);
        if (["linux_fs_read", "linux_fs_write"].includes(name) && code !== null) faults.push(`${name} needs no store`);
      }
    };
    await callAll(false);
    await Deno.remove(`${dir}/state/llmc-mcp`, { recursive: true });
    await callAll(true);
    await speaker.kill();
    await speaker.restart();
    await callAll(false);
    await speaker.close();
    faults.push(...await checkDatabases(`${dir}/state`), ...badLines(speaker.log()));
    return { figures: { "calls that worked": worked, "calls refused meanwhile": failed }, faults };
  },
};
