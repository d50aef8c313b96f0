/** `make dev` and `deno task dev` in a copy of the sources. @module */
import assert from "node:assert/strict";
import { callTool } from "../support/call_tool.ts";
import { copySources, Dev, LISTENING, replaceVersion, VERSION_FILE } from "../support/dev_server.ts";
import { eventually } from "../support/eventually.ts";

for (
  const command of [["make", "dev", "PORT=0"], [Deno.execPath(), "task", "--quiet", "dev", "--port", "0"]] as const
) {
  Deno.test(`${command[0] === "make" ? "make dev" : "deno task dev"} starts again after every change, with its port and token`, async () => {
    await using tree = await copySources();
    await using dev = new Dev(tree, command);
    const url = await dev.until(LISTENING);
    const token = (await Deno.readTextFile(tree.path("project/dist/dev-token"))).trim();
    for (const version of ["1.2.3-first", "1.2.3-second"]) {
      await replaceVersion(tree, version);
      assert.equal(await dev.until(LISTENING), url);
      assert.equal(await servedVersion(url, token), version);
    }
  });
}

Deno.test("deno task dev waits for a change when the sources have a fault, and the served folder does not show the token", async () => {
  await using tree = await copySources();
  await using dev = new Dev(tree, [Deno.execPath(), "task", "--quiet", "dev", "--port", "0"]);
  const url = await dev.until(LISTENING);
  const path = tree.path("project/dist/dev-token"), token = (await Deno.readTextFile(path)).trim();
  assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  const { detail_code, content } = await callTool({ url, token }, "linux_fs_read", { path: "dist/dev-token" });
  assert.match(String(detail_code), /DENIED|INVALID_PATH/, String(content));
  await Deno.writeTextFile(tree.path(VERSION_FILE), "export const VERSION = ;\n");
  await dev.until(/(dev: the server ended with 1; it starts again after the next change)/);
  await replaceVersion(tree, "1.2.3-mended");
  assert.equal(await dev.until(LISTENING), url);
  // The faulty write may have been noticed twice: the start after it may already read the mended file, and be the last but one.
  await eventually(async () => assert.equal(await servedVersion(url, token), "1.2.3-mended"));
});

async function servedVersion(url: string, token: string): Promise<unknown> {
  const response = await fetch(`${url}/health`, { headers: { "X-LLMC-Token": token } });
  const health = await response.json();
  return health.version;
}
