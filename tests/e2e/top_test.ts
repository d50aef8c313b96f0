import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { BINARY, type HttpServer, runBinary, Sandbox, startHttp } from "../support/binary.ts";
import { callTool } from "../support/call_tool.ts";
import { makeCertificate, tlsOptions } from "../support/certificate.ts";
import { unlessTaken } from "../support/taken_port.ts";

const LINE_START = new RegExp("\x1b\\[\\d+;1H");
/** Green where it is full. */
const LEVEL_COLOR = new RegExp("\x1b\\[3[1-3]m");

/** A program at a terminal of its own. */
class AtTerminal implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<void>;
  #output = "";
  #waiting: (() => void)[] = [];

  constructor(args: readonly string[], env: Record<string, string>) {
    const command = ["stty rows 24 cols 100", "tty", `exec ${[BINARY, ...args].join(" ")}`].join("; ");
    this.#child = new Deno.Command("script", {
      args: ["-qefc", command, "/dev/null"],
      clearEnv: true,
      env,
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.#reading = this.#read();
  }

  async #read(): Promise<void> {
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      this.#output += text;
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  /** Everything that was written so far. */
  get output(): string {
    return this.#output;
  }

  /** The last whole screen, without colours. */
  get screen(): string {
    const screens = this.#output.split("\x1b[H").slice(1).filter((each) => each.includes("\x1b[J"));
    // Each line begins by going to its place.
    const lines = (screens.at(-1) ?? "").split(LINE_START).slice(1);
    return lines.map(stripVTControlCharacters).join("\n");
  }

  /** Waits until the screen shows something. */
  async shows(pattern: RegExp): Promise<string> {
    const late = AbortSignal.timeout(15_000);
    while (!pattern.test(this.screen)) {
      if (late.aborted) throw new Error(`${pattern} did not come:\n${this.screen}`);
      const news = Promise.withResolvers<void>();
      this.#waiting.push(news.resolve);
      late.addEventListener("abort", () => news.resolve(), { once: true });
      await news.promise;
    }
    return this.screen;
  }

  async type(keys: string): Promise<void> {
    const writer = this.#child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(keys));
    writer.releaseLock();
  }

  async resize(rows: number, columns: number): Promise<void> {
    const device = this.#output.match(/\/dev\/pts\/\d+/)?.[0] ?? "";
    const args = ["-F", device, "rows", `${rows}`, "cols", `${columns}`];
    assert.ok((await new Deno.Command("stty", { args }).output()).success);
  }

  async end(): Promise<number> {
    const { code } = await this.#child.status;
    await this.#reading;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.type("q").catch(() => {}); // it has ended
    await this.#child.stdin.close().catch(() => {});
    await this.end();
  }
}

function watch(sandbox: Sandbox, server: HttpServer, env: Record<string, string> = {}, args: readonly string[] = []) {
  const all = ["top", "--url", server.url, "--token-env", "TOP_TOKEN", ...args];
  return new AtTerminal(all, { ...sandbox.env, TOP_TOKEN: server.token, TERM: "xterm", ...env });
}

Deno.test("top shows calls, latencies, processes and the level as they are, and quits with q", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n" });
  await using server = await startHttp(sandbox);
  await using terminal = watch(sandbox, server);
  assert.match(await terminal.shows(/no call yet/), /^llmc-mcp \S+ {2}sandbox: \w+ {2}up \d+s {2}http:\S+ +q quits\n/);
  await callTool(server, "linux_fs_read", { path: "a.txt" });
  await callTool(server, "linux_fs_read", { path: "/etc/shadow" });
  await callTool(server, "linux_proc_start", { command: "bash -c 'echo begun; read line'" });
  await terminal.shows(/CALLS +\n.*linux_proc_start/);
  await terminal.shows(/read line' +begun/);
  const screen = await terminal.shows(/linux_fs_read +2 calls/); // figures over an hour are read now and then
  assert.match(screen, /linux_fs_read +2 calls +1 error +p50 .* p95 /);
  assert.match(screen, /\d+ +running +\d+s +6B +bash -c 'echo begun; read line' +begun/);
  assert.match(screen, /\d\d:\d\d:\d\d +\S+ .?s +\d+ tok {2}linux_fs_read +INVALID_PATH +path=\/etc\/shadow/);
  assert.match(screen, /linux_fs_read +ok +path=a\.txt/);
  await terminal.type("q");
  assert.equal(await terminal.end(), 0);
  assert.ok(terminal.output.includes("\x1b[?1049h\x1b[?25l"));
  assert.ok(terminal.output.endsWith("\x1b[?25h\x1b[?1049l"), "the terminal is given back as it was");
});

