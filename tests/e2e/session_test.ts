/** One working session of an agent on a real source tree, over every transport and protocol. @module */
import assert from "node:assert/strict";
import { Sandbox, startHttp } from "../support/binary.ts";
import { type Endpoint, overHttp, overStdio, type TestClient } from "../support/clients.ts";
import { copyRealTree } from "../support/real_tree.ts";

const TEST_OF_CHUNK = `
const assert = require("node:assert");
const chunk = require("./chunk");
assert.deepStrictEqual(chunk([1, 2, 3], 2), [[1, 2], [3]]);
assert.deepStrictEqual(chunk([1, 2, 3], 0), [[1], [2], [3]]); // a size of 0 counts as 1 after the edit
console.log("chunk: all good");
`;

// The SDK's stdio client leaves a timer of two seconds behind when it closes.
const options = { sanitizeOps: false, sanitizeResources: false };
Deno.test("a working session on a real tree succeeds over every transport and protocol", options, async (t) => {
  await using sandbox = await Sandbox.make();
  assert.ok(await copyRealTree(sandbox.root) >= 1_000);
  await sandbox.write("chunk.test.js", TEST_OF_CHUNK);
  const original = await Deno.readTextFile(`${sandbox.root}/chunk.js`);
  await using server = await startHttp(sandbox);
  for (const endpoint of [...overStdio(sandbox), ...overHttp(server)]) {
    await t.step({
      name: endpoint.label,
      ...options,
      async fn() {
        await Deno.writeTextFile(`${sandbox.root}/chunk.js`, original);
        await runSession(endpoint);
      },
    });
  }
});

async function runSession(endpoint: Endpoint): Promise<void> {
  await using client = await endpoint.connect();
  const listing = await client.call("linux_fs_list", { path: ".", depth: 1 });
  assert.match(listing.text, /chunk\.js/);
  assert.match(listing.text, /linux_handle_read H_/, "a thousand entries do not fit into one answer");

  const found = await client.call("linux_search_content", {
    root: ".",
    pattern: "function chunk(",
    literal: true,
    file_glob: "*.js",
  });
  const line = Number(found.text.match(/chunk\.js[\s\S]*?(\d+)[:\s].*function chunk\(/)?.[1]);
  assert.ok(line > 0, `one search finds the line: ${found.text}`);

  const read = await client.call("linux_fs_read", { path: "chunk.js", offset_lines: line - 1, max_lines: 18 });
  assert.ok(read.text.startsWith("function chunk(array, size, guard) {"), read.text);

  assert.equal((await runTest(client)).isError, true, "the test fails before the edit");
  const whole = await client.call("linux_fs_read", { path: "chunk.js", max_lines: 2000 });
  const edited = bodyOf(whole.text).replace("nativeMax(toInteger(size), 0)", "nativeMax(toInteger(size), 1)");
  const written = await client.call("linux_fs_write", { path: "chunk.js", content: edited });
  assert.equal(written.isError, false, written.text);
  const passed = await runTest(client);
  assert.equal(passed.isError, false, passed.text);
  assert.match(passed.text, /chunk: all good/);

  const large = await client.call("run_cmd", { command: "cat lodash.js" });
  const handle = large.text.match(/H_[a-z]+_\d{8}T\d{6}Z_[a-z0-9]+/)?.[0];
  assert.ok(handle, "a large output has a handle");
  const rest = await client.call("linux_handle_read", { handle, offset: -40, limit: 40 });
  assert.match(rest.text, /root\._ = _/, rest.text.slice(0, 300));
}

function runTest(client: TestClient) {
  return client.call("run_cmd", { command: "node chunk.test.js" });
}

/** The file's text without the meta line that follows it. */
function bodyOf(text: string): string {
  return text.replace(/\n\[[^\n]*\]\s*$/, "\n");
}
