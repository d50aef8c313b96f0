/** Long calls: progress, cancellation, and the server's work meanwhile. @module */
import assert from "node:assert/strict";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { type Connected, type Face, httpFaces, SDK_TIMERS, stdioFaces } from "../support/faces.ts";
import { makeGate } from "../support/gate.ts";
import { treeName } from "../support/process_tree.ts";
import { isAlive, pidsOf, processesOf } from "../support/processes.ts";
import { StdioPeer } from "../support/stdio_peer.ts";
import { WITHOUT_LIMITS } from "../support/raw_http.ts";

/** A call that would go on for long; the mark tells its program from all others. */
const sleep = (mark: string) => ({ command: `python3 -c 'import time; time.sleep(4731)' ${mark}` });

function sleeping(mark: string): RegExp {
  return new RegExp(`^\\S*python3 -c import time; time\\.sleep\\(4731\\) ${mark}$`);
}

Deno.test("long calls report progress, can be cancelled, and keep nobody waiting", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  await using server = await startHttp(sandbox, { args: WITHOUT_LIMITS });
  for (const face of facesOf(sandbox, server)) {
    await t.step(`${face.label}: progress comes when it is asked for, and grows`, () => checkProgress(face, sandbox));
    await t.step(`${face.label}: a cancelled call ends its program`, () => checkCancel(face));
    await t.step(`${face.label}: the server answers while eight slow calls run`, () => checkLoad(face));
  }
});

function facesOf(sandbox: Sandbox, server: HttpServer): Face[] {
  return [...stdioFaces(sandbox), ...httpFaces(server)];
}

async function checkProgress(face: Face, sandbox: Sandbox): Promise<void> {
  const name = crypto.randomUUID();
  using gate = await makeGate(`${sandbox.root}/${name}`);
  await using client = await face.connect();
  const seen: number[] = [];
  const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
  const call = client.callTool({ name: "run_cmd", arguments: { command: `bash -c 'read line <${name}'` } }, {
    onprogress,
  });
  await eventually(() => assert.ok(seen.length >= 2, `${seen.length} reports`));
  await gate.pass();
  await call;
  assert.deepEqual(seen, [...seen].sort((a, b) => a - b));
  assert.equal(new Set(seen).size, seen.length);
}

async function checkCancel(face: Face): Promise<void> {
  await using client = await face.connect();
  await cancelOne(client);
  const { content } = await client.callTool({ name: "linux_fs_read", arguments: { path: "a.txt" } });
  assert.match(JSON.stringify(content), /hello/);
}

async function cancelOne(client: Connected): Promise<void> {
  const aborter = new AbortController(), mark = treeName();
  const call = client.callTool({ name: "run_cmd", arguments: sleep(mark) }, { signal: aborter.signal });
  const pids = await eventually(async () => {
    const found = await pidsOf(sleeping(mark));
    assert.ok(found.length > 0);
    return found;
  });
  aborter.abort();
  await assert.rejects(call);
  for (const pid of pids) await eventually(() => assert.ok(!isAlive(pid)));
}

async function checkLoad(face: Face): Promise<void> {
  await using client = await face.connect();
  const aborter = new AbortController(), mark = treeName();
  const calls = Array.from(
    { length: 8 },
    () => client.callTool({ name: "run_cmd", arguments: sleep(mark) }, { signal: aborter.signal }).catch(() => {}),
  );
  const running = async () => (await processesOf(sleeping(mark))).length;
  await eventually(async () => assert.equal(await running(), 8));
  for (let at = 0; at < 20; at++) {
    // The newer protocol has no ping; what a client asks instead is as small.
    if (face.isStateless) await client.listPrompts({}, { cacheMode: "refresh" });
    else await client.ping();
  }
  assert.equal(await running(), 8, "nothing waited for their end");
  aborter.abort();
  await Promise.all(calls);
  // Who hangs up before the word of it has arrived has cancelled nothing.
  await eventually(async () => assert.equal(await running(), 0));
}

Deno.test("a cancelled request is not answered", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  await using peer = await StdioPeer.open(sandbox);
  const mark = treeName();
  const id = await peer.ask("tools/call", { name: "run_cmd", arguments: sleep(mark) });
  await eventually(async () => assert.equal((await processesOf(sleeping(mark))).length, 1));
  await peer.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
  await eventually(async () => assert.deepEqual(await processesOf(sleeping(mark)), []));
  assert.match(await peer.call("linux_fs_read", { path: "a.txt" }), /hello/);
  await peer.request("ping");
});

Deno.test("a large result carries a link to the whole where the operator wants links and the protocol has them", async () => {
  await using sandbox = await Sandbox.make({ "long.txt": "one more line of text\n".repeat(5_000) });
  const read = { name: "linux_fs_read", arguments: { path: "long.txt", max_lines: 2_000 } };
  const cases = [["2025-06-18", true, true], ["2025-03-26", true, false], ["2025-06-18", false, false]] as const;
  for (const [protocolVersion, configured, wanted] of cases) {
    await using peer = StdioPeer.start(sandbox, { args: ["--set", `mcp.tools.result_links=${configured}`] });
    await peer.request("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "x", version: "1" } });
    await peer.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    const { content } = Object((await peer.request("tools/call", read)).result);
    const link = content.find(({ type }: { type: string }) => type === "resource_link");
    assert.equal(link !== undefined, wanted, protocolVersion);
    if (!link) continue;
    const { contents } = Object((await peer.request("resources/read", { uri: link.uri })).result);
    assert.match(contents[0].text, /^one more line of text/);
    const small = await peer.request("tools/call", {
      name: "linux_fs_read",
      arguments: { path: "long.txt", max_lines: 5 },
    });
    assert.doesNotMatch(JSON.stringify(small), /resource_link/);
  }
});

Deno.test("whoever pages through a file gets one handle, and another one once the file has changed", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "the same line\n".repeat(3_000) });
  await using peer = await StdioPeer.open(sandbox);
  const path = `${sandbox.root}/a.txt`;
  const read = async (offset_lines: number) => {
    const text = await peer.call("linux_fs_read", { path: "a.txt", offset_lines });
    return /H_file_\S+/.exec(text)?.[0] ?? assert.fail(text);
  };
  const settled = await eventually(async () => {
    const [first, second] = [await read(0), await read(200)];
    assert.equal(first, second);
    return first;
  });
  const { mtime } = await Deno.stat(path);
  await Deno.writeTextFile(path, "another line!\n".repeat(3_000));
  await Deno.utime(path, mtime ?? 0, mtime ?? 0);
  const changed = await read(200);
  assert.notEqual(changed, settled, "neither its size nor its time of change tell");
  assert.match(await peer.call("linux_handle_read", { handle: changed, offset: 2_999 }), /another line!/);
});
