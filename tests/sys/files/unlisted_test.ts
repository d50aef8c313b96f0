import assert from "node:assert/strict";
import { makeUnlisted } from "../../../src/sys/files/unlisted.ts";
import type { DirectoryContent, WalkEntry } from "../../../src/sys/files/walk.ts";

const MANY = 200_000;

function contentOf(below: string, hidden: readonly WalkEntry[]): DirectoryContent {
  const directory = { path: `/root/${below}`, below, depth: below === "" ? 0 : 1, rules: null };
  return { directory, entries: [], rules: null, hidden, ignored: [], mtimeMs: 0, fault: null };
}

Deno.test("any number of entries is counted, and the first four are named", () => {
  const unlisted = makeUnlisted();
  unlisted.add(contentOf("", [{ name: ".git", type: "dir" }]));
  unlisted.add(
    contentOf("cache", Array.from({ length: MANY }, (_, at) => ({ name: `.f${at}`, type: "file" as const }))),
  );
  assert.deepEqual(unlisted.sum(), {
    hidden: MANY + 1,
    ignored: 0,
    firstHidden: [".git/", "cache/.f0", "cache/.f1", "cache/.f2"],
    firstIgnored: [],
  });
});
