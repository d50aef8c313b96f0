/** The languages of sed and awk: what runs a program, and what only looks like it. @module */
import assert from "node:assert/strict";
import { testGate } from "./gate_support.ts";

Deno.test("awk's commands are found, and divisions and texts are none", async () => {
  await using test = await testGate();
  const runs: Readonly<Record<string, string>> = {
    'BEGIN { system ("id") }': "system\\(",
    'BEGIN { "id" | getline x }': "\\|",
    'BEGIN { print "x" |& "id" }': "\\|&",
    'BEGIN { f = "system"; @f("id") }': "@f\\(",
    '@load "x"': "@load",
    'BEGIN { a = 1 / 2; system("id") / 2 }': "system\\(",
    '# a comment\nBEGIN { system("id") }': "system\\(",
    '"x\nsystem("id")': "system\\(",
    'BEGIN { print "\\\\"; system("id") }': "system\\(",
    'BEGIN { x = ""; system("id") }': "system\\(",
    '// { print | "id" }': "\\|",
    '/[/]/ { print | "id" } /x/': "\\|",
  };
  for (const [source, shown] of Object.entries(runs)) {
    assert.match(
      (await test.refuses({ argv: ["awk", source] })).message,
      new RegExp(`^awk '${shown}': it runs a command`),
    );
  }
  const harmless = [
    '{ print "system(1) | x" }',
    "/a|b/ { n++ }",
    "$1 ~ /[/|]/ && /x|y/ || !/z|w/ { print }",
    "{ x = 1 / 2 } # | system(1)",
    'BEGIN { if (1 || 0) print "a\\"|\\"b" }',
    '{ gsub(/a|b/, "x"); n = /c|d/ }',
    "BEGIN { x = 1 \\\n / 2 }",
    "{ a[1] = 2; b = a[1] / 3 }",
  ];
  for (const source of harmless) await test.admit({ argv: ["awk", source] });
});

Deno.test("sed's commands are found wherever they stand, and scripts that only show only read", async () => {
  await using test = await testGate();
  const runs = [
    "e id",
    "1e id",
    "s/a/id/e",
    "s/a/id/ge",
    "/x/{e id\n}",
    "1,3s|a|id|e",
    "\\,x,e id",
    "/[/]/e id",
    "y/a/b/;e id",
  ];
  for (
    const script of [
      ...runs,
      "a x\ne id",
      "a x\\\ny\ne id",
      ": x\ne id",
      "b x;e id",
      "s/[/]/x/e",
      "$!e id",
      "1~2e id",
      "/a/,/b/Ie id",
    ]
  ) {
    assert.match((await test.refuses({ argv: ["sed", script] })).message, /^sed: the command 'e'/, script);
  }
  for (
    const script of ["s/e/e/", "y/e/E/", "a e id", "/e/d", "# e id", "s/a/b/w out.txt", "l 5;n", "b e", "i\\\ne id"]
  ) {
    assert.equal((await test.admit({ argv: ["sed", script] })).class, "code", script);
  }
  for (const script of ["1,5p", "$d", "1!p", "10q", "1~2p", "=", ""]) {
    assert.equal((await test.admit({ argv: ["sed", "-n", script] })).class, "read", script);
  }
  for (const script of ["/x/", "s/a", "s/a/b", "y/a/b", "@", "/x", "s", "y"]) {
    await test.refuses({ argv: ["sed", script] });
  }
  await using bare = await testGate({ level: "none", confinement: "best_effort" });
  for (const script of ["r /etc/passwd", "w out", "R x", "W x", "s/a/b/w x", "s/a/b/gw x"]) {
    assert.match((await bare.refuses({ argv: ["sed", script] })).message, /reads or writes files/, script);
  }
});

Deno.test("several scripts of sed are lines of one", async () => {
  await using test = await testGate();
  await test.refuses({ argv: ["sed", "-e", "a x", "-e", "e id"] });
  await test.refuses({ argv: ["sed", "-e", "s/a/b/", "--expression", "e id"] });
  await test.refuses({ argv: ["sed", "--expression=e id"] });
  await test.refuses({ argv: ["sed", "-e", "e id", "p"] });
  await test.refuses({ argv: ["awk", "-e", 'BEGIN { system("id") }', "1"] });
  await test.admit({ argv: ["awk", "-f", "a.txt", 'BEGIN { system("id") }'] });
  await test.admit({ argv: ["awk", "--exec", "a.txt", 'BEGIN { system("id") }'] });
  await test.refuses({ argv: ["awk", "--field-separator", "x", 'BEGIN { system("id") }'] });
  assert.equal((await test.admit({ argv: ["sed", "-n", "-e", "1p", "-e", "2p"] })).class, "read");
  for (const option of ["-i", "--in-place", "-f"]) {
    assert.equal((await test.admit({ argv: ["sed", option, "a.txt", "-e", "1p"] })).class, "code", option);
  }
});
