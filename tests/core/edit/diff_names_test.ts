import assert from "node:assert/strict";
import { nameChoices, readGitLine, readName } from "../../../src/core/edit/diff_names.ts";

Deno.test("readName takes the name out of what stands around it", () => {
  const names: Readonly<Record<string, string | null>> = {
    "a/f.ts": "a/f.ts",
    "a/my file.ts\t": "a/my file.ts",
    "f.ts\t2024-01-01 10:00:00.000000000 +0100": "f.ts",
    "f.ts  2024-01-01 10:00": "f.ts",
    "f.ts (revision 12)": "f.ts",
    "`f.ts`": "f.ts",
    "a`b`": "a`b`",
    "`a`b": "`a`b",
    '"a/\\303\\251\\t\\"x\\".ts"': 'a/é\t"x".ts',
    "/dev/null": null,
    "/dev/null\t1970-01-01": null,
  };
  for (const [written, name] of Object.entries(names)) assert.equal(readName(written).name, name, written);
});

Deno.test("readName leaves quotes inside a name alone", () => {
  assert.equal(readName('say "hello"').name, 'say "hello"');
  assert.equal(readName('"say hello"').name, "say hello");
});

Deno.test("readName knows the epoch in every time zone", () => {
  for (
    const stamp of [
      "1970-01-01 00:00:00.000000000 +0000",
      "1970-01-01 01:00:00 +0100",
      "1969-12-31 19:00:00.000000000 -0500",
    ]
  ) {
    assert.equal(readName(`f\t${stamp}`).absent, true, stamp);
  }
  assert.equal(readName("f\t1970-01-01 01:00:00.000000000 +0000").absent, false);
});

Deno.test("readGitLine tells the two names apart", () => {
  assert.deepEqual(readGitLine("a/f.ts b/f.ts"), { from: "a/f.ts", to: "b/f.ts" });
  assert.deepEqual(readGitLine("a/my file.ts b/my file.ts"), { from: "a/my file.ts", to: "b/my file.ts" });
  assert.deepEqual(readGitLine('"a/\\303\\251" "b/\\303\\251"'), { from: "a/é", to: "b/é" });
  assert.equal(readGitLine("a/one two b/three"), null);
});

Deno.test("nameChoices puts the likeliest meaning first", () => {
  assert.deepEqual(nameChoices("b/src/f.ts", "a/src/f.ts")[0], "src/f.ts");
  assert.deepEqual(nameChoices("w/f.ts", "i/f.ts")[0], "f.ts");
  assert.deepEqual(nameChoices("new/f.ts", "old/f.ts"), ["f.ts", "new/f.ts"]);
  assert.deepEqual(nameChoices("src/f.ts", "src/f.ts"), ["src/f.ts"]);
  assert.deepEqual(nameChoices("b/f.ts", null)[0], "f.ts");
  assert.deepEqual(nameChoices("a/f.ts", "a/f.ts"), ["a/f.ts", "f.ts"]);
  assert.deepEqual(nameChoices("/home/me/f.ts", "/home/me/f.ts"), ["/home/me/f.ts"]);
  assert(nameChoices("b/home/me/f.ts", "a/home/me/f.ts").includes("/home/me/f.ts"));
});
