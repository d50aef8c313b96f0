/** Simulates a person who types the commands of a document word for word. @module */
import assert from "node:assert/strict";
import { BINARY, type HttpServer, Sandbox, startHttp } from "../support/binary.ts";

/** Long enough for the slowest machine that a command of a document may meet. */
const COMMAND_LIMIT_MS = 60_000;

const APP = {
  "README.md": "# Demo\n",
  "src/main.py": "# TODO: everything\nprint(42)\n",
  "src/cart.py": "def total(prices):\n    return sum(prices)\n",
  "my.toml": "[mcp]\nread_only = true\n",
};
/** Folders of the home in which the examples write or read. */
const FOLDERS = ["bin", "src", "notes", ".codex", ".zfunc", ".config/fish/completions"];
/** The port that the documents show. */
const SHOWN_PORT = 8080;

/** A person with a home, a project with a git repository, and the executable on the path. */
export class Reader implements AsyncDisposable {
  /** What `export` has set, as in one terminal. */
  readonly #exported: Record<string, string> = {};
  #server: HttpServer | undefined;

  private constructor(readonly box: Sandbox) {}

  static async make(): Promise<Reader> {
    const box = await Sandbox.make(APP), home = `${box.dir}/home`;
    for (const folder of FOLDERS) await Deno.mkdir(`${home}/${folder}`, { recursive: true });
    await Deno.symlink(BINARY, `${home}/bin/llmc-mcp`);
    await Deno.rename(box.root, `${home}/src/app`);
    await Deno.symlink(`${home}/src/app`, box.root);
    const reader = new Reader(box);
    await reader.#run("git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm first");
    return reader;
  }

  /** Runs a command as it is written; throws with its output when it fails. */
  async type(text: string): Promise<void> {
    const exported = text.match(/^export (\w+)=(.*)$/);
    if (exported?.[1] !== undefined) this.#exported[exported[1]] = (await this.#run(`printf %s ${exported[2]}`)).trim();
    else if (/^(?:\w+="[^"]*" )?llmc-mcp serve\b/.test(text)) await this.#serve(text);
    else if (/^llmc-mcp top\b/.test(text)) await this.#atTerminal(text);
    else await this.#run(text);
  }

  /** A server at the address that the documents show, for commands that call one; started when first needed. */
  async #running(): Promise<HttpServer> {
    const server = this.#server ??= await startHttp(this.box, { args: ["--root", `${this.box.dir}/home/src/app`] });
    const { port } = new URL(server.url);
    const curlrc = `connect-to = "127.0.0.1:${SHOWN_PORT}:127.0.0.1:${port}"\nfail-with-body\nshow-error\n`;
    await Deno.writeTextFile(`${this.box.dir}/home/.curlrc`, curlrc);
    return server;
  }

  async #spawn(text: string, port = "0"): Promise<Deno.ChildProcess> {
    const { PATH = "", ...rest } = this.box.env;
    const called = /\bcurl\b|\bllmc-mcp top\b/.test(text) ? await this.#running() : null;
    return new Deno.Command("bash", {
      args: ["-c", text],
      cwd: `${this.box.dir}/home/src/app`,
      clearEnv: true,
      env: {
        ...rest,
        PATH: `${this.box.dir}/home/bin:${PATH}`,
        ...this.#exported,
        // Where the words of the command name none, a free port, so that nothing that runs on this machine is met.
        LLMC_MCP__SERVER__PORT: called ? new URL(called.url).port : port,
        ...called ? { LLMC_MCP_TOKEN: called.token } : {},
      },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      signal: AbortSignal.timeout(COMMAND_LIMIT_MS),
    }).spawn();
  }

  async #run(text: string): Promise<string> {
    const { code, stdout, stderr } = await (await this.#spawn(text)).output();
    const decoder = new TextDecoder();
    assert.equal(code, 0, `${decoder.decode(stdout)}${decoder.decode(stderr)}`);
    return decoder.decode(stdout);
  }

  /** It serves until it is told to stop. */
  async #serve(text: string): Promise<void> {
    const child = await this.#spawn(text);
    const errors = new Response(child.stderr).text();
    let said = "";
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += part;
      if (/Ctrl-C stops the server/.test(said)) child.kill("SIGTERM");
    }
    assert.equal((await child.status).code, 0, said + await errors);
    assert.match(said, /listens on http.*claude mcp add/s);
  }

  /** Types `q` once the screen shows the server. */
  async #atTerminal(text: string): Promise<void> {
    const screen = `${this.box.dir}/screen`;
    const keys = `until grep -aq llmc-mcp ${screen} 2>/dev/null; do sleep 0.05; done; printf q`;
    await this.#run(`export TERM=xterm; (${keys}) | script -qefc '${text}' ${screen}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.stop();
    await this.box[Symbol.asyncDispose]();
  }
}
