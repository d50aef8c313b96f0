import assert from "node:assert/strict";
import { readSince } from "../../src/core/since.ts";

const NOW = Date.UTC(2026, 4, 6, 12, 0, 30);
const at = (...parts: [number, number, number, number?, number?, number?]) => Date.UTC(...parts) / 1000;

Deno.test("readSince reads spans, days, dates and times", () => {
  const cases: readonly (readonly [string, number])[] = [
    ["30m", at(2026, 4, 6, 11, 30, 30)],
    ["2h ago", at(2026, 4, 6, 10, 0, 30)],
    ["1 day", at(2026, 4, 5, 12, 0, 30)],
    ["90 seconds ago", at(2026, 4, 6, 11, 59)],
    ["2W", at(2026, 3, 22, 12, 0, 30)],
    ["Today", at(2026, 4, 6)],
    ["yesterday", at(2026, 4, 5)],
    ["2026-05-06", at(2026, 4, 6)],
    ["2026-05-06 10:15", at(2026, 4, 6, 10, 15)],
    ["2026-05-06T10:15:20Z", at(2026, 4, 6, 10, 15, 20)],
    ["2026-05-06T10:15:20.123+0200", at(2026, 4, 6, 8, 15, 20)],
    ["2026-05-06t10:15:20-05:30", at(2026, 4, 6, 15, 45, 20)],
  ];
  for (const [text, seconds] of cases) assert.equal(readSince(text, NOW), seconds, text);
});

Deno.test("readSince refuses everything else", () => {
  for (
    const text of ["", "soon", "-1h", "1y", "2026-13-01", "2026-05-06T25:00", "@123", "--until=x", "1h; id", "9999999m"]
  ) {
    assert.equal(readSince(text, NOW), null, text);
  }
});
