/** Listening ports of this machine and the programs behind them. @module */
import assert from "node:assert/strict";
import { readListeners } from "../../src/sysinfo/listeners.ts";

Deno.test("readListeners finds the process behind a port", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const found = (await readListeners()).find((each) => each.port === port && each.protocol === "tcp");
  assert.equal(found?.address, "127.0.0.1");
  assert.equal(found.pid, Deno.pid);
  assert.match(found.program, /deno/i);
});
