import assert from "node:assert/strict";
import { humanDuration, humanSize } from "../../src/core/human_size.ts";

Deno.test("humanSize shows the digits that matter", () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, "0B"],
    [999, "999B"],
    [1023, "1023B"],
    [1536, "1.5KB"],
    [512 * 1024 ** 2, "512MB"],
    [1023.4 * 1024 ** 2, "1023MB"],
    [1023.6 * 1024 ** 2, "1GB"],
    [8.2 * 1024 ** 3, "8.2GB"],
    [16 * 1024 ** 3, "16GB"],
    [99.96 * 1024 ** 3, "100GB"],
    [252.3 * 1024 ** 3, "252GB"],
    [3.6 * 1024 ** 4, "3.6TB"],
    [-5, "0B"],
  ];
  for (const [bytes, text] of cases) assert.equal(humanSize(bytes), text);
});

Deno.test("humanDuration shows the two largest units", () => {
  const cases: readonly (readonly [number, string])[] = [[59.9, "59s"], [60, "1m"], [3_600, "1h 0m"], [
    273_600,
    "3d 4h",
  ], [0, "0s"]];
  for (const [seconds, text] of cases) assert.equal(humanDuration(seconds), text);
});
