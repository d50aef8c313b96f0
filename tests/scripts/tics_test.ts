import assert from "node:assert/strict";
import { countTics, judgeTics } from "../../scripts/tics.ts";

Deno.test("countTics counts each habit over all texts", () => {
  const counts = countTics([
    "Nobody knows whoever it was. It is made anew.",
    "This is no file; it lies there, as it stands.",
  ]);
  assert.deepEqual(counts, [2, 1, 1, 1, 1]);
  assert.deepEqual(countTics(["There is no more of it, and it is no longer there."]), [0, 0, 0, 0, 0]);
});

Deno.test("judgeTics fails on one more than recorded, and not on fewer", () => {
  assert.deepEqual(judgeTics([3, 0, 0, 0, 0], [3, 1, 0, 0, 0]), []);
  assert.match(
    judgeTics([3, 2, 0, 0, 0], [3, 1, 0, 0, 0]).join("\n"),
    /^1 more than before of .*anew.*: write 'again'/,
  );
});
