/** `make dev` and `deno task dev` in a copy of the sources, which the tests change. @module */
import assert from "node:assert/strict";
import { ROOT } from "../../scripts/project.ts";
import { vendor } from "../../scripts/vendor.ts";
import { callTool } from "../support/call_tool.ts";
import { type TempTree, tempTree } from "../support/temp_tree.ts";

const SOURCES = ["Makefile", "main.ts", "deno.json", "deno.lock", "llmc.toml", "schemas", "scripts", "src"];
const VERSION_FILE = "project/src/core/version.ts";

async function copySources(): Promise<TempTree> {
  const tree = await tempTree({ "project/": "", "home/": "" });
  const args = ["-r", ...SOURCES.map((name) => `${ROOT}/${name}`), tree.path("project")];
  assert.ok((await new Deno.Command("cp", { args }).output()).success);
  await vendor();
  await Deno.symlink(`${ROOT}/assets`, tree.path("project/assets"));
  return tree;
}

/** What does not come by then does not come. */
const LIMIT_MS = 60_000;

/** The command as a person runs it, and what it prints. */
class Dev implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #lines: ReadableStreamDefaultReader<string>;

  constructor(tree: TempTree, [program = "", ...args]: readonly string[]) {
    const env = { XDG_STATE_HOME: tree.path("home"), DENO: Deno.execPath(), NO_COLOR: "1" };
    // A group of its own, to end all of it as Ctrl-C does.
    const options = {
      detached: true,
      args,
      cwd: tree.path("project"),
      env,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    } as const;
    this.#child = new Deno.Command(program, options).spawn();
    this.#lines = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Waits until a text that matches was printed since the last call; the first group of the match. */
  async until(pattern: RegExp): Promise<string> {
    const late = setTimeout(() => Deno.kill(-this.#child.pid, "SIGKILL"), LIMIT_MS);
    try {
      for (let seen = "";;) {
        const { value, done } = await this.#lines.read();
        if (done) throw new Error(`it ended before it printed ${pattern}: ${seen}`);
        const found = (seen += value).match(pattern);
        if (found) return found[1] ?? "";
      }
    } finally {
      clearTimeout(late);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    Deno.kill(-this.#child.pid, "SIGINT");
    while (!(await this.#lines.read()).done);
    await this.#child.status;
  }
}

const LISTENING = /listens on (\S+)/;

for (
  const command of [["make", "dev", "PORT=0"], [Deno.execPath(), "task", "--quiet", "dev", "--port", "0"]] as const
) {
  Deno.test(`${command[0] === "make" ? "make dev" : "deno task dev"} starts again after every change, with its port and token`, async () => {
    await using tree = await copySources();
    await using dev = new Dev(tree, command);
    const url = await dev.until(LISTENING);
    const token = (await Deno.readTextFile(tree.path("project/dist/dev-token"))).trim();
    for (const version of ["1.2.3-first", "1.2.3-second"]) {
      await replaceVersion(tree, version);
      assert.equal(await dev.until(LISTENING), url);
      assert.equal(await servedVersion(url, token), version);
    }
  });
}

Deno.test("deno task dev waits for a change when the sources have a fault, and the served folder does not show the token", async () => {
  await using tree = await copySources();
  await using dev = new Dev(tree, [Deno.execPath(), "task", "--quiet", "dev", "--port", "0"]);
  const url = await dev.until(LISTENING);
  const path = tree.path("project/dist/dev-token"), token = (await Deno.readTextFile(path)).trim();
  assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  const { code, content } = await callTool({ url, token }, "linux_fs_read", { path: "dist/dev-token" });
  assert.match(String(code), /DENIED|INVALID_PATH/, String(content));
  await Deno.writeTextFile(tree.path(VERSION_FILE), "export const VERSION = ;\n");
  await dev.until(/(dev: the server ended with 1; it starts again after the next change)/);
  await replaceVersion(tree, "1.2.3-mended");
  assert.equal(await dev.until(LISTENING), url);
  assert.equal(await servedVersion(url, token), "1.2.3-mended");
});

/** As many editors save: a new file takes the place of the old one. */
async function replaceVersion(tree: TempTree, version: string): Promise<void> {
  await Deno.writeTextFile(tree.path("new-version"), `/** @module */\nexport const VERSION = "${version}";\n`);
  await Deno.rename(tree.path("new-version"), tree.path(VERSION_FILE));
}

async function servedVersion(url: string, token: string): Promise<unknown> {
  const response = await fetch(`${url}/health`, { headers: { "X-LLMC-Token": token } });
  const health = await response.json();
  return health.version;
}
