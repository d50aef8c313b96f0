/**
 * With `network = list` programs reach listed names only: tries every bypass against servers of this machine.
 * @module
 */
import assert from "node:assert/strict";
import { Sandbox, TEST_BINARY } from "../support/binary.ts";
import { BUBBLEWRAP, needing, program } from "../support/needs.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

const LISTED = "WORDS OF THE LISTED SERVER", OTHER = "WORDS OF THE OTHER SERVER";
const SCRIPT = await Deno.readTextFile(new URL("./network_attempts.py", import.meta.url));

/** One way that must not lead to the other server. */
interface Attempt {
  readonly way: string;
  readonly [argument: string]: string | number;
}

/** A server that says its words, and what it was asked. */
function serve(words: string): { readonly port: number; readonly asked: string[]; stop(): Promise<void> } {
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    asked.push(`${request.method} ${request.url} ${await request.text()}`);
    return new Response(`${words}\n`);
  });
  return { port: server.addr.port, asked, stop: () => server.shutdown() };
}

const get = (url: string, more = ""): Attempt => ({
  way: "ask",
  raw: `GET ${url} HTTP/1.1\r\nHost: localhost\r\n${more}Connection: close\r\n\r\n`,
});
const connect = (target: string): Attempt => ({ way: "tunnel", target, inner: "GET / HTTP/1.0\r\n\r\n" });

/** Ways to a server at a port that is not listed; the listed one is at another port of localhost. */
function waysAround(port: number, listed: number): readonly Attempt[] {
  const names = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "127.0.0.1.",
    "0.0.0.0",
    "0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "sub.localhost",
    "localhost.localdomain",
    "127.0.0.1.nip.io",
    "localhost%00.example.org",
    "localhost#",
    "localhost\\@example.org",
    "ⓛocalhost",
    "xn--localhost",
  ]; // deno-fmt-ignore
  const raw = (text: string): Attempt => ({ way: "ask", raw: text });
  const ok = `http://localhost:${listed}/`, end = "Connection: close\r\n\r\n";
  return [
    ...names.map((name) => get(`http://${name}:${port}/`)),
    ...names.slice(0, 17).map((name) => connect(`${name}:${port}`)),
    // A listed name in another place of the request.
    get(`http://localhost:${listed}@127.0.0.1:${port}/`),
    get(`http://127.0.0.1:${port}#@localhost:${listed}/`),
    get(`http://127.0.0.1:${port}?@localhost:${listed}/`),
    get(`http://localhost:${listed}:${port}/`),
    get(`http://localhost:${listed}\t127.0.0.1:${port}/`),
    get(`//127.0.0.1:${port}/`),
    get(`/`, `X-Forwarded-Host: 127.0.0.1:${port}\r\n`),
    get(`https://localhost:${port}/`),
    get(`ftp://localhost:${port}/`),
    get(`file:///etc/passwd`),
    connect(`localhost:${listed}@127.0.0.1:${port}`),
    connect(`localhost:0${port}`),
    connect(`localhost:${port + 65_536}`),
    connect(`localhost`),
    connect(`http://localhost:${port}/`),
    // Two requests in one, of which two readers would take different ones.
    raw(
      `GET ${ok} HTTP/1.1\r\nHost: localhost\r\n\r\nGET http://localhost:${port}/ HTTP/1.1\r\nHost: localhost\r\n${end}`,
    ),
    raw(`POST ${ok} HTTP/1.1\r\nContent-Length: 0\r\n\r\nGET http://localhost:${port}/ HTTP/1.1\r\n${end}`),
    raw(
      `POST ${ok} HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 50\r\n\r\nGET http://localhost:${port}/ HTTP/1.1\r\n${end}`,
    ),
    raw(
      `POST ${ok} HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\nGET http://localhost:${port}/ HTTP/1.1\r\n${end}`,
    ),
    raw(`GET ${ok}\nHost: 127.0.0.1:${port}\n\n HTTP/1.1\r\n${end}`),
    raw(`GET http://localhost:${port}/ HTTP/0.9\r\n\r\n`),
    raw(`GET http://localhost:${port}/\r\n\r\n`),
    raw(`GET ${ok} HTTP/1.1\r\nHost : 127.0.0.1:${port}\r\n${end}`),
    raw(`GET ${ok} HTTP/1.1\r\nHost: a\r\n folded: 127.0.0.1:${port}\r\n${end}`),
    raw(`CONNECT localhost:${port} HTTP/1.1\r\nHost: localhost:${listed}\r\n\r\nGET / HTTP/1.0\r\n\r\n`),
    raw(
      `CONNECT localhost:${listed} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\nCONNECT localhost:${port} HTTP/1.1\r\n\r\n`,
    ),
    raw(`\x05\x01\x00\x05\x01\x00\x01\x7f\x00\x00\x01${String.fromCharCode(port >> 8, port & 255)}`),
    raw(`\x04\x01${String.fromCharCode(port >> 8, port & 255)}\x7f\x00\x00\x01\x00`),
    raw("A".repeat(40_000)),
    // Past the proxy.
    ...["127.0.0.1", "127.0.0.2", "0.0.0.0", "localhost"].map((host) => ({ way: "tcp", host, port })),
    ...["udp", "mptcp", "fast_open", "raw"].map((way) => ({ way, host: "127.0.0.1", port })),
    ...["::1", "::ffff:127.0.0.1", "fe80::1"].map((host) => ({ way: "tcp6", host, port })),
    { way: "udp6", host: "::1", port },
    { way: "udp", host: "192.0.2.1", port: 53 },
    { way: "tcp", host: "192.0.2.1", port: 443 },
    { way: "packet" },
    { way: "vsock" },
    { way: "abstract", name: `llmc-attack-${port}` },
    { way: "name", host: "example.invalid" },
    { way: "setns", pid: 1 },
    { way: "setns", pid: "self" },
  ];
}

