/** Long and background programs through the executable: waiting for them, their end, and how it is reported. @module */
import assert from "node:assert/strict";
import { estimateTokens } from "../../src/core/tokens.ts";
import { Sandbox, TEST_BINARY } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { BUBBLEWRAP, needing } from "../support/needs.ts";
import { type Frame, StdioPeer, textOf } from "../support/stdio_peer.ts";

/** Commands go on as processes after a second. */
const SHORT = ["--set", "mcp.tools.exec_timeout=1"];
const PASSES = 400;

/** A pytest run that has shown most of its tests, and ends when the file `go` appears. */
const RUN_TESTS = `
import os, sys, time
print("============================= test session starts ==============================")
print("platform linux -- Python 3.11.2, pytest-7.2.1, pluggy-1.0.0")
print("collected ${PASSES + 1} items\\n", flush=True)
for i in range(${PASSES}):
    print(f"tests/test_price.py::test_gross_grows[{i}] PASSED [{i * 100 // ${PASSES}:3d}%]", flush=True)
while not os.path.exists("go"):
    time.sleep(0.01)
print("tests/test_price.py::test_net FAILED [100%]\\n")
print("=================================== FAILURES ===================================")
print("___________________________________ test_net ___________________________________\\n")
print("    def test_net():")
print(">       assert net(119) == 100")
print("E       assert 99 == 100\\n")
print("tests/test_price.py:12: AssertionError")
print("=========================== short test summary info ============================")
print("FAILED tests/test_price.py::test_net - assert 99 == 100")
print("======================== 1 failed, ${PASSES} passed in 90.04s =========================")
sys.exit(1)
`;
const FILES = { "pytest.py": RUN_TESTS };
/** As a project calls its runner. */
const COMMAND = "python3 pytest.py";

/** A peer at each level. */
function eachLevel(
  name: string,
  args: readonly string[],
  body: (peer: StdioPeer, sandbox: Sandbox) => Promise<void>,
): void {
  for (const level of ["full", "landlock"]) {
    Deno.test(`${level}: ${name}`, async () => {
      await using sandbox = await Sandbox.make(FILES);
      const env = level === "full" ? {} : { LLMC_TEST_LEVEL: level };
      await using peer = await StdioPeer.open(sandbox, { args, binary: TEST_BINARY, env });
      await body(peer, sandbox);
    });
  }
}

const idOf = (text: string): string => text.match(/P_\w+/)?.[0] ?? assert.fail(text);

function isDigest(text: string): void {
  assert.match(text, /1 failed, 400 passed/);
  assert.match(text, /assert 99 == 100/);
  assert.match(text, /not listed: 400 passed tests/);
  assert.doesNotMatch(text, /PASSED/);
  assert.ok(estimateTokens(text) <= 400, `${estimateTokens(text)} tokens: ${text}`);
}

eachLevel(
  "a command that outlives its wait shows its last lines, and its end the digest of all",
  SHORT,
  async (peer, sandbox) => {
    const running = await peer.call("run_cmd", { command: COMMAND });
    const lines = running.trim().split("\n");
    assert.match(running, /^\[… 384 of 404 lines left out\]\n/);
    assert.equal(lines.length, 22, running);
    assert.match(lines.at(-1) ?? "", /^\[still running after 1(\.\d)? s · go on with linux_proc_read P_\w+\]$/);
    assert.ok(estimateTokens(running) <= 700, `${estimateTokens(running)} tokens`);
    const proc_id = idOf(running);
    assert.match(await peer.call("linux_proc_read", { proc_id, timeout_ms: 0 }), /running, no new output/);
    await sandbox.write("go", "");
    const end = await peer.call("linux_proc_read", { proc_id, wait_for_exit: true });
    isDigest(end);
    assert.match(end, new RegExp(`\\[exited 1 · all: linux_proc_read ${proc_id} offset 0\\]$`));
    assert.match(
      await peer.call("linux_proc_read", { proc_id, offset: -2 }),
      /^FAILED tests.*\n=+ 1 failed, 400.*\n\[exited 1\]$/,
    );
    assert.match(await peer.call("linux_proc_read", { proc_id, offset: 0 }), /^=+ test session starts =+\n/);
  },
);

