/** Indexes a folder and says when a part of it is in: to be killed by a test. @module */
import { openTestIndex } from "./test_index.ts";

const [root = "", dataDir = ""] = Deno.args;
const { index, indexer } = openTestIndex(root, dataDir);
const running = index.sync();
const timer = setInterval(async () => {
  const { done, total } = await indexer.progress(root);
  if (done > 0 && done < total) {
    clearInterval(timer);
    await Deno.stdout.write(new TextEncoder().encode("partly\n"));
  }
}, 1);
await running;
clearInterval(timer);
