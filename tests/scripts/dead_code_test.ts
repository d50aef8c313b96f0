import assert from "node:assert/strict";
import { findDeadCode, findUnusedDependencies } from "../../scripts/dead_code.ts";

/** Findings for a project that consists of these files and starts with main.ts. */
function find(files: Readonly<Record<string, string>>): string[] {
  return findDeadCode(new Map(Object.entries(files)), ["main.ts"]);
}

Deno.test("findDeadCode is content with exports that other files use, in every form of an import", () => {
  const findings = find({
    "main.ts": `
      import one, { two as second } from "./src/a.ts";
      import * as b from "./src/b.ts";
      export { three } from "./src/c.ts";
      const { four } = await import("./src/d.ts");
      type Five = import("./src/e.ts").Five;
      import { three } from "./main.ts";`,
    "src/a.ts": `export default 1; export function two() {}`,
    "src/b.ts": `export const { x, y: [z] } = value;`,
    "src/c.ts": `export class three {}`,
    "src/d.ts": `export const four = 4;`,
    "src/e.ts": `export type Five = 5;`,
  });
  assert.deepEqual(findings, []);
});

Deno.test("findDeadCode names files that the product never loads, and not those of other folders", () => {
  const findings = find({
    "main.ts": `import "./src/a.ts";`,
    "src/a.ts": ``,
    "src/lost.ts": `import "./lost_too.ts";`,
    "src/lost_too.ts": ``,
    "scripts/free.ts": ``,
  });
  assert.deepEqual(findings, [
    "src/lost.ts: no entry of the product reaches this file",
    "src/lost_too.ts: no entry of the product reaches this file",
  ]);
});

Deno.test("findDeadCode tells unused from needlessly exported, and lets types of signatures be", () => {
  const findings = find({
    "main.ts": `import { used } from "./src/a.ts"; used();`,
    "src/a.ts": `
      export interface Options { name: string }
      export interface Nothing {}
      export const inner = 1;
      export const outer = 2;
      export function used(options: Options) { return inner; }`,
  });
  assert.deepEqual(findings, [
    "src/a.ts:3: Nothing is never used",
    "src/a.ts:4: inner is used in its own file only: do not export it",
    "src/a.ts:5: outer is never used",
  ]);
});

Deno.test("findDeadCode names product code that only tests keep alive", () => {
  const findings = find({
    "main.ts": `import { used } from "./src/a.ts"; used();`,
    "src/a.ts": `export function used() { return inner(); } export function inner() {} export function old() {}`,
    "tests/a_test.ts":
      `import { inner, old } from "../src/a.ts"; import { help } from "./support/help.ts"; help(inner, old);`,
    "tests/support/help.ts": `export function help() {} export function gone() {}`,
  });
  assert.deepEqual(findings, ["src/a.ts:1: old is used by tests only", "tests/support/help.ts:1: gone is never used"]);
});

Deno.test("findUnusedDependencies knows a dependency by its name and by its subpaths", () => {
  const sources = new Map([["src/a.ts", `import "one"; await import("two/sub");`]]);
  assert.deepEqual(findUnusedDependencies(sources, ["one", "two", "tw"]), ["deno.json: nothing imports tw"]);
});

Deno.test("findUnusedDependencies takes no word in a text or a comment for an import", () => {
  const sources = new Map([[
    "src/a.ts",
    `// import "one"\nconst names = ["one", "two/sub"]; import.meta.resolve("three");`,
  ]]);
  assert.deepEqual(findUnusedDependencies(sources, ["one", "two/", "three"]), [
    "deno.json: nothing imports one",
    "deno.json: nothing imports two/",
  ]);
});