eachLevel("a started process ends with the same digest as a command", [], async (peer, sandbox) => {
  const proc_id = idOf(await peer.call("linux_proc_start", { command: COMMAND, wait_ms: 0 }));
  await sandbox.write("go", "");
  isDigest(await peer.call("linux_proc_read", { proc_id, wait_for_exit: true }));
});

Deno.test("a command is waited for past its default time while the client listens to its progress", async () => {
  await using sandbox = await Sandbox.make(FILES);
  await using peer = await StdioPeer.open(sandbox, { binary: TEST_BINARY, args: SHORT });
  const call = { name: "run_cmd", arguments: { command: COMMAND, timeout: 90 }, _meta: { progressToken: 1 } };
  const id = await peer.ask("tools/call", call);
  const isProgress = (frame: Frame) => frame.method === "notifications/progress";
  for (let signs = 0; signs < 2; signs++) await peer.until((frame) => frame.id === id || isProgress(frame));
  await sandbox.write("go", "");
  const answer = textOf(await peer.until((frame) => frame.id === id));
  isDigest(answer);
  assert.match(answer, /\[exit 1 · all: linux_handle_read H_/);
});

eachLevel("the end of a process is told once, with the next result of its session", SHORT, async (peer, sandbox) => {
  const [told, seen] = [
    idOf(await peer.call("run_cmd", { command: COMMAND })),
    idOf(await peer.call("linux_proc_start", { command: COMMAND, wait_ms: 0 })),
  ];
  const uri = `llmc://process/${told}`;
  await peer.request("resources/subscribe", { uri });
  await sandbox.write("go", "");
  await peer.until(({ method, params }) => method === "notifications/resources/updated" && Object(params).uri === uri);
  await eventually(async () => {
    const { result } = await peer.request("resources/read", { uri });
    assert.match(JSON.stringify(result), /exit code 1/);
  });
  const notes = async () =>
    (await peer.call("linux_fs_stat", { path: "pytest.py" })).split("\n").join(" ").match(
      /python3 exited 1: linux_proc_read P_\w+/g,
    );
  const first = await notes();
  assert.deepEqual(first?.filter((note) => note.includes(told)), [`python3 exited 1: linux_proc_read ${told}`]);
  assert.ok(estimateTokens(`[${first?.[0]}]`) <= 25, first?.[0]);
  await peer.call("linux_proc_read", { proc_id: seen, wait_for_exit: true });
  assert.equal(await notes(), null, "what was told or seen is not told again");
});

const SERVER = `
import http.server, os, sys, time
print("compiling", flush=True)
while not os.path.exists("go"):
    time.sleep(0.01)
server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), http.server.SimpleHTTPRequestHandler)
print("\\n".join(f"route {i}" for i in range(50)))
print(f"ready on http://localhost:{server.server_port}/", flush=True)
server.serve_forever()
`;

eachLevel("starting waits for a pattern, and answers with the matching line", [], async (peer, sandbox) => {
  await sandbox.write("server.py", SERVER);
  const id = await peer.ask("tools/call", {
    name: "linux_proc_start",
    arguments: { command: "python3 server.py 0", wait_for: "ready on (http\\\\S+)|route 3$" },
  });
  await sandbox.write("go", "");
  const answer = textOf(await peer.until((frame) => frame.id === id));
  assert.match(answer, /^\[P_\w+ running, pid \d+ · matched: route 3 · all: linux_proc_read P_\w+ offset 0\]\n/);
  assert.match(answer, /route 49\nready on http:\/\/localhost:\d+\/$/);
  assert.ok(answer.split("\n").length <= 22, answer);
});

async function waitsForPort(peer: StdioPeer, sandbox: Sandbox): Promise<void> {
  await sandbox.write("server.py", SERVER);
  const port = freePort();
  // A port on which another program listens is not the one that is waited for.
  using taken = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const other = await peer.call("linux_proc_start", { command: "cat", port: taken.addr.port, wait_ms: 300 });
  assert.match(other, /it does not listen on the port/);
  const start = { command: `python3 server.py ${port}`, port };
  const id = await peer.ask("tools/call", { name: "linux_proc_start", arguments: start });
  await sandbox.write("go", "");
  const answer = textOf(await peer.until((frame) => frame.id === id));
  assert.match(answer, new RegExp(`running, pid \\d+ · port ${port} is open`));
  for (const ports of [[port], []]) {
    const stopped = JSON.parse(await peer.call("linux_proc_stop", { proc_id: idOf(answer) }));
    assert.deepEqual([stopped.state, stopped.command, stopped.ports], ["exited", start.command, ports]);
  }
}

eachLevel("starting waits for a port", [], waitsForPort);

const ownNetwork = needing("starting waits for a port that is open in the sandbox's own network only", BUBBLEWRAP);
Deno.test(ownNetwork, async () => {
  await using sandbox = await Sandbox.make(FILES);
  const args = ["--set", "mcp.tools.allow_outbound_network=false"];
  await using peer = await StdioPeer.open(sandbox, { args, binary: TEST_BINARY });
  await waitsForPort(peer, sandbox);
});

/** What `npm run dev` prints, with a warning above a long list. */
const DEVELOPMENT_SERVER = `
print("""
> shop@1.0.0 dev
> vite

(!) warning: 'postcss.config.js' was ignored
""")
print("\\n".join(f"optimized dependency {i}" for i in range(30)))
print("""
  VITE v6.0.1  ready in 312 ms

  ➜  Local:   http://localhost:5173/
  ➜  Network: use --host to expose
  ➜  press h + enter to show help
""", flush=True)
input()
`;

eachLevel("a server that is ready is shown without the banners of its tools", [], async (peer, sandbox) => {
  await sandbox.write("dev.py", DEVELOPMENT_SERVER);
  const answer = await peer.call("linux_proc_start", { command: "python3 dev.py", wait_for: "Local:" });
  assert.deepEqual(answer.split("\n").slice(1), [
    "[… 30 of 37 lines left out]",
    "(!) warning: 'postcss.config.js' was ignored",
    "optimized dependency 26",
    "optimized dependency 27",
    "optimized dependency 28",
    "optimized dependency 29",
    "  VITE v6.0.1  ready in 312 ms",
    "  ➜  Local:   http://localhost:5173/",
  ]);
  const all = await peer.call("linux_proc_read", { proc_id: idOf(answer), offset: 0 });
  assert.match(all, /> vite\n[^]*press h \+ enter/);
});

eachLevel("a process that ends before what is waited for answers at once", [], async (peer) => {
  const answer = await peer.call("linux_proc_start", {
    command: "echo no luck; exit 3",
    wait_for: "ready",
    port: 65_000,
  });
  assert.match(answer, /^\[P_\w+ exited, pid \d+\]\nno luck\n\[exited 3 · wait_for has not matched/);
  assert.match(await peer.call("linux_proc_start", { command: "cat", wait_for: "(" }), /INVALID_ARGUMENT/);
});

eachLevel("what a call leaves in the background is counted and named", [], async (peer) => {
  const one = await peer.call("run_cmd", { command: "sleep 30 & echo started" });
  assert.match(one, /^started\n\[stderr\]\n\[1 background process ended with the call: sleep; use linux_proc_start\]$/);
  const quiet = await peer.call("run_cmd", { command: "(sleep 30 & sleep 30 &) >/dev/null 2>&1; echo started" });
  assert.match(quiet, /\[2 background processes ended with the call: sleep, sleep; use linux_proc_start\]/);
});

/** A port that was free a moment ago. */
function freePort(): number {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return listener.addr.port;
}
