/** Code search from the command line. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox } from "../support/binary.ts";

Deno.test("index brings the index up to date and rag search answers with exact lines", async () => {
  await using sandbox = await Sandbox.make({
    "src/oven.ts": "/** Warms the oven before the bread goes in. */\nexport function preheat(): void {}\n",
  });
  const run = (...args: string[]) => runBinary([...args, "--root", sandbox.root], { env: sandbox.env });
  const made = await run("index");
  assert.match(made.stdout, /ready {2}1 files, \d+ chunks/, made.stderr);
  await sandbox.write("src/later.ts", "/** Cools the bread. */\nexport function cool(): void {}\n");
  const found = await run("rag", "search", "cools the bread", "--k", "1");
  assert.match(found.stdout, /^## src\/later\.ts#L1-L2/, found.stderr);
  const wrong = await run("rag", "search", "bread", "--scope", "code");
  assert.equal(wrong.code, 64);
  assert.match(wrong.stderr, /Allowed choices are repo, docs, both/);
  const status = JSON.parse((await run("index", "--status", "--json")).stdout);
  assert.equal(status[0].files, 2);
  assert.equal((await run("index", "--rebuild")).code, 0);
});
