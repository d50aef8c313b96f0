import assert from "node:assert/strict";
import { shareWatches } from "../../../src/server/mcp/listens.ts";
import { makeWatches, type Watches } from "../../../src/server/mcp/watches.ts";

/** Watches over a table of contents, looked at every few milliseconds. */
async function withWatches(
  use: (watches: Watches, contents: Map<string, string>) => Promise<void>,
): Promise<void> {
  const contents = new Map<string, string>();
  const watches = makeWatches({ stamp: (uri) => Promise.resolve(contents.get(uri) ?? null), intervalMs: 2 });
  await use(watches, contents);
  watches.close();
}

/** A callback, and a promise of its first call. */
function bell(): { ring: () => void; rung: Promise<void>; count: () => number } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const ring = () => {
    count++;
    resolve();
  };
  return { ring, rung: promise, count: () => count };
}

Deno.test("each change is told once, also that something is gone", () =>
  withWatches(async (watches, contents) => {
    contents.set("a", "1");
    contents.set("b", "1");
    const a = bell(), gone = bell();
    const stop = await watches.watch("a", { owner: "me" }, a.ring);
    await watches.watch("b", { owner: "me" }, gone.ring);
    contents.set("a", "2");
    await a.rung;
    stop();
    contents.set("a", "3");
    contents.delete("b");
    await gone.rung;
    assert.deepEqual([a.count(), gone.count()], [1, 1]);
  }));

Deno.test("what there is not cannot be watched", () =>
  withWatches(async (watches) => {
    await assert.rejects(watches.watch("nothing", { owner: "me" }, () => {}), { code: "NOT_FOUND" });
  }));

Deno.test("one owner watches at most 512 resources, all together 1,024", () =>
  withWatches(async (watches, contents) => {
    contents.set("a", "1");
    for (let at = 0; at < 512; at++) await watches.watch("a", { owner: "me" }, () => {});
    await assert.rejects(watches.watch("a", { owner: "me" }, () => {}), { code: "RATE_LIMITED" });
    for (let at = 512; at < 1_024; at++) await watches.watch("a", { owner: `owner ${at >> 5}` }, () => {});
    await assert.rejects(watches.watch("a", { owner: "one more" }, () => {}), { code: "RATE_LIMITED" });
  }));

Deno.test("those asked for at the same time count as well, and what failed makes room again", () =>
  withWatches(async (watches, contents) => {
    contents.set("a", "1");
    const ask = (uri: string) =>
      watches.watch(uri, { owner: "me" }, () => {}).then(() => "watched", ({ code }) => code);
    const missing = await Promise.all(Array.from({ length: 512 }, () => ask("nothing")));
    assert.deepEqual(new Set(missing), new Set(["NOT_FOUND"]));
    const answers = await Promise.all(Array.from({ length: 600 }, () => ask("a")));
    assert.deepEqual(
      answers.map((answer, at) => answer === (at < 512 ? "watched" : "RATE_LIMITED")).indexOf(false),
      -1,
    );
  }));

Deno.test("who watches the same shares one watch, which ends with the last of them", () =>
  withWatches(async (watches, contents) => {
    contents.set("a", "1");
    const shared = shareWatches(watches), heard = bell(), after = bell();
    const first = await shared.watch("a", { owner: "me" }, heard.ring);
    const second = await shared.watch(
      "a",
      { owner: "me" },
      () => assert.fail("the first one's callback speaks for both"),
    );
    first();
    contents.set("a", "2");
    await heard.rung;
    second();
    await watches.watch("a", { owner: "me" }, after.ring);
    contents.set("a", "3");
    await after.rung;
    assert.equal(heard.count(), 1);
    await assert.rejects(shared.watch("nothing", { owner: "me" }, () => {}), { code: "NOT_FOUND" });
  }));
