/** The stdio transport with strict, faulty, slow and disconnecting clients. @module */
import assert from "node:assert/strict";
import { BINARY, runBinary, Sandbox, TEST_BINARY } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { treeName } from "../support/process_tree.ts";
import { processesOf, residentBytes } from "../support/processes.ts";
import { StdioPeer, textOf } from "../support/stdio_peer.ts";
import { LEVEL, needing } from "../support/needs.ts";

const MIB = 1024 * 1024;

Deno.test("a strict reader gets nothing but the answer to what it asked", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  await using peer = await StdioPeer.open(sandbox);
  await peer.request("tools/list");
  await peer.request("resources/list");
  await peer.request("prompts/list");
  assert.match(await peer.call("linux_fs_read", { path: "a.txt" }), /hello/);
  assert.match(await peer.call("run_cmd", { command: "python3 -c 'print(6 * 7)'" }), /42/);
  assert.match(await peer.call("linux_fs_write", { path: "b.txt", content: "x" }), /b\.txt/);
  await peer.request("ping");
});

Deno.test("a client that never reads the log is served on, when the log fills the pipe too", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  await using peer = await StdioPeer.open(sandbox, { ignoresErrors: true });
  for (let index = 0; index < 1_500; index++) {
    assert.match(await peer.call("linux_fs_read", { path: "a.txt" }), /hello/);
  }
});

Deno.test("a client that discovers first may still shake hands, as older ones do", async () => {
  await using sandbox = await Sandbox.make();
  await using peer = StdioPeer.start(sandbox);
  const discovered = await peer.request("server/discover", { _meta: ENVELOPE });
  assert.match(JSON.stringify(discovered.result), /2026-07-28/);
  const opened = await peer.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "both", version: "1" },
  });
  assert.match(JSON.stringify(opened.result), /"protocolVersion":"2025-11-25"/);
  await peer.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  assert.match(JSON.stringify((await peer.request("tools/list")).result), /linux_fs_read/);
});

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
};

Deno.test("the newer protocol shows title and icon at discovery, and a result of a tool names the server only", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  await using peer = StdioPeer.start(sandbox);
  const identity = "io.modelcontextprotocol/serverInfo";
  const discovered = await peer.request("server/discover", { _meta: ENVELOPE });
  assert.ok(Object(discovered.result)._meta[identity].icons.length > 0);
  const call = { name: "linux_fs_read", arguments: { path: "a.txt" }, _meta: ENVELOPE };
  const { result } = await peer.request("tools/call", call);
  assert.deepEqual(Object.keys(Object(result)._meta[identity]), ["name", "version"]);
  assert.match(JSON.stringify(result), /hello/);
});

Deno.test("every older revision is answered in its own version", async (t) => {
  await using sandbox = await Sandbox.make();
  for (const protocolVersion of ["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
    await t.step(protocolVersion, async () => {
      await using peer = StdioPeer.start(sandbox);
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: "old", version: "1" } };
      const { result } = await peer.request("initialize", params);
      assert.equal(Object(result).protocolVersion, protocolVersion);
      await peer.send({ jsonrpc: "2.0", method: "notifications/initialized" });
      assert.ok(Object((await peer.request("tools/list")).result).tools.length > 0);
    });
  }
});

Deno.test("what is piped in is answered although the input ends at once", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  const messages = [
    {
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "p", version: "1" } },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "linux_fs_read", arguments: { path: "a.txt" } } },
  ];
  const stdin = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const { code, stdout } = await runBinary(["stdio", "--root", sandbox.root], { env: sandbox.env, stdin });
  assert.equal(code, 0);
  assert.match(stdout, /"text":"hello"/);
});

Deno.test("a wrong line is answered, and the next one is as good as ever", async () => {
  await using sandbox = await Sandbox.make();
  await using peer = await StdioPeer.open(sandbox);
  const cases: [string, number, unknown][] = [
    ["not json", -32700, null],
    ['{"jsonrpc":"2.0","id":7', -32700, null],
    ['{"jsonrpc":"2.0","id":8,"method":9}', -32600, 8],
    ['{"id":9,"method":"ping"}', -32600, 9],
    ["42", -32600, null],
  ];
  for (const [line, code, id] of cases) {
    await peer.send(line);
    const frame = await peer.next();
    assert.deepEqual([Object(frame.error).code, frame.id], [code, id], line);
  }
  await peer.send("");
  await peer.send('[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]');
  assert.deepEqual([(await peer.next()).id, (await peer.next()).id].sort(), ["a", "b"]);
  await peer.request("ping");
});

Deno.test("a request just under 10 MiB is taken, a larger one is refused by name, and the server goes on", async () => {
  await using sandbox = await Sandbox.make();
  await using peer = await StdioPeer.open(sandbox);
  const content = "x".repeat(10 * MIB - 1_000);
  assert.match(await peer.call("linux_fs_write", { path: "big.txt", content }), /big\.txt/);
  assert.equal((await Deno.stat(`${sandbox.root}/big.txt`)).size, content.length);
  const refused = await peer.request("tools/call", {
    name: "linux_fs_write",
    arguments: { path: "bigger.txt", content: "y".repeat(11 * MIB) },
  });
  assert.equal(Object(refused.error).code, -32600);
  assert.match(Object(refused.error).message, /11\.0 MiB; at most 10\.0 MiB/);
  await assert.rejects(Deno.stat(`${sandbox.root}/bigger.txt`));
  await peer.request("ping");
});

