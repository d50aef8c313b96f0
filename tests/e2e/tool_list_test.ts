/** The short list of tools, `more`, and the full list for clients that load tools on demand: over both protocols. @module */
import assert from "node:assert/strict";
import { Sandbox, startHttp } from "../support/binary.ts";
import { overHttp, overStdio } from "../support/clients.ts";
import { SDK_TIMERS } from "../support/faces.ts";
import { type Frame, StdioPeer, textOf } from "../support/stdio_peer.ts";
import { tools } from "../../src/tools/catalog.ts";

const CORE = ["--set", "mcp.tools.list=core"], FULL = ["--set", "mcp.tools.list=full"];
const SHORT = [...tools.filter(({ core }) => core).map(({ name }) => name), "more"];
const FILES = { "a.txt": "hello\n" };

Deno.test("a group that was opened is announced and listed from then on, for this client alone", async () => {
  await using sandbox = await Sandbox.make(FILES);
  await using peer = await StdioPeer.open(sandbox, { args: CORE });
  assert.deepEqual(namesIn(await peer.request("tools/list")), SHORT);
  const id = await peer.ask("tools/call", { name: "more", arguments: { group: "search" } });
  const frames = [await peer.next(), await peer.next()];
  assert.ok(frames.some(({ method }) => method === "notifications/tools/list_changed"), JSON.stringify(frames));
  assert.match(textOf(frames.find((frame) => frame.id === id) ?? {}), /linux_search_files/);
  const names = namesIn(await peer.request("tools/list"));
  assert.ok(names.includes("linux_search_files") && !names.includes("linux_fs_list"), names.join());
  await peer.call("more", { group: "search" }); // known already: the very next frame is the answer
  await using other = await StdioPeer.open(sandbox, { args: CORE });
  assert.deepEqual(namesIn(await other.request("tools/list")), SHORT);
});

Deno.test("in the protocol without connections a list does not depend on earlier calls", async () => {
  await using sandbox = await Sandbox.make(FILES);
  await using peer = StdioPeer.start(sandbox, { args: CORE });
  const meta = { _meta: envelopeOf("raw") };
  assert.deepEqual(namesIn(await peer.request("tools/list", meta)), SHORT);
  await peer.request("tools/call", { name: "more", arguments: { group: "search" }, ...meta });
  assert.deepEqual(namesIn(await peer.request("tools/list", meta)), SHORT);
});

Deno.test("clients that load tools on demand get all of them, and Claude Code the hints that it reads", async (t) => {
  await using sandbox = await Sandbox.make(FILES);
  for (const name of ["claude-code", "codex-mcp-client"]) {
    await t.step(`${name}, after a handshake`, async () => {
      await using peer = StdioPeer.start(sandbox, { args: CORE });
      const clientInfo = { name, version: "1" };
      await peer.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
      checkDeferred(name, await peer.request("tools/list"));
    });
    await t.step(`${name}, without a handshake`, async () => {
      await using peer = StdioPeer.start(sandbox, { args: CORE });
      checkDeferred(name, await peer.request("tools/list", { _meta: envelopeOf(name) }));
    });
  }
});

Deno.test(
  "the short list leads to every tool, by name and through more, in both protocols and transports",
  SDK_TIMERS,
  async (t) => {
    await using sandbox = await Sandbox.make(FILES);
    await using server = await startHttp(sandbox, { args: CORE });
    for (const endpoint of [...overStdio(sandbox, CORE), ...overHttp(server)]) {
      await t.step(endpoint.label, async () => {
        await using client = await endpoint.connect();
        assert.deepEqual((await client.listTools()).map(({ name }) => name), SHORT);
        const direct = await client.call("linux_fs_list", {});
        assert.match(direct.text, /a\.txt/);
        assert.deepEqual(await client.call("more", { tool: "fs.list", arguments: {} }), direct);
        assert.match((await client.call("more", { group: "proc" })).text, /^linux_proc_start \{/m);
        const refused = await client.call("more", { tool: "linux_fs_stat", arguments: { path: "/etc/passwd" } });
        assert.ok(refused.isError && refused.text.startsWith("INVALID_PATH"), refused.text);
      });
    }
  },
);

Deno.test("the full list is one setting away, and more still answers", SDK_TIMERS, async () => {
  await using sandbox = await Sandbox.make(FILES);
  for (const endpoint of overStdio(sandbox, FULL)) {
    await using client = await endpoint.connect();
    const names = (await client.listTools()).map(({ name }) => name);
    assert.ok(names.includes("linux_fs_list") && !names.includes("more"), names.join());
    assert.match((await client.call("more", { tool: "fs.list", arguments: {} })).text, /a\.txt/);
  }
});

interface Listed {
  readonly name: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

function checkDeferred(client: string, frame: Frame): void {
  const listed: Listed[] = Object(frame.result).tools, names = listed.map(({ name }) => name);
  assert.ok(names.includes("linux_fs_list") && names.at(-1) === "more", names.join());
  for (const { name, _meta: meta } of listed) {
    if (client !== "claude-code") {
      assert.equal(meta, undefined, name);
      continue;
    }
    assert.equal(meta?.["anthropic/alwaysLoad"], SHORT.includes(name) && name !== "more" ? true : undefined, name);
    assert.equal(typeof meta?.["anthropic/searchHint"], meta?.["anthropic/alwaysLoad"] ? "undefined" : "string", name);
    assert.equal(meta?.["anthropic/maxResultSizeChars"], 64_000);
  }
}

function namesIn(frame: Frame): string[] {
  return Object(frame.result).tools.map(({ name }: Listed) => name);
}

function envelopeOf(name: string): Frame {
  const prefix = "io.modelcontextprotocol/";
  return {
    [`${prefix}protocolVersion`]: "2026-07-28",
    [`${prefix}clientCapabilities`]: {},
    [`${prefix}clientInfo`]: { name, version: "1" },
  };
}
