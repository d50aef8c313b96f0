import assert from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { fileSchema } from "../../src/config/file_schema.ts";
import { type Key, listKeys, OTHER_SPELLINGS } from "../../src/config/keys.ts";

/** Where keys are defined; that is no effect. */
const DEFINITIONS = ["src/config/schema.ts", "src/config/value_kinds.ts"];

/** A source without comments and without texts, in which keys are only mentioned. One-word texts stay: `Settings["te"]`. */
function codeOf(source: string): string {
  return source.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g,
    (part) => /^"\w+"$/.test(part) ? part : "",
  );
}

/** How a read of a key looks: `limits.max_request_bytes`, or taking it out of its section. */
function readsOf({ path }: Key, distinctive: boolean): RegExp[] {
  const leaf = path.at(-1) ?? "", above = path.at(-2) ?? "";
  const section = above === "mcp" ? "settings" : above;
  // a message that names the key, `${...} mcp.te.enabled`, is no read
  const reads = [
    new RegExp(`(?<!mcp\\.(?:\\w+\\.)*)\\b${section}\\??\\.${leaf}\\b`),
    new RegExp(`[{,]\\s*${leaf}\\b[^{}]*}+(?:\\s*=\\s*[\\w.]*\\b${section}\\b|\\s*:\\s*Settings\\["${section}"\\])`),
    new RegExp(`\\b${section}:\\s*{(?:[^{}]*,)?\\s*${leaf}\\b`),
  ];
  // a name that no other key has and no other code would use may be read from a shorter variable
  return distinctive
    ? [
      ...reads,
      new RegExp(`(?<!mcp\\.(?:\\w+\\.)*\\w+)\\.${leaf}\\b`),
      new RegExp(`[{,]\\s*${leaf}\\b[^{}]*}+\\s*[=:]`),
    ]
    : reads;
}

Deno.test("every configuration key has a reader", async () => {
  const top = new URL("../..", import.meta.url).pathname;
  const sources: string[] = [];
  for await (const path of glob("src/**/*.ts", { cwd: top })) {
    if (!DEFINITIONS.includes(path)) sources.push(codeOf(await readFile(`${top}${path}`, "utf8")));
  }
  const keys = listKeys(fileSchema).filter(({ name }) => !(name in OTHER_SPELLINGS));
  const counts = Map.groupBy(keys, ({ path }) => path.at(-1) ?? "");
  const unread = keys.filter((key) => {
    const leaf = key.path.at(-1) ?? "";
    const reads = readsOf(key, leaf.includes("_") && counts.get(leaf)?.length === 1);
    return !sources.some((source) => reads.some((read) => read.test(source)));
  });
  assert.deepEqual(unread.map(({ name }) => name), [], "these keys have no effect");
});

Deno.test("the search for readers tells a read from a mention", () => {
  const [plain, distinctive] = ["mcp.te.enabled", "mcp.limits.max_request_bytes"].map((name) => {
    const key = listKeys(fileSchema).find((each) => each.name === name);
    assert(key);
    return key;
  });
  assert(plain && distinctive);
  const reads = (key: Key, source: string) =>
    readsOf(key, key === distinctive).some((read) => read.test(codeOf(source)));
  for (
    const source of [
      "if (config.settings.te.enabled) x();",
      "const { timeout, enabled } = settings.te;",
      'function f({ enabled }: Settings["te"]) {}',
      "const { te: { enabled } } = settings;",
    ]
  ) assert(reads(plain, source), source);
  for (
    const source of [
      "// settings.te.enabled",
      "/* te.enabled */",
      '"te.enabled"',
      "`set mcp.te.enabled`",
      "observability.enabled",
      "const { enabled } = settings.observability;",
      "te.enabled_by",
    ]
  ) assert(!reads(plain, source), source);
  for (const source of ["limits.max_request_bytes", "l.max_request_bytes", "const { max_request_bytes } = l;"]) {
    assert(reads(distinctive, source), source);
  }
  assert(!reads(distinctive, "`the bound is mcp.limits.max_request_bytes`"));
});
