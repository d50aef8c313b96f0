import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { configCheck, type ConfigIo, configPath, configSchema, configShow } from "../../../src/cli/commands/config.ts";
import { fileSchema } from "../../../src/config/file_schema.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { resolveConfig } from "../../../src/config/resolve.ts";
import { type Fixture, makeMachine } from "../../config/machine.ts";

function makeIo(colour = false): ConfigIo & { readonly lines: () => string[]; readonly text: () => string } {
  const parts: string[] = [];
  return {
    colour,
    print: (text) => void parts.push(text),
    text: () => parts.join(""),
    lines: () => parts.join("").split("\n"),
  };
}

function read(fixture: Fixture) {
  const machine = makeMachine(fixture);
  return resolveConfig(loadConfig(fixture.files ? { configFile: "/code/llmc.toml" } : {}, machine), machine);
}

const NINE = { files: { "/code/llmc.toml": "[mcp.server]\nport = 9\n" }, env: { LLMC_MCP__TOOLS__ALLOWED_ROOTS: "." } };

Deno.test("config show prints every key in columns with the layer that set it", () => {
  const io = makeIo();
  assert.equal(configShow(io, read(NINE), false), 0);
  const rows = io.lines().filter((line) => line.startsWith("mcp."));
  const columns = new Set(rows.map((line) => line.search(/(?<= {2})(default|toml|env|cli) {2}/)));
  assert.equal(columns.size, 1);
  assert(rows.some((line) => /^mcp\.server\.port +toml {5}9$/.test(line)));
  assert(rows.some((line) => /^mcp\.tools\.allowed_roots +env {6}\["\/code"\]$/.test(line)));
  assert(rows.some((line) => /^mcp\.auth\.token_env +default {2}"LLMC_MCP_TOKEN"$/.test(line)));
  assert(io.lines().some((line) => /^roots +\/code$/.test(line)));
  assert(io.lines().some((line) => /^file +\/code\/llmc\.toml$/.test(line)));
});

Deno.test("config show uses colours only when told to", () => {
  const [plain, coloured] = [makeIo(), makeIo(true)];
  configShow(plain, read(NINE), false);
  configShow(coloured, read(NINE), false);
  assert(!plain.text().includes("\x1b"));
  assert.equal(stripVTControlCharacters(coloured.text()), plain.text());
  assert(coloured.lines().some((line) => line.startsWith("\x1b[1mmcp.server.port ")));
});

Deno.test("config show --json prints one object without secrets", () => {
  const io = makeIo();
  configShow(io, read({ env: { LLMC_MCP__RAG__EMBEDDINGS_URL: "http://ann:s3cret@h" } }), true);
  const shown: unknown = JSON.parse(io.text());
  assert(typeof shown === "object" && shown !== null && "settings" in shown && "origins" in shown);
  assert.doesNotMatch(io.text(), /s3cret/);
});

Deno.test("config check exits 0 and says which file was read", () => {
  const io = makeIo();
  assert.equal(configCheck(io, () => read(NINE)), 0);
  assert.equal(io.text(), "ok  /code/llmc.toml; 2 keys differ from their defaults\n");
});

Deno.test("config check shows warnings of a configuration that is fine", () => {
  const io = makeIo();
  assert.equal(configCheck(io, () => read({})), 0);
  assert.deepEqual(io.lines(), [
    "warning  no root is set, so file tools refuse every path; start with --root DIR",
    "ok  no file; 0 keys differ from their defaults",
    "",
  ]);
});

Deno.test("config check exits 78 and prints every mistake", () => {
  const io = makeIo();
  const files = { "/code/llmc.toml": "[mcp.server]\nprot = 9\nhost = 1\n" };
  assert.equal(configCheck(io, () => read({ files })), 78);
  assert.match(io.text(), /^\/code\/llmc\.toml:2:1: unknown key "prot"/m);
  assert.match(io.text(), /^\/code\/llmc\.toml:3:8: mcp\.server\.host: expected/m);
  assert.match(io.text(), /\n2 mistakes\n$/);
});

Deno.test("config schema prints the JSON Schema that values are checked against", () => {
  const io = makeIo();
  assert.equal(configSchema(io), 0);
  assert.deepEqual(JSON.parse(io.text()), fileSchema);
});

Deno.test("config path prints the file, or where it was looked for", () => {
  const [found, none] = [makeIo(), makeIo()];
  assert.equal(configPath(found, {}, makeMachine(NINE)), 0);
  assert.equal(found.text(), "/code/llmc.toml\n");
  assert.equal(configPath(none, {}, makeMachine()), 0);
  assert.deepEqual(none.lines(), [
    "no file, so the defaults hold; looked for",
    "  /code/llmc.toml",
    "  /home/ann/.config/llmc/llmc.toml",
    "  /etc/llmc/llmc.toml",
    "",
  ]);
});