Deno.test("a client that never reads costs bounded memory, and gets everything when it reads", async () => {
  const line = `${"word ".repeat(18)}\n`;
  await using sandbox = await Sandbox.make({ "long.txt": line.repeat(2_000) });
  await using peer = await StdioPeer.open(sandbox, { args: ["--set", "mcp.tools.result_tokens=200000"] });
  const before = await residentBytes(peer.pid);
  const calls = 400;
  let sent = 0;
  const sending = (async () => {
    for (; sent < calls; sent++) {
      await peer.ask("tools/call", { name: "linux_fs_read", arguments: { path: "long.txt", max_lines: 2_000 } });
    }
  })();
  await settles(async () => `${sent} ${await processorTicks(peer.pid)}`);
  const grown = await residentBytes(peer.pid) - before;
  assert.ok(grown < 80 * MIB, `${Math.round(grown / MIB)} MiB more after ${sent} requests`);
  for (let answered = 0; answered < calls;) if ("id" in await peer.next()) answered++;
  await sending;
});

Deno.test("a client that does not read short answers holds nothing up, and gets all of them in order", async () => {
  await using sandbox = await Sandbox.make();
  await using peer = await StdioPeer.open(sandbox);
  const pings = 1_000; // some 900 KiB of answers, and a pipe holds 64
  for (let number = 0; number < pings; number++) {
    await peer.send({ jsonrpc: "2.0", id: `${number} ${"x".repeat(900)}`, method: "ping" });
  }
  const id = await peer.ask("tools/call", { name: "linux_fs_write", arguments: { path: "a.txt", content: "done\n" } });
  await eventually(async () => assert.equal(await Deno.readTextFile(`${sandbox.root}/a.txt`), "done\n"));
  for (let number = 0; number < pings; number++) {
    assert.match(String((await peer.next()).id), new RegExp(`^${number} x`));
  }
  assert.equal((await peer.next()).id, id);
});

/** Resolves when a value has stayed the same for half a second. */
async function settles(look: () => Promise<string>): Promise<void> {
  let last = "";
  for (let same = 0; same < 5;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = await look();
    same = now === last ? same + 1 : 0;
    last = now;
  }
}

async function processorTicks(pid: number): Promise<string> {
  const fields = (await Deno.readTextFile(`/proc/${pid}/stat`)).split(") ")[1]?.split(" ");
  return fields?.slice(11, 13).join(" ") ?? "";
}

const ENDINGS: readonly [string, (peer: StdioPeer) => void | Promise<void>][] = [
  ["the end of input", (peer) => peer.closeInput()],
  ["SIGTERM", (peer) => peer.kill("SIGTERM")],
  ["SIGINT", (peer) => peer.kill("SIGINT")],
];

for (const [name, end] of ENDINGS) {
  Deno.test(`${name} with calls under way ends the process, and all that it started`, () => endOne(end));
}

/** Ends a server while it does a few things. */
async function endOne(end: (peer: StdioPeer) => void | Promise<void>): Promise<void> {
  const mark = treeName(), sleep = `python3 -c 'import time; time.sleep(4711)' ${mark}`;
  const sleeping = new RegExp(`^\\S*python3 -c import time; time\\.sleep\\(4711\\) ${mark}$`);
  await using sandbox = await Sandbox.make();
  await using peer = await StdioPeer.open(sandbox);
  await peer.call("linux_proc_start", { command: sleep });
  await peer.ask("tools/call", { name: "run_cmd", arguments: { command: `${sleep} & ${sleep}` } });
  await peer.ask("tools/call", { name: "run_cmd", arguments: { command: sleep } });
  await eventually(async () => assert.equal((await processesOf(sleeping, peer.pid)).length, 4));
  await end(peer);
  assert.equal((await peer.status).code, 0);
  await eventually(async () => assert.deepEqual(await processesOf(sleeping), []));
}

Deno.test("twenty starts and ends leave no process and no file behind", async () => {
  await using sandbox = await Sandbox.make();
  const run = async () => {
    const peer = await StdioPeer.open(sandbox);
    await peer.call("run_cmd", { command: "echo hi" });
    await peer[Symbol.asyncDispose]();
    assert.equal((await peer.status).code, 0);
  };
  for (let round = 0; round < 10; round++) await Promise.all([run(), run()]);
  assert.deepEqual(await processesOf(new RegExp(`^${BINARY} stdio --root ${sandbox.root}`)), []);
  assert.deepEqual(await Array.fromAsync(Deno.readDir(`${sandbox.dir}/run`), ({ name }) => name), []);
  assert.deepEqual(await Array.fromAsync(Deno.readDir(sandbox.root), ({ name }) => name), []);
});

for (const level of ["full", "landlock"] as const) {
  Deno.test(needing(`no child can write to the server's standard output (${level})`, ...LEVEL[level]), async () => {
    await using sandbox = await Sandbox.make();
    await using peer = await StdioPeer.open(sandbox, { binary: TEST_BINARY, env: { LLMC_TEST_LEVEL: level } });
    const attempts = [
      "bash -c 'echo INJECTED > /proc/$PPID/fd/1'",
      `bash -c 'echo INJECTED > /proc/${peer.pid}/fd/1'`,
      "bash -c 'for fd in 3 4 5 6 7 8 9 10 11 12; do echo INJECTED >&$fd; done'",
      `python3 -c "import os
for pid in [p for p in os.listdir('/proc') if p.isdigit()] + ['${peer.pid}']:
    for fd in range(20):
        try: open(f'/proc/{pid}/fd/{fd}', 'w').write('INJECTED')
        except OSError: pass"`,
      "bash -c 'exec 1>/dev/tty; echo INJECTED'",
    ];
    for (const command of attempts) {
      // The reader is strict: a frame that is not the answer fails it.
      const frame = await peer.request("tools/call", { name: "run_cmd", arguments: { command } });
      assert.ok(textOf(frame).length > 0, command);
    }
    await peer.request("ping");
  });
}