Deno.test("top follows the size of the terminal", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n" });
  await using server = await startHttp(sandbox);
  await callTool(server, "linux_fs_read", { path: "a.txt" });
  await using terminal = watch(sandbox, server);
  await terminal.shows(/linux_fs_read +ok/);
  for (const [rows, columns] of [[12, 60], [40, 140], [3, 20]] as const) {
    await terminal.resize(rows, columns);
    const lines = (await terminal.shows(new RegExp(`^(.{0,${columns}}\n){${rows - 1}}.{0,${columns}}$`))).split("\n");
    assert.equal(lines.length, rows);
  }
});

Deno.test("top has colours unless NO_COLOR is set", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox);
  for (const [env, expected] of [[{}, true], [{ NO_COLOR: "1" }, false]] as const) {
    await using terminal = watch(sandbox, server, env);
    await terminal.shows(/sandbox: \w+/);
    assert.equal(LEVEL_COLOR.test(terminal.output), expected);
  }
});

Deno.test("top says that the server is away, and goes on when it is back", () => unlessTaken(watchRestart));

async function watchRestart(): Promise<void> {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n" });
  await using server = await startHttp(sandbox);
  await using terminal = watch(sandbox, server);
  await terminal.shows(/no call yet/);
  await server.stop();
  await terminal.shows(/trying again/);
  const port = new URL(server.url).port;
  await using again = await startHttp(sandbox, { args: ["--port", port], env: { LLMC_MCP_TOKEN: server.token } });
  await terminal.shows(/sandbox: \w+[^]*no call yet/);
  assert.equal(again.url, server.url);
}

Deno.test("top ends with a reason where the token is wrong, there is no page, or the terminal goes away", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox);
  await using wrong = watch(sandbox, server, { TOP_TOKEN: "not-the-token-at-all" });
  assert.equal(await wrong.end(), 1);
  assert.match(wrong.output, /rejects this token/);
  await using blind = await startHttp(sandbox, { args: ["--set", "mcp.server.ui_enabled=false"] });
  await using none = watch(sandbox, blind);
  assert.equal(await none.end(), 1);
  assert.match(none.output, /ui_enabled is false there/);
  await using empty = watch(sandbox, server, { TOP_TOKEN: "" });
  assert.equal(await empty.end(), 78);
  assert.match(empty.output, /\$TOP_TOKEN is empty/);
});

Deno.test("top takes address and token from the configuration, as serve does", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox);
  await Deno.writeTextFile(`${sandbox.dir}/token`, server.token, { mode: 0o600 });
  const { port } = new URL(server.url);
  await Deno.writeTextFile(
    `${sandbox.dir}/llmc.toml`,
    `[mcp.server]\nport = ${port}\n[mcp.auth]\ntoken_file = "${sandbox.dir}/token"\n`,
  );
  const args = ["top", "--config", `${sandbox.dir}/llmc.toml`];
  await using terminal = new AtTerminal(args, { ...sandbox.env, TERM: "xterm" });
  await terminal.shows(/no call yet/);
});

Deno.test("top trusts the certificate that the configuration names", async () => {
  await using sandbox = await Sandbox.make();
  const { certFile, keyFile } = await makeCertificate(sandbox.dir);
  await using server = await startHttp(sandbox, { args: tlsOptions(certFile, keyFile) });
  const { port } = new URL(server.url);
  const args = ["top", ...tlsOptions(certFile, keyFile), "--set", `mcp.server.port=${port}`];
  await using terminal = new AtTerminal(args, { ...sandbox.env, LLMC_MCP_TOKEN: server.token, TERM: "xterm" });
  await terminal.shows(/no call yet/);
});

Deno.test("top shows nothing that could move the cursor or change the terminal", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox);
  const evil = "\x1b[2J\x1b]0;title\x07\x9b31m\u202e";
  await callTool(server, "linux_fs_read", { path: `x${evil}` }, { "X-LLMC-Agent": "a" });
  await callTool(server, "linux_proc_start", { argv: ["bash", "-c", 'printf "%s" "$1"; read', "x", `out${evil}`] });
  await using terminal = watch(sandbox, server);
  await terminal.shows(/linux_proc_start/);
  for (const part of ["\x1b[2J", "\x1b]", "\x07", "\x9b", "\u202e"]) assert.ok(!terminal.output.includes(part), part);
});

Deno.test("top without a terminal says how a program reads the same", async () => {
  await using sandbox = await Sandbox.make();
  const { code, stderr, stdout } = await runBinary(["top"], { env: sandbox.env });
  assert.equal(code, 64);
  assert.equal(stdout, "");
  assert.match(stderr, /needs a terminal; .*\/ui\/live\?page=state/);
});
