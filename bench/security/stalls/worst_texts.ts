/** Generates texts that are expensive to parse: globs, patterns, command lines, blocks, diffs. @module */
import { hunks } from "./hostile_files.ts";

/** A request may have 256 KiB. */
const MOST = 250_000;

/** Text of so many characters. */
export const long = (piece: string, length = MOST): string => piece.repeat(Math.floor(length / piece.length));

export const GLOBS: Readonly<Record<string, string>> = {
  "stars": `${"*a".repeat(2000)}b`,
  "star pairs": `${"**/".repeat(1000)}x`,
  "nested alternatives": `${"{a,".repeat(3000)}b${"}".repeat(3000)}`,
  "product of alternatives": "{a,b}".repeat(200),
  "extglob": `${"+(a|".repeat(1000)}b${")".repeat(1000)}`,
  "classes": `*${"[a-z]*".repeat(3000)}`,
  "long": long("a*?"),
};
export const PATTERNS: Readonly<Record<string, string>> = {
  "nested repeats": "(a+)+$",
  "alternatives": `(?:${"a|".repeat(20_000)}b)+c`,
  "bounded repeats": "(a?){1000}a{1000}",
  "nested bounded repeats": "((a{1,100}){1,100}){1,100}",
  "dots": "(.*)(.*)(.*)(.*)(.*)[^a!]$",
  "groups": `${"(".repeat(5000)}a${")".repeat(5000)}`,
  "classes": "[\\w\\W]{1,1000}x",
  "look-around": "(?=(a+))a*b\\1(?<!x)",
  "long": long("a|"),
};
export const COMMANDS: Readonly<Record<string, string>> = {
  "substitutions": `echo ${"$(echo ".repeat(5000)}x${")".repeat(5000)}`,
  "subshells": `${"(".repeat(20_000)}echo x${")".repeat(20_000)}`,
  "braces": `echo ${"{a,".repeat(20_000)}b${"}".repeat(20_000)}`,
  "open braces": `echo ${"{a,".repeat(40_000)}`,
  "dollars": `echo ${long("$", 120_000)}`,
  "parameters": `echo ${"${a:-".repeat(15_000)}${"}".repeat(15_000)}`,
  "arithmetic": `echo ${"$((".repeat(15_000)}1${"))".repeat(15_000)}`,
  "open arithmetic": `echo ${"$((".repeat(30_000)}`,
  "backquotes": `echo ${"`echo \\".repeat(8000)}`,
  "quotes": `echo ${`"$(`.repeat(20_000)}`,
  "pipes": `echo ${"| cat ".repeat(20_000)}`,
  "semicolons": long("cat a;", 120_000),
  "here-documents": Array.from({ length: 8000 }, (_, at) => `cat <<E${at}`).join("\n"),
  "here-documents with bodies": Array.from({ length: 4000 }, (_, at) => `cat <<E${at}\nx\nE${at}`).join("\n"),
  "brackets": `echo ${long("[", 120_000)}`,
  "extglob": `echo ${"@(a|".repeat(20_000)}`,
  "assignments": `${long("a=b ", 120_000)} echo`,
  "wrappers": `${"env ".repeat(200)}echo`,
  "shells in shells": 'bash -c \'bash -c "bash -c \\"echo x\\""\'',
  "eval": `${"eval ".repeat(20_000)}echo`,
  "dashes": `echo ${long("-", 120_000)}`,
  "equal signs": `echo ${long("--a=", 120_000)}`,
  "secret": `echo password=${long("a-", 120_000)}`,
  "backslashes": `echo ${long("\\", 120_000)}`,
  "single quotes": `echo ${long("''", 120_000)}`,
  "carriage returns": `echo ${long("\r", 120_000)}`,
  "functions": long("f() { g; };", 120_000),
  "cases": `${"case a in a) ".repeat(8000)}`,
  "loops": `${"while x; do ".repeat(8000)}`,
};
export const AWKS: Readonly<Record<string, string>> = {
  "rules": `BEGIN { ${long('print "a" > "b";', 22_000)} }`,
  "slashes": `{ ${long("a / b / ", 22_000)} }`,
  "open string": `{ print "${long("a\\", 60_000)}`,
  "parentheses": `{ print ${"(".repeat(30_000)} }`,
  "patterns": long("/a/", 100_000),
  "comparisons": `{ ${long("a > b > ", 100_000)} }`,
  "open pattern": `/${long("[", 100_000)}`,
  "pipes": `{ ${long('"a" | getline b;', 100_000)} }`,
  "braces": `${"{".repeat(60_000)}`,
  "comments": long("#\n", 100_000),
  "words": `{ ${long("system ", 100_000)} }`,
  "spaces": `{ print ${long(" ", 100_000)} x }`,
};
export const SEDS: Readonly<Record<string, string>> = {
  "substitutions": long("s/a/b/;", 100_000),
  "slashes": `s${long("/", 100_000)}`,
  "braces": "{".repeat(50_000),
  "open": `s/${long("[", 100_000)}`,
  "labels": long(":a;ba;", 100_000),
  "addresses": long("1,2", 100_000),
};
export const BLOCKS: Readonly<Record<string, readonly [file: string, old: string]>> = {
  "one line less": [
    "near.txt",
    Array.from({ length: 4000 }, (_, at) => `the same line with a number ${(at * 3) % 7} at the end of it`).join("\n"),
  ],
  "one long line": ["long_lines.txt", long("ab", 200_000)],
  "look-alikes": ["wide.txt", long('«a» "1" - \u{1f600} fi A\n', 100_000)],
  "replacement characters": ["near.txt", long("\ufffd", 60_000)],
  "carriage returns": ["near.txt", long("\r\n", 200_000)],
  "blank lines": ["same.txt", long(" \n", 200_000)],
  "one letter": ["same.txt", "e"],
  "same lines": ["same.txt", `${long("the same line\n", 200_000)}x`],
  "nothing alike": ["near.txt", long("Q\t", 200_000)],
};
export const PATHS: Readonly<Record<string, string>> = {
  "folders": long("a/"),
  "dots": long("../"),
  "slashes": long("/"),
  "one name": long("a"),
  "wrong name in a large folder": "many/nam_77777.txt",
  "wrong folder": "mani/x",
};
export const DIFFS: Readonly<Record<string, string>> = {
  "hunks": hunks(1500),
  "hunks without numbers": hunks(1500, "near.txt", false),
  "hunks on equal lines": hunks(1500, "same.txt"),
  "files": Array.from({ length: 4000 }, (_, at) => `--- a/f${at}\n+++ b/f${at}\n@@ -1 +1 @@\n-a\n+b\n`).join(""),
  "no diff": long("@@ -1 +1 @@\n"),
  "envelope": `*** Begin Patch\n*** Update File: near.txt\n${
    Array.from({ length: 3000 }, (_, at) => `@@ the same\n the same line with a number ${at % 7}\n-x${at}\n+y\n`).join(
      "",
    )
  }*** End Patch\n`,
  "anchors": `*** Begin Patch\n*** Update File: near.txt\n${"@@ the same line\n".repeat(8000)}-x\n+y\n*** End Patch\n`,
  "search and replace": Array.from(
    { length: 1500 },
    (_, at) => `near.txt\n<<<<<<< SEARCH\nthe same line with ${at}\n=======\ny\n>>>>>>> REPLACE\n`,
  ).join(""),
  "one hunk of near lines": `--- a/near.txt\n+++ b/near.txt\n@@ -1,4000 +1,1 @@\n${
    Array.from({ length: 4000 }, (_, at) => `-the same line with a number ${(at * 3) % 7} at the end of it\n`).join("")
  }+x\n`,
  "names": `--- ${long("a/", 100_000)}\n+++ ${long("a/", 100_000)}\n@@ -1 +1 @@\n-a\n+b\n`,
};
