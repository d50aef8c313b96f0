/** Right diffs, spoiled in the ways in which models spoil them, must still give what was meant. */
import assert from "node:assert/strict";
import { applyHunks } from "../../../src/core/edit/apply_hunks.ts";
import { applyEdits, type Edit } from "../../../src/core/edit/edits.ts";
import { parseDiff } from "../../../src/core/edit/parse_diff.ts";
import { formatDiff } from "../../../src/core/edit/unified_diff.ts";
import { OpsError } from "../../../src/core/error.ts";
import { makeRandom, type Random } from "../../support/random.ts";

type Spoil = (diff: string, random: Random) => string;

const eachHeader = (diff: string, change: (header: string) => string) => diff.replace(/^@@.*@@$/gm, change);

const SPOILS: Readonly<Record<string, Spoil>> = {
  "counts are wrong": (diff, random) =>
    eachHeader(diff, (header) => header.replace(/,\d+/g, () => `,${random.below(30)}`)),
  "counts are missing": (diff) => eachHeader(diff, (header) => header.replace(/,\d+/g, "")),
  "numbers are missing": (diff) => eachHeader(diff, () => "@@ @@"),
  "numbers are shifted": (diff, random) => {
    const by = random.below(20);
    return eachHeader(
      diff,
      (header) => header.replace(/([-+])(\d+)/g, (_, sign, number) => `${sign}${Number(number) + by}`),
    );
  },
  "all hunks claim to be at line 1": (diff) => eachHeader(diff, (header) => header.replace(/([-+])\d+/g, "$11")),
  "blank context lines lost their blank": (diff) => diff.replace(/^ $/gm, ""),
  "blanks at line ends are lost": (diff) => diff.replace(/[ \t]+$/gm, ""),
  "line ends are CRLF": (diff) => diff.replaceAll("\n", "\r\n"),
  "it is fenced and talked about": (diff) => `Here it is:\n\n\`\`\`diff\n${diff}\`\`\`\n\nThat should do.\n`,
  "names have no prefix": (diff) => diff.replace(/^(---|\+\+\+) [ab]\//gm, "$1 "),
  "the last line end is missing": (diff) => diff.replace(/\n$/, ""),
  "it is indented": (diff) => diff.replace(/^(?=.)/gm, "  "),
};

/** Lines that no other line equals, some of them blank at the end or indented; a blank line here and there. */
function randomFile(random: Random): string {
  return Array.from(
    { length: 20 + random.below(100) },
    (_, number) =>
      random.chance(0.15)
        ? "\n"
        : `${random.pick(["", "  ", "\t"])}line ${number}${random.pick(["", ";", " {", " "])}\n`,
  ).join("");
}

/** Edits that leave each other room, so that every hunk has unique lines around it. */
function randomEdits(random: Random, text: string): readonly Edit[] {
  const starts = [...text.matchAll(/^/gm)].map(({ index }) => index);
  const edits: Edit[] = [];
  for (let at = 3 + random.below(6); at + 8 < starts.length; at += 8 + random.below(20)) {
    const start = starts[at] ?? 0, end = starts[at + random.below(3)] ?? start;
    const insert = Array.from({ length: random.below(3) + (start === end ? 1 : 0) }, (_, n) => `new ${at}.${n}\n`).join(
      "",
    );
    edits.push({ start, end, insert });
  }
  return edits;
}

for (const [name, spoil] of Object.entries(SPOILS)) {
  Deno.test(`300 random diffs apply although ${name}`, () => {
    const random = makeRandom(name.length);
    for (let done = 0; done < 300;) {
      const text = randomFile(random), edits = randomEdits(random, text);
      const wanted = applyEdits(text, edits);
      const diff = formatDiff(text, edits, "a/f", "b/f");
      // Three blank lines around a change would be no context at all.
      if (diff === "" || /^(?: \n){3}|(?:^ \n){3}/m.test(diff)) continue;
      const spoiled = spoil(diff, random);
      const [patch, ...others] = parseDiff(spoiled);
      assert.deepEqual(others, []);
      const result = applyHunks({ text, encoding: "utf-8", bom: false }, patch?.hunks ?? [], "f");
      assert(result.ok, `${JSON.stringify(result, null, 1)}\n${spoiled}\n---\n${text}`);
      assert.equal(result.text, wanted, spoiled);
      done++;
    }
  });
}

Deno.test("3000 diffs with random damage either apply or are refused in words", () => {
  const random = makeRandom(42);
  for (let round = 0; round < 3000; round++) {
    const text = randomFile(random);
    const lines = formatDiff(text, randomEdits(random, text), "a/f", "b/f").split("\n");
    for (let count = 1 + random.below(4); count > 0; count--) {
      const at = random.below(lines.length);
      const line = lines[at] ?? "";
      const damaged = random.pick([
        [],
        [line, line],
        [line.slice(1)],
        [`x${line}`],
        ["\\ No newline at end of file"],
        ["@@"],
        ["--- a/g"],
        ["```"],
        [line.slice(0, random.below(line.length + 1))],
      ]);
      lines.splice(at, 1, ...damaged);
    }
    try {
      for (const { hunks } of parseDiff(lines.join("\n"))) {
        applyHunks({ text, encoding: "utf-8", bom: false }, hunks, "f");
      }
    } catch (error) {
      assert(error instanceof OpsError, `${error}\n${lines.join("\n")}`);
    }
  }
});
