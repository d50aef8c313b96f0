import assert from "node:assert/strict";
import { makeSessions } from "../../../src/server/ui/sessions.ts";

function make(lifetimeMs = 1_000) {
  const clock = { nowMs: 5 };
  return { clock, sessions: makeSessions({ lifetimeMs, now: () => clock.nowMs }) };
}

Deno.test("a login is found by its id alone, until its time is over, used or not", () => {
  const { clock, sessions } = make();
  const { id, session } = sessions.open();
  assert.match(id, /^[\w-]{43}$/);
  assert.equal(sessions.find(id), session);
  assert.equal(sessions.find(`${id}x`), undefined);
  assert.equal(sessions.find(id.slice(1)), undefined);
  assert.equal(sessions.find(""), undefined);
  clock.nowMs += 999;
  assert.equal(sessions.find(id), session);
  clock.nowMs += 1;
  assert.equal(sessions.find(id), undefined);
});

Deno.test("logins know nothing of each other, and ending one leaves the others", () => {
  const { sessions } = make();
  const one = sessions.open(), other = sessions.open();
  assert.notEqual(one.session.csrf, other.session.csrf);
  sessions.close(`${one.id}x`);
  assert.equal(sessions.find(one.id), one.session);
  sessions.close(one.id);
  assert.equal(sessions.find(one.id), undefined);
  assert.equal(sessions.find(other.id), other.session);
});

Deno.test("one login too many ends the oldest, and those that are over count for nothing", () => {
  const { clock, sessions } = make();
  const ids = Array.from({ length: 33 }, () => sessions.open().id);
  const alive = () => ids.filter((id) => sessions.find(id) !== undefined).length;
  assert.equal(alive(), 32);
  assert.equal(sessions.find(ids[0] ?? ""), undefined);
  clock.nowMs += 1_000;
  const fresh = sessions.open();
  assert.equal(alive(), 0);
  assert.equal(sessions.find(fresh.id), fresh.session);
});
