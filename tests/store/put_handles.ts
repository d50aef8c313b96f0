/** Process that stores handles, small and large in turn, and prints each id once it is stored. @module */
import { AMPLE_BYTES, openStore } from "./support.ts";

const [dataDir = "", owner = "", count = "0"] = Deno.args;
using store = openStore({ dataDir, maxBytes: AMPLE_BYTES });
for (let number = 0; number < Number(count); number++) {
  const line = `${owner} ${number} é\n`;
  const payload = line.repeat(number % 3 === 0 ? 40_000 : 100);
  const id = store.handles.put({ kind: "cmd", owner, payload, meta: { first: line.trim(), bytes: payload.length } });
  Deno.stdout.writeSync(new TextEncoder().encode(`${id}\n`));
}
