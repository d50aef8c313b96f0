/** docs/programs.md names every program of every set. @module */
import assert from "node:assert/strict";
import { PROGRAM_SETS } from "../../src/config/program_sets.ts";

Deno.test("docs/programs.md expands every set", async () => {
  const text = await Deno.readTextFile(new URL("../../docs/programs.md", import.meta.url));
  for (const [set, programs] of Object.entries(PROGRAM_SETS)) {
    const block = text.split(`### \`${set}\``)[1]?.split("```")[1]?.replace(/^text/, "") ?? "";
    assert.deepEqual(block.trim().split(/\s+/), programs, set);
  }
});
