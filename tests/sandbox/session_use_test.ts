import assert from "node:assert/strict";
import { makeSessionUse, sessionKey } from "../../src/sandbox/session_use.ts";

function track() {
  const removed: string[] = [], clock = { ms: 0 };
  const use = makeSessionUse((key) => {
    removed.push(key);
    return Promise.resolve();
  }, () => clock.ms);
  return { removed, clock, use };
}

const KEY = sessionKey("owner", "one"), OTHER = sessionKey("owner", "two");

Deno.test("makeSessionUse has the folder of a session removed when it is over and its last program has ended", async () => {
  const { removed, use } = track();
  const first = use.begin(KEY), second = use.begin(KEY);
  use.begin(OTHER);
  first();
  use.end("one");
  assert.deepEqual(removed, []);
  second();
  assert.deepEqual(removed, [KEY]);
  use.end("one");
  assert.deepEqual(removed, [KEY]);
  await use.close();
});

Deno.test("makeSessionUse has the folder of a session removed that started nothing for a day", () => {
  const { removed, clock, use } = track();
  use.begin(KEY)();
  const stillRuns = use.begin(sessionKey("owner", "long"));
  clock.ms = 23 * 3_600_000;
  use.begin(OTHER)();
  assert.deepEqual(removed, []);
  clock.ms = 25 * 3_600_000;
  use.begin(OTHER)();
  assert.deepEqual(removed, [KEY]);
  stillRuns();
});

Deno.test("sessionKey distinguishes the sessions of two callers who give them one name", () => {
  assert.notEqual(sessionKey("one", "default"), sessionKey("other", "default"));
});
