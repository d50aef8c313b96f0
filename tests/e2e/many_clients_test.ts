/** Many clients that connect at the same moment with one token, as parallel agents do. @module */
import assert from "node:assert/strict";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { type Endpoint, overHttp } from "../support/clients.ts";

/** Connects, lists the tools and calls three of them. */
async function work(endpoint: Endpoint): Promise<void> {
  await using client = await endpoint.connect();
  assert.ok((await client.listTools()).length > 20);
  for (const [name, args] of CALLS) {
    const { text, isError } = await client.call(name, args);
    assert.equal(isError, false, text);
  }
}

const CALLS = [
  ["linux_fs_read", { path: "a.txt" }],
  ["linux_fs_list", { path: "." }],
  ["linux_search_content", { root: ".", pattern: "hello" }],
] as const;

/** So many of each generation of the protocol. */
async function startTogether(server: HttpServer, ofEach: number): Promise<void> {
  const clients = Array.from({ length: ofEach }, () => overHttp(server)).flat().map(work);
  const failures = (await Promise.allSettled(clients)).flatMap((each) => each.status === "rejected" ? [each] : []);
  assert.deepEqual(failures.map(({ reason }) => String(reason)), []);
}

for (const count of [10, 50]) {
  Deno.test(`${count} clients that start together on one token all work with default limits`, async () => {
    await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
    await using server = await startHttp(sandbox);
    await startTogether(server, count / 2);
  });
}
