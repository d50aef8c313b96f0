/** A program that tries every system call that the filter of children refuses, at each level that has one. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, TEST_BINARY } from "../support/binary.ts";
import { LEVEL, needing } from "../support/needs.ts";

const PROGRAM = await Deno.readTextFile(new URL("./system_calls.py", import.meta.url));
const REFUSED = [1, 38]; // EPERM, ENOSYS

/** Runs a Python program as a child of the server. */
async function python(sandbox: Sandbox, level: string, file: string, ...settings: readonly string[]) {
  const args = ["tool", "run_cmd", `argv=${JSON.stringify(["python3", file])}`, "--json", "--root", sandbox.root];
  const { stdout, stderr } = await runBinary([...args, ...settings.flatMap((setting) => ["--set", setting])], {
    env: { ...sandbox.env, LLMC_TEST_LEVEL: level },
    binary: TEST_BINARY,
  });
  const answer = JSON.parse(stdout);
  assert.equal(typeof answer.stdout, "string", stdout + stderr);
  return { text: `${answer.stdout}`, errors: `${answer.stderr}` };
}

function linesOf(text: string): Map<string, number> {
  return new Map(text.trim().split("\n").map((line) => [line.replace(/ \d+$/, ""), Number(line.match(/\d+$/)?.[0])]));
}

for (const level of ["full", "landlock", "bwrap"] as const) {
  Deno.test(
    needing(`no system call that a child should not make goes through at level ${level}`, ...LEVEL[level]),
    async () => {
      await using sandbox = await Sandbox.make({ "calls.py": PROGRAM });
      const { text, errors } = await python(sandbox, level, "calls.py");
      const [tried = "", controls = ""] = text.split("-\n");
      const through = [...linesOf(tried)].filter(([, code]) => !REFUSED.includes(code));
      assert.deepEqual(through, []);
      assert.ok(linesOf(tried).size > 40, text + errors);
      assert.deepEqual([...linesOf(controls)], [["thread", 0], ["subprocess", 0], ["socketpair", 0], ["chmod", 0]]);
    },
  );
}

Deno.test(needing("allow_user_namespaces lets a program make a namespace of its own", ...LEVEL.full), async () => {
  const source = "import ctypes\nprint('unshare', ctypes.CDLL(None).unshare(0x10000000))";
  await using sandbox = await Sandbox.make({ "unshare.py": source });
  assert.equal((await python(sandbox, "full", "unshare.py")).text, "unshare -1\n");
  const allowed = await python(sandbox, "full", "unshare.py", "mcp.tools.allow_user_namespaces=true");
  assert.equal(allowed.text, "unshare 0\n", allowed.errors);
});

const SOCKETS = `
import socket
def attempt(name, *kind, to=None):
    try:
        with socket.socket(*kind) as made:
            if to is not None: made.settimeout(2); made.connect(to)
            print(name, "open")
    except OSError as error:
        print(name, "refused")
NAME = open("name.txt").read().strip()
attempt("abstract stream", socket.AF_UNIX, socket.SOCK_STREAM, to="\\0" + NAME)
attempt("abstract datagram", socket.AF_UNIX, socket.SOCK_DGRAM, to="\\0" + NAME + "-datagram")
attempt("path", socket.AF_UNIX, socket.SOCK_STREAM, to=open("path.txt").read().strip())
attempt("tcp", socket.AF_INET, socket.SOCK_STREAM)
attempt("udp", socket.AF_INET, socket.SOCK_DGRAM)
attempt("tcp6", socket.AF_INET6, socket.SOCK_STREAM)
attempt("mptcp", socket.AF_INET, socket.SOCK_STREAM, 262)
attempt("vsock", 40, socket.SOCK_STREAM)
attempt("packet", 17, socket.SOCK_RAW)
attempt("smc", 43, socket.SOCK_STREAM)
`;
const LISTENER = `
import socket, sys
stream, datagram, path = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), socket.socket(socket.AF_UNIX)
stream.bind("\\0" + sys.argv[1]); stream.listen()
datagram.bind("\\0" + sys.argv[1] + "-datagram")
path.bind(sys.argv[2]); path.listen()
print("ready", flush=True)
sys.stdin.read()
`;

/** A program outside that listens on unix sockets, as an X server, a message bus or docker does. */
async function startListener(name: string, path: string) {
  const child = new Deno.Command("python3", {
    args: ["-c", LISTENER, name, path],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  return {
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await reader.cancel();
      await child.status;
    },
  };
}

const NETWORK_OFF = "mcp.tools.allow_outbound_network=false";
for (const level of ["full", "landlock", "bwrap"] as const) {
  Deno.test(
    needing(`a child reaches no unix socket of another program at level ${level}`, ...LEVEL[level]),
    async () => {
      await using sandbox = await Sandbox.make({ "sockets.py": SOCKETS });
      const name = `llmc-${crypto.randomUUID()}`, path = `${sandbox.dir}/listens`;
      await sandbox.write("name.txt", name);
      await sandbox.write("path.txt", path);
      await using _listener = await startListener(name, path);
      for (const settings of [[], [NETWORK_OFF]]) {
        const { text, errors } = await python(sandbox, level, "sockets.py", ...settings);
        for (const kind of ["abstract stream", "abstract datagram", "path"]) {
          assert.match(text, new RegExp(`^${kind} refused$`, "m"), text + errors);
        }
      }
    },
  );

  Deno.test(
    needing(`without a network a child has no socket that leaves the sandbox at level ${level}`, ...LEVEL[level]),
    async () => {
      await using sandbox = await Sandbox.make({ "sockets.py": SOCKETS, "name.txt": "none", "path.txt": "/none" });
      const { text, errors } = await python(sandbox, level, "sockets.py", NETWORK_OFF);
      const own = level === "landlock" ? "refused" : "open"; // in a network namespace of its own they lead nowhere
      for (const kind of ["tcp", "udp", "tcp6"]) assert.match(text, new RegExp(`^${kind} ${own}$`, "m"), text + errors);
      for (const kind of ["vsock", "packet", "smc"]) assert.match(text, new RegExp(`^${kind} refused$`, "m"), text);
      if (level === "landlock") assert.match(text, /^mptcp refused$/m);
    },
  );
}

Deno.test(needing("allow_host_sockets opens abstract sockets again", ...LEVEL.full), async () => {
  await using sandbox = await Sandbox.make({ "sockets.py": SOCKETS });
  const name = `llmc-${crypto.randomUUID()}`;
  await sandbox.write("name.txt", name);
  await sandbox.write("path.txt", "/none");
  await using _listener = await startListener(name, `${sandbox.dir}/listens`);
  const { text } = await python(sandbox, "full", "sockets.py", "mcp.tools.allow_host_sockets=true");
  assert.match(text, /^abstract stream open$/m);
});