const needs = (name: string) => needing(name, BUBBLEWRAP, program("python3"));

Deno.test(needs("network = list keeps programs from what is not listed, in more than 60 ways"), async () => {
  await using sandbox = await Sandbox.make({ "try.py": SCRIPT });
  const listed = serve(LISTED), other = serve(OTHER);
  const abstract = Deno.listen({ transport: "unix", path: `\0llmc-attack-${other.port}` });
  try {
    const args = ["mcp.tools.network=list", `mcp.tools.network_allow=["private:localhost:${listed.port}"]`];
    await using peer = await StdioPeer.open(sandbox, { args: args.flatMap((each) => ["--set", each]) });
    const attempts = waysAround(other.port, listed.port);
    assert.ok(attempts.length >= 60, `${attempts.length} ways`);
    const answer = await peer.call("run_cmd", {
      argv: ["sh", "-c", "python3 try.py > answers"],
      stdin: JSON.stringify(attempts),
      timeout_sec: 300,
    });
    const answers = (await Deno.readTextFile(`${sandbox.root}/answers`)).trimEnd().split("\n");
    assert.equal(answers.length, attempts.length, answer);
    for (const [at, said] of answers.entries()) {
      assert.ok(!said.includes(OTHER), `${JSON.stringify(attempts[at])}: ${said}`);
    }
    assert.deepEqual(other.asked, []);
    assert.match(answer, /\[network: refused \d+ more places\]/);
    const one = { argv: ["python3", "try.py"], stdin: JSON.stringify([get(`http://localhost:${other.port}/`)]) };
    assert.match(
      await peer.call("run_cmd", one),
      new RegExp(`\\[network: refused localhost:${other.port}: mcp.tools.network_allow does not list it\\]`),
    );
  } finally {
    abstract.close();
    await Promise.all([listed.stop(), other.stop()]);
  }
});

Deno.test(
  needs("network = list lets programs reach what is listed, plainly, through a tunnel, and each other"),
  async () => {
    await using sandbox = await Sandbox.make({ "try.py": SCRIPT, "page.txt": "FROM THE NEIGHBOUR\n" });
    const listed = serve(LISTED);
    try {
      const args = ["mcp.tools.network=list", `mcp.tools.network_allow=["private:localhost:${listed.port}"]`];
      await using peer = await StdioPeer.open(sandbox, { args: args.flatMap((each) => ["--set", each]) });
      const attempts = [get(`http://localhost:${listed.port}/a?b=c`), connect(`localhost:${listed.port}`)];
      const both = await peer.call("run_cmd", { argv: ["python3", "try.py"], stdin: JSON.stringify(attempts) });
      assert.equal(both.split(LISTED).length, 3, both);
      const opened =
        `python3 -c "import urllib.request as u; print(u.urlopen(u.Request('http://localhost:${listed.port}/x', ` +
        `data=b'body of it'), timeout=9).read().decode())"`;
      const posted = await peer.call("run_cmd", { command: `env -u no_proxy -u NO_PROXY ${opened}` });
      assert.match(posted, new RegExp(LISTED));
      assert.ok(listed.asked.some((line) => line.endsWith("/x body of it")), listed.asked.join());
      await peer.call("linux_proc_start", { command: "python3 -m http.server 8123", port: 8123 });
      const read =
        `python3 -c "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8123/page.txt').read().decode())"`;
      assert.match(await peer.call("run_cmd", { command: read }), /FROM THE NEIGHBOUR/);
    } finally {
      await listed.stop();
    }
  },
);

Deno.test("network = list refuses programs where it cannot be held, and says so", async () => {
  await using sandbox = await Sandbox.make();
  const args = ["--set", "mcp.tools.network=list"];
  for (const level of ["landlock", "none"]) {
    await using peer = await StdioPeer.open(sandbox, { args, binary: TEST_BINARY, env: { LLMC_TEST_LEVEL: level } });
    const answer = await peer.call("run_cmd", { command: "echo hi" });
    assert.match(answer, /SANDBOX_UNAVAILABLE: mcp\.tools\.network = list cannot be held/, level);
  }
});
