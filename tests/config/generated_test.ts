import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { makeJsonSchema, renderAll, renderToml } from "../../scripts/generate_config_docs.ts";
import { checkValue } from "../../src/config/check_value.ts";
import { fileSchema } from "../../src/config/file_schema.ts";
import { type Key, listKeys, OTHER_SPELLINGS } from "../../src/config/keys.ts";
import { loadConfig } from "../../src/config/load.ts";
import { zodFileSchema } from "../../src/config/schema.ts";
import { parseToml } from "../../src/config/toml.ts";
import { makeMachine } from "./machine.ts";

Deno.test("llmc.toml, its JSON Schema and docs/config.md are up to date", async () => {
  for (const [path, text] of Object.entries(renderAll())) {
    const current = await readFile(new URL(`../../${path}`, import.meta.url), "utf8");
    assert.equal(current, text, `${path}: deno run -A scripts/generate_config_docs.ts`);
  }
});

Deno.test("llmc.toml gives exactly the defaults", () => {
  const text = renderToml(makeJsonSchema());
  const complete = loadConfig({}, makeMachine({ files: { "/code/llmc.toml": text } }));
  assert.deepEqual(complete.settings, loadConfig({}, makeMachine()).settings);
  assert.deepEqual(complete.origins, {});
});

Deno.test("llmc.toml has every key, each with one comment directly above it", () => {
  const text = renderToml(makeJsonSchema());
  const table = parseToml(text, "llmc.toml");
  for (const { name, path } of listKeys(fileSchema)) {
    if (name in OTHER_SPELLINGS) continue;
    const value = path.reduce<unknown>(
      (value, step) => Object.entries(value ?? {}).find(([key]) => key === step)?.[1],
      table,
    );
    assert.notEqual(value, undefined, name);
  }
  const lines = text.split("\n");
  lines.forEach((line, index) => {
    if (/^\w+ = /.test(line)) assert.match(lines[index - 1] ?? "", /^# /, line);
    assert(line.length <= 120, line);
  });
});

Deno.test("every key and section has one sentence that describes it", () => {
  for (const { name, node } of listKeys(fileSchema)) assert.match(node.description ?? "", /^[A-Z].*[^.]\.$/, name);
});

/** Values on and beside the bounds of a key, and of every other kind. */
function candidates({ node }: Key): unknown[] {
  const item = node.items ?? node;
  const texts = [
    "",
    "a",
    "a b",
    "/x",
    "../x",
    "a\nb",
    "\0",
    "ü",
    "x".repeat(201),
    "http://h",
    "http://h/p",
    "ftp://h",
    "[::1]",
    "a=b",
    "v0",
    ...item.enum ?? [],
  ];
  const numbers = [node.minimum, node.maximum].flatMap((bound) =>
    bound === undefined ? [] : [bound - 1, bound, bound + 1, bound + 0.5]
  );
  const plain = [
    ...texts,
    ...numbers,
    node.default ?? [],
    0,
    1.5,
    -1,
    NaN,
    Infinity,
    true,
    false,
    null,
    {},
    new Date(0),
  ];
  const tables = [
    { default: 2000 },
    { default: 2000, x: 3000 },
    { x: 3000 },
    { default: 1 },
    { default: 2000, x: "a" },
    { default: 2000.5 },
  ];
  return [...plain, ...tables, [], ...plain.map((value) => [value]), ...texts.map((text) => [text, "fs"])];
}

Deno.test("the program accepts the same values as the zod schema, for every key", () => {
  for (const key of listKeys(fileSchema)) {
    const answers = candidates(key).map((value) => {
      const file = key.path.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
      const accepted = checkValue(key.node, value).length === 0;
      assert.equal(accepted, zodFileSchema.safeParse(file).success, `${key.name} = ${JSON.stringify(value)}`);
      return accepted;
    });
    assert.deepEqual(new Set(answers), new Set([true, false]), `candidates of ${key.name}`);
  }
});
