/**
 * Process that indexes a folder, reports when a part is stored, and stops before the rest, so that a test can kill it.
 * @module
 */
import { openTestIndex } from "./test_index.ts";

const [root = "", dataDir = ""] = Deno.args;
const { index, indexer } = openTestIndex(root, dataDir);
const running = index.sync();
let said = false;
const timer = setInterval(async () => {
  const { done, total } = await indexer.progress(root);
  if (done === 0 || done === total) return;
  if (!said) Deno.stdout.writeSync(new TextEncoder().encode("partly\n"));
  said = true;
  if (done >= total / 2) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
}, 1);
await running;
clearInterval(timer);
