/** The temporary folder of programs: one for each session, and removed with it. @module */
import assert from "node:assert/strict";
import { Sandbox, startHttp, TEST_BINARY } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { LEVEL, needing } from "../support/needs.ts";

/** One session of the protocol with handshake. */
async function openSession({ url, token }: { url: string; token: string }) {
  const headers = new Headers({
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  });
  const post = async (method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(`${url}/mcp`, { method: "POST", headers, body });
    const text = await response.text();
    return { id: response.headers.get("mcp-session-id"), text };
  };
  const clientInfo = { name: "test", version: "1" };
  const { id } = await post("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  headers.set("mcp-session-id", id ?? "");
  return {
    run: async (command: string) =>
      (await post("tools/call", { name: "run_cmd", arguments: { argv: ["bash", "-c", command] } })).text,
    async close() {
      await (await fetch(`${url}/mcp`, { method: "DELETE", headers })).body?.cancel();
    },
  };
}

/** Files below a folder whose name is given. */
async function holdersOf(folder: string, name: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...await holdersOf(path, name).catch(() => [])); // it may go meanwhile
    else if (entry.name === name) found.push(path);
  }
  return found;
}

for (const level of ["full", "landlock"] as const) {
  Deno.test(
    needing(`a session has a /tmp of its own, which goes with it, at level ${level}`, ...LEVEL[level]),
    async () => {
      await using sandbox = await Sandbox.make();
      await using server = await startHttp(sandbox, { binary: TEST_BINARY, env: { LLMC_TEST_LEVEL: level } });
      const one = await openSession(server), other = await openSession(server);
      await one.run("echo first > $TMPDIR/kept; mkdir $TMPDIR/closed; chmod 500 $TMPDIR/closed");
      assert.match(await one.run("cat $TMPDIR/kept"), /first/);
      assert.doesNotMatch(await other.run("cat $TMPDIR/kept; echo other > $TMPDIR/beside"), /first/);
      const run = `${sandbox.dir}/run`;
      assert.equal((await holdersOf(run, "kept")).length, 1);
      await one.close();
      await eventually(async () => assert.deepEqual(await holdersOf(run, "kept"), []));
      assert.equal((await holdersOf(run, "beside")).length, 1, "the other session keeps its own");
      assert.match(await other.run("cat $TMPDIR/beside"), /other/);
    },
  );
}
