/** Process that records calls and prints the number of each once it is recorded. @module */
import { makeCallLog } from "../../src/store/call_log.ts";
import { callOf, openStore } from "./support.ts";

const [dataDir = "", tool = "", count = "0"] = Deno.args;
using store = openStore({ dataDir });
const warn = (message: string) => {
  throw new Error(message);
};
const log = makeCallLog({ database: store.database, retentionDays: 0, now: Date.now, warn });
for (let number = 0; number < Number(count); number++) {
  log.record(callOf({ tool, timeMs: Date.now(), argsSummary: `n=${number}` }));
  Deno.stdout.writeSync(new TextEncoder().encode(`${number}\n`));
}
