/** Collects what the servers of a whole test run write, to search all of it for their tokens afterwards. @module */
import type { LogSearch } from "../../scripts/reports/security.ts";

/** Names the folder; without it nothing is kept. */
export const LOGS_VARIABLE = "LLMC_TEST_LOGS";

interface KeptLog {
  readonly name: string;
  readonly text: string;
  readonly tokens: readonly string[];
}

/** Shorter ones are refused by the server, and would be found in ordinary words. */
const SHORTEST_TOKEN = 16;

/** Keeps one log. @param name What to look for when it leaks. */
export function keepLog(name: string, text: string, tokens: readonly string[]): void {
  const dir = Deno.env.get(LOGS_VARIABLE);
  if (dir === undefined) return;
  const kept: KeptLog = { name, text, tokens: tokens.filter(({ length }) => length >= SHORTEST_TOKEN) };
  Deno.writeTextFileSync(`${dir}/${crypto.randomUUID()}.json`, JSON.stringify(kept));
}

/** Searches every log that was kept for every token. */
export async function searchKeptLogs(dir: string): Promise<LogSearch> {
  const logs: KeptLog[] = [];
  for await (const { name } of Deno.readDir(dir)) logs.push(JSON.parse(await Deno.readTextFile(`${dir}/${name}`)));
  const tokens = new Set(logs.flatMap((log) => log.tokens));
  const leaks = logs.flatMap(({ name, text }) =>
    [...tokens].some((token) => text.includes(token)) ? [`the log of ${name} holds a token`] : []
  );
  return { logs: logs.length, tokens: tokens.size, leaks };
}
