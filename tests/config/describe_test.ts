import assert from "node:assert/strict";
import { configRows, describeConfig } from "../../src/config/describe.ts";
import { fileSchema } from "../../src/config/file_schema.ts";
import { listKeys, OTHER_SPELLINGS } from "../../src/config/keys.ts";
import { loadConfig } from "../../src/config/load.ts";
import { resolveConfig } from "../../src/config/resolve.ts";
import { makeMachine } from "./machine.ts";

function example() {
  const machine = makeMachine({
    files: { "/code/llmc.toml": "[mcp.server]\nport = 9000\n" },
    env: { LLMC_MCP__RAG__EMBEDDINGS_URL: "http://ann:s3cret@localhost:1/v1", LLMC_MCP_TOKEN: "s3cret" },
  });
  return resolveConfig(loadConfig({ configFile: "/code/llmc.toml" }, machine), machine);
}

Deno.test("configRows has every key with its value and the layer that set it", () => {
  const rows = configRows(example());
  const expected = listKeys(fileSchema).map(({ name }) => name).filter((name) => !(name in OTHER_SPELLINGS));
  assert.deepEqual(rows.map(({ key }) => key), expected);
  const row = (key: string) => rows.find((each) => each.key === key);
  assert.deepEqual(row("mcp.server.port"), { key: "mcp.server.port", value: 9000, origin: "toml" });
  assert.deepEqual(row("mcp.server.host"), { key: "mcp.server.host", value: "127.0.0.1", origin: "default" });
  assert.equal(row("mcp.rag.embeddings_url")?.origin, "env");
});

Deno.test("configRows and describeConfig hold no secret", () => {
  const config = example();
  assert.equal(config.settings.rag.embeddings_url, "http://ann:s3cret@localhost:1/v1");
  const shown = JSON.stringify([configRows(config), describeConfig(config)]);
  assert.doesNotMatch(shown, /s3cret/);
  assert.match(shown, /http:\/\/\*\*\*@localhost:1\/v1/);
});
