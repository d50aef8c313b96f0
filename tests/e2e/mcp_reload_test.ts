/** SIGHUP applies a changed configuration to a running server and notifies its clients. @module */
import assert from "node:assert/strict";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { type Connected, httpFaces, SDK_TIMERS } from "../support/faces.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

/** The tests ask faster than a caller usually may. */
const FAST = "[mcp.limits]\nrate_limit_rps = 1000\nrate_limit_burst = 1000\n";

/** Writes the configuration; the file lies outside the root. */
async function configure(sandbox: Sandbox, toml: string, limits = FAST): Promise<string> {
  const path = `${sandbox.dir}/home/llmc.toml`;
  await Deno.writeTextFile(path, toml + limits);
  return path;
}

/** Sends the signal and waits until the server says what came of it. */
async function reload({ pid, stderr }: HttpServer): Promise<string> {
  const before = stderr().length;
  Deno.kill(pid, "SIGHUP");
  const said = () => stderr().slice(before);
  await eventually(() => assert.match(said(), /in force now|no changes to apply|cannot be used/));
  return said();
}

Deno.test("SIGHUP takes over what can change, and says what waits for a restart", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n", "long.txt": "many words in a line\n".repeat(2_000) });
  const file = await configure(sandbox, "");
  await using server = await startHttp(sandbox, { args: ["--config", file] });
  const streaming = Promise.withResolvers<void>();
  const [older, newer] = httpFaces(server, {}, async (input, init) => {
    const request = new Request(input, init), response = await fetch(request);
    if (request.method === "GET") streaming.resolve();
    return response;
  });
  assert.ok(older && newer);

  for (const face of [older, newer]) {
    await t.step(`${face.label}: clients hear that the list of tools has changed`, async () => {
      await configure(sandbox, "");
      await reload(server);
      const heard = Promise.withResolvers<void>();
      await using client = await face.connect({}, (client) => {
        client.setNotificationHandler("notifications/tools/list_changed", () => heard.resolve());
      });
      // The older client opens the stream on which news come, but does not wait for it.
      await (face.isStateless ? client.listen({ toolsListChanged: true }) : streaming.promise);
      assert.ok((await names(client)).includes("linux_fs_write"));
      await configure(sandbox, "[mcp]\nread_only = true\n");
      assert.match(await reload(server), /in force now: mcp\.read_only/);
      await heard.promise;
      const now = await names(client);
      assert.ok(now.includes("linux_fs_read") && !now.includes("linux_fs_write"));
      const { content, isError } = await client.callTool({
        name: "linux_fs_write",
        arguments: { path: "b.txt", content: "x" },
      });
      assert.ok(isError);
      assert.match(JSON.stringify(content), /FEATURE_DISABLED/);
    });
  }

  await t.step("what is in force says where it comes from now", async () => {
    await using client = await older.connect();
    const origin = async (key: string) => {
      const { contents } = await client.readResource({ uri: "llmc://config/effective.json" });
      return JSON.parse(String(Object(contents[0]).text)).origins[key];
    };
    await configure(sandbox, "");
    await reload(server);
    assert.equal(await origin("mcp.tools.result_tokens"), undefined);
    await configure(sandbox, "[mcp.tools]\nresult_tokens = 900\n[mcp.handles]\nttl_hours = 1\n");
    await reload(server);
    assert.equal(await origin("mcp.tools.result_tokens"), "toml");
    assert.equal(await origin("mcp.handles.ttl_hours"), undefined, "it waits for a restart");
  });

  await t.step("result size, toolsets, level of the log and limits change at once", async () => {
    await using client = await newer.connect();
    const read = async () =>
      JSON.stringify(
        await client.callTool({ name: "linux_fs_read", arguments: { path: "long.txt", max_lines: 2_000 } }),
      );
    await configure(
      sandbox,
      '[mcp.tools]\nresult_tokens = 300\ntoolsets = ["fs"]\n[mcp.observability]\nlog_level = "error"\n',
    );
    assert.match(await reload(server), /mcp\.tools\.result_tokens/);
    assert.ok((await read()).length < 2_500);
    assert.ok((await names(client)).every((name) => name.startsWith("linux_fs_")));
    const lines = server.stderr().length;
    await read();
    assert.equal(server.stderr().length, lines); // a call is worth a line of level info
    await configure(sandbox, "", "[mcp.limits]\nrate_limit_rps = 0.1\nrate_limit_burst = 1\nmax_queued = 0\n");
    assert.match(await reload(server), /mcp\.limits\.rate_limit_rps/);
    const many = await Promise.allSettled(Array.from({ length: 12 }, read));
    assert.ok(many.some(({ status }) => status === "rejected"));
    await configure(sandbox, "");
    await reload(server);
  });

  await t.step("roots, and what is made at the start, wait for a restart", async () => {
    await configure(sandbox, `[mcp.tools]\nallowed_roots = ["${sandbox.dir}"]\n[mcp.handles]\nttl_hours = 1\n`);
    const said = await reload(server);
    assert.match(said, /in force after a restart: .*mcp\.tools\.allowed_roots.*mcp\.handles\.ttl_hours/);
    await using client = await newer.connect();
    const outside = { path: `${sandbox.dir}/home/llmc.toml` };
    const { isError } = await client.callTool({ name: "linux_fs_read", arguments: outside });
    assert.ok(isError);
  });

  await t.step("a configuration that cannot be used changes nothing", async () => {
    await configure(sandbox, "[mcp]\nread_onyl = true\n");
    assert.match(await reload(server), /cannot be used, so the old one stays[\s\S]*read_onyl/);
    await using client = await newer.connect();
    const { isError } = await client.callTool({ name: "linux_fs_read", arguments: { path: "a.txt" } });
    assert.notEqual(isError, true);
  });
});

async function names(client: Connected): Promise<string[]> {
  return (await client.listTools({}, { cacheMode: "refresh" })).tools.map(({ name }) => name);
}

Deno.test("over stdio a client hears of changes after the handshake, and never before", async () => {
  await using sandbox = await Sandbox.make();
  const file = await configure(sandbox, "");
  await using peer = StdioPeer.start(sandbox, { args: ["--config", file] });
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
  await peer.request("initialize", params);
  await configure(sandbox, '[mcp.tools]\nname_style = "dotted"\n');
  peer.kill("SIGHUP");
  await eventually(() => assert.match(peer.stderr(), /in force now/));
  await peer.request("ping"); // the next frame is the answer, and no news
  await peer.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  assert.match(JSON.stringify((await peer.request("tools/list")).result), /"linux\.fs_read"/);
  await configure(sandbox, '[mcp.tools]\nname_style = "underscore"\n');
  peer.kill("SIGHUP");
  assert.equal((await peer.next()).method, "notifications/tools/list_changed");
  assert.match(JSON.stringify((await peer.request("tools/list")).result), /"linux_fs_read"/);
});
