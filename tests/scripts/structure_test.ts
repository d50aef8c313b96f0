import assert from "node:assert/strict";
import { findStructureFaults } from "../../scripts/structure.ts";

const find = (files: Readonly<Record<string, string>>) => findStructureFaults(new Map(Object.entries(files)));

Deno.test("findStructureFaults names a cycle of types once, with the way around it", () => {
  const findings = find({
    "src/a.ts": `import type { C } from "./b.ts"; export interface A { c: C }`,
    "src/b.ts": `import { c } from "./c.ts"; export type C = typeof c;`,
    "src/c.ts": `import type { A } from "./a.ts"; export const c: A | null = null;`,
    "src/d.ts": `import "./a.ts";`,
  });
  assert.deepEqual(findings, ["import cycle: src/a.ts → src/b.ts → src/c.ts → src/a.ts"]);
});

Deno.test("findStructureFaults follows imports from the build to the tests", () => {
  const findings = find({
    "scripts/build.ts": `import "./part.ts";`,
    "scripts/part.ts": `import "../bench/client.ts";`,
    "bench/client.ts": "",
    "src/x.ts": `import "../tests/y.ts";`,
    "tests/y.ts": "",
  });
  assert.deepEqual(findings, [
    "scripts/build.ts reaches bench/client.ts: a build needs no test",
    "src/x.ts reaches tests/y.ts: the product has to build alone",
  ]);
});

Deno.test("findStructureFaults finds a name that two files of src/ declare, and not one that is passed on", () => {
  const findings = find({
    "src/a.ts": `export const one = 1, two = 2;`,
    "src/b.ts": `export function one() {} export { two } from "./a.ts";`,
    "tests/c.ts": `export const one = 3;`,
  });
  assert.deepEqual(findings, ["one is exported by src/a.ts and src/b.ts: one name, one meaning"]);
});
