/** Every command that a document tells its reader to type works, or is listed here with the reason why it cannot run. @module */
import assert from "node:assert/strict";
import { ROOT } from "../../scripts/project.ts";
import { BINARY, type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { listDocuments, shellCommands, type ShownCommand } from "./read_documents.ts";

/** Commands that do not run here, and why. */
const NOT_RUN: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^make(?: |$)/,
    "verbs of the project: that they exist is checked; continuous integration runs check, test, release and " +
    "test-packages, and make test-clean-machine runs make run",
  ],
  [
    /^sudo (?:apt|systemctl|install|cat)\b/,
    "changes the machine; make test-packages does the same in a bare Debian system",
  ],
  [
    /^(?:HOST_REPO=\S+ )?docker\b/,
    "needs a Docker daemon; make test-packages builds and runs the image with buildah and podman",
  ],
  [/^npm install -g\b/, "changes the machine; make test-packages installs the same package into a folder"],
  [/^npx\b/, "needs the package to be published"],
  [/^claude mcp add\b/, "needs the client's own program; what print-config prints is tested elsewhere"],
  [/^(?:cd dist\/release && )?(?:sha256sum|tar -xzf)\b/, "needs a release; make test-packages checks and unpacks one"],
];
/** Long enough for the slowest machine that a command of a document may meet. */
const COMMAND_LIMIT_MS = 60_000;

const FILES = {
  "README.md": "# Demo\n",
  "src/main.py": "# TODO: everything\nprint(42)\n",
};

const documents = await Promise.all(
  (await listDocuments()).map(async (path) => shellCommands(path, await Deno.readTextFile(`${ROOT}/${path}`))),
);
const commands = documents.flat();

Deno.test("every make verb in the documents is one of the Makefile", async () => {
  const makefile = await Deno.readTextFile(`${ROOT}/Makefile`);
  for (const { text, document, line } of commands) {
    const verb = text.match(/^make ([a-z-]+)/)?.[1];
    if (verb !== undefined) assert.match(makefile, new RegExp(`^${verb}:`, "m"), `${document}:${line}: ${text}`);
  }
});

Deno.test("every reason for not running a command is needed", () => {
  for (const [pattern] of NOT_RUN) {
    assert.ok(commands.some(({ text }) => pattern.test(text)), `no document has a command like ${pattern}`);
  }
});

Deno.test("the other commands of the documents work as they are written", async (t) => {
  await using reader = await Reader.make();
  const runnable = commands.filter(({ text }) => !NOT_RUN.some(([pattern]) => pattern.test(text)));
  assert.ok(runnable.length > 20, `only ${runnable.length} commands`);
  for (const command of runnable) {
    await t.step(`${command.document}:${command.line} ${command.text}`, () => reader.type(command));
  }
});

/** A person with a home, a project, the executable on the path, and a server that runs. */
class Reader implements AsyncDisposable {
  /** What `export` has set, as in one terminal. */
  readonly #exported: Record<string, string> = {};

  private constructor(readonly box: Sandbox, readonly server: HttpServer) {}

  static async make(): Promise<Reader> {
    const box = await Sandbox.make(FILES);
    const home = `${box.dir}/home`;
    await Deno.mkdir(`${home}/src`);
    await Deno.mkdir(`${home}/bin`);
    await Deno.symlink(BINARY, `${home}/bin/llmc-mcp`);
    await Deno.rename(box.root, `${home}/src/app`);
    await Deno.symlink(`${home}/src/app`, box.root);
    return new Reader(box, await startHttp(box, { args: ["--root", `${home}/src/app`] }));
  }

  async type({ text }: ShownCommand): Promise<void> {
    const exported = text.match(/^export (\w+)=(.*)$/);
    if (exported?.[1] !== undefined) this.#exported[exported[1]] = (await this.#run(`printf %s ${exported[2]}`)).trim();
    else if (/^llmc-mcp serve\b/.test(text)) await this.#serve(text);
    else await this.#run(text);
  }

  /** The token of the reader's own server, once it was made; the running server's where one is called. */
  #env(text: string): Record<string, string> {
    const { PATH = "", ...rest } = this.box.env;
    const token = /\bcurl\b/.test(text) ? { LLMC_MCP_TOKEN: this.server.token } : {};
    return { ...rest, PATH: `${this.box.dir}/home/bin:${PATH}`, ...this.#exported, ...token };
  }

  #spawn(text: string): Deno.ChildProcess {
    return new Deno.Command("bash", {
      args: ["-c", text],
      cwd: `${this.box.dir}/home/src/app`,
      clearEnv: true,
      env: this.#env(text),
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      signal: AbortSignal.timeout(COMMAND_LIMIT_MS),
    }).spawn();
  }

  async #run(text: string): Promise<string> {
    const { code, stdout, stderr } = await this.#spawn(
      text.replaceAll("http://127.0.0.1:8080", this.server.url).replace(/\bcurl -s\b/, "curl -sS --fail-with-body"),
    ).output();
    const decoder = new TextDecoder();
    assert.equal(code, 0, `${decoder.decode(stdout)}${decoder.decode(stderr)}`);
    return decoder.decode(stdout);
  }

  /** It serves until it is told to stop. */
  async #serve(text: string): Promise<void> {
    const child = this.#spawn(`exec ${text} --port 0`);
    const errors = new Response(child.stderr).text();
    let said = "";
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += part;
      if (/listens on http/.test(said)) child.kill("SIGTERM");
    }
    assert.equal((await child.status).code, 0, said + await errors);
    assert.match(said, /claude mcp add/);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop();
    await this.box[Symbol.asyncDispose]();
  }
}
