/** Diffs that git and GNU diff make of random files apply, and their opposites bring back the same bytes. */
import type { FilePatch } from "../../../src/core/edit/hunk.ts";
import assert from "node:assert/strict";
import { applyHunks } from "../../../src/core/edit/apply_hunks.ts";
import { parseDiff } from "../../../src/core/edit/parse_diff.ts";
import { makeRandom, type Random } from "../../support/random.ts";

/** Lines that look like parts of a diff, and few others, so that there is much to confuse. */
const LINES = [
  "",
  " ",
  "a",
  "b",
  "  return x;",
  "}",
  "--- a/file",
  "+++ b/file",
  "-- comment",
  "++ x",
  "@@ -1,2 +1,2 @@",
  "-minus",
  "+plus",
  "\\ No newline at end of file",
  "diff --git a/x b/x",
  "```",
  "*** End Patch",
  "Index: x",
  "\tif (a) {",
  "naïve café",
  "日本語",
  "-- ",
  "2.39.0",
];

function randomLines(random: Random, style: string): string[] {
  return Array.from(
    { length: random.below(40) },
    () => random.pick(LINES) + (style === "mixed" ? random.pick(["\n", "\r\n"]) : style),
  );
}

function mutate(random: Random, lines: readonly string[], style: string): string[] {
  const changed = [...lines];
  for (let count = 1 + random.below(5); count > 0; count--) {
    const at = random.below(changed.length + 1);
    changed.splice(at, random.below(4), ...randomLines(random, style).slice(0, random.below(4)));
  }
  return changed;
}

/** File name to old and new content. */
type Pairs = ReadonlyMap<string, readonly [string, string]>;

function randomPairs(random: Random, count: number): Pairs {
  const pairs = new Map<string, readonly [string, string]>();
  for (let number = 0; number < count; number++) {
    const style = random.pick(["\n", "\n", "\r\n", "mixed", "\r"]);
    const before = randomLines(random, style);
    const after = mutate(random, before, random.chance(0.9) ? style : random.pick(["\n", "\r\n"]));
    const finish = (lines: readonly string[]) =>
      random.chance(0.2) ? lines.join("").replace(/[\r\n]+$/, "") : lines.join("");
    pairs.set(random.pick(["plain", "with blank ", "ü"]) + number, [finish(before), finish(after)]);
  }
  return pairs;
}

/** Runs a program; the exit status 1 of diff only says that there are differences. */
async function run(cwd: string, program: string, ...args: readonly string[]): Promise<string> {
  const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const { code, stdout, stderr } = await new Deno.Command(program, { args: [...args], cwd, env }).output();
  assert(code < 2, new TextDecoder().decode(stderr));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(stdout);
}

async function makeDiff(
  pairs: Pairs,
  [program, ...args]: readonly [string, ...string[]],
  reverse: boolean,
): Promise<string> {
  const directory = await Deno.makeTempDir();
  const write = async (folder: string, at: 0 | 1) => {
    await Deno.mkdir(`${directory}/${folder}`, { recursive: true });
    for (const [name, contents] of pairs) await Deno.writeTextFile(`${directory}/${folder}/${name}`, contents[at]);
  };
  const [first, second] = reverse ? [1, 0] as const : [0, 1] as const;
  try {
    if (program === "diff") {
      await write("old", first);
      await write("new", second);
      return await run(directory, program, ...args, "old", "new");
    }
    await run(directory, "git", "init", "--quiet", ".");
    await write(".", first);
    await run(directory, "git", "-c", "core.autocrlf=false", "add", "--all");
    await write(".", second);
    return await run(directory, program, ...args);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** What the diff makes of the contents. */
function applyAll(patches: readonly FilePatch[], contents: ReadonlyMap<string, string>): Map<string, string> {
  const result = new Map(contents);
  for (const patch of patches) {
    const name = [...patch.source, ...patch.target].find((choice) => result.has(choice));
    assert(name !== undefined, `no file for ${JSON.stringify(patch.source)}`);
    const text = result.get(name) ?? "";
    const applied = applyHunks({ text, encoding: "utf-8", bom: false }, patch.hunks, name);
    assert(applied.ok, `${name}: ${JSON.stringify(applied)}\n${JSON.stringify(text)}`);
    assert(applied.hunks.every(({ offset, fuzz }) => offset === 0 && fuzz === 0), `${name} went elsewhere`);
    result.set(name, applied.text);
  }
  return result;
}

const COMMANDS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "git diff": ["git", "diff"],
  "git diff without prefixes": ["git", "diff", "--no-prefix"],
  "git diff with one line of context": ["git", "diff", "-U1", "--minimal"],
  "git diff with other prefixes": ["git", "-c", "diff.mnemonicPrefix=true", "diff", "--patience", "-U5"],
  "diff -u": ["diff", "-ru"],
  "diff -u with names of functions": ["diff", "-rup"],
  "diff -U1": ["diff", "-rU1"],
};

for (const [name, command] of Object.entries(COMMANDS)) {
  Deno.test(`${name} of random files applies and reverts to the same bytes`, async () => {
    const random = makeRandom(name.length * 7919);
    const pairs = randomPairs(random, 250);
    const side = (at: 0 | 1) => new Map([...pairs].map(([file, contents]) => [file, contents[at]]));
    const forth = applyAll(parseDiff(await makeDiff(pairs, command, false)), side(0));
    assert.deepEqual(forth, side(1));
    assert.deepEqual(applyAll(parseDiff(await makeDiff(pairs, command, true)), forth), side(0));
  });
}
