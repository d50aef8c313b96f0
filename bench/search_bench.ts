/** Benchmark of search in 5,000 files: a rare word and a frequent one. @module */
import { type Bench, measureRow, type ServerEntrant } from "./measure/context.ts";
import type { Row } from "../scripts/reports/performance.ts";
import { openServers } from "./measure/servers.ts";
import { searchTree } from "./measure/trees.ts";
import { ripgrepAtHand, runProgram } from "./peers/floors.ts";

const BOUNDS = { maxRounds: 40, budgetMs: 20_000 };

/** Only servers that can search take part. */
export async function searchBench(bench: Bench): Promise<Row[]> {
  const { root, rare, common } = await searchTree();
  const rg = await ripgrepAtHand();
  await using servers = await openServers(bench, root, ({ key, search }) => key !== "ours_landlock" && !!search);
  const row = (key: string, what: string, word: string) => {
    const entrants = servers.all.map((running): ServerEntrant => ({
      running,
      async once() {
        const answer = await running.contestant.search?.(running.server, root, word);
        if (answer === undefined || answer.isError) throw new Error(answer?.text.slice(0, 200) ?? "no search");
        if (!answer.text.includes(word)) throw new Error("the word was not found");
      },
    }));
    const raw = () => runProgram(rg, ["-n", "-i", "-F", word, root]);
    return measureRow(bench, { key, what, floor: "raw rg" }, entrants, BOUNDS, raw);
  };
  return [
    await row("search_rare", "search, rare word, 5,000 files", rare),
    await row("search_common", "search, common word, 5,000 files", common),
  ];
}
