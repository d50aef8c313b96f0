import assert from "node:assert/strict";
import { makeSessions } from "../../../src/server/ui/sessions.ts";

function make(lifetimeMs = 1_000) {
  const clock = { nowMs: 5 };
  return { clock, sessions: makeSessions({ lifetimeMs, now: () => clock.nowMs }) };
}

Deno.test("a login is found by its key alone, until its time is over, used or not", () => {
  const { clock, sessions } = make();
  const key = sessions.open(), session = sessions.find(key);
  assert.match(key, /^[\w-]{43}$/);
  assert.equal(session?.endsMs, 1_005);
  for (const wrong of [`${key}x`, key.slice(1), ""]) assert.equal(sessions.find(wrong), undefined);
  clock.nowMs += 999;
  assert.equal(sessions.find(key), session);
  clock.nowMs += 1;
  assert.equal(sessions.find(key), undefined);
});

Deno.test("logins know nothing of each other, and ending one leaves the others", () => {
  const { sessions } = make();
  const one = sessions.open(), other = sessions.open();
  assert.notEqual(one, other);
  sessions.close(`${one}x`);
  assert.ok(sessions.find(one));
  sessions.close(one);
  assert.equal(sessions.find(one), undefined);
  assert.ok(sessions.find(other));
});

Deno.test("one login too many ends the oldest, and those that are over count for nothing", () => {
  const { clock, sessions } = make();
  const ids = Array.from({ length: 33 }, () => sessions.open());
  const alive = () => ids.filter((id) => sessions.find(id) !== undefined).length;
  assert.equal(alive(), 32);
  assert.equal(sessions.find(ids[0] ?? ""), undefined);
  clock.nowMs += 1_000;
  const fresh = sessions.open();
  assert.equal(alive(), 0);
  assert.ok(sessions.find(fresh));
});
