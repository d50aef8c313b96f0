/** The development server, run in a copy of the sources that a test may change. @module */
import assert from "node:assert/strict";
import { ROOT } from "../../scripts/project.ts";
import { vendor } from "../../scripts/vendor.ts";
import { type TempTree, tempTree } from "./temp_tree.ts";

const SOURCES = ["Makefile", "main.ts", "deno.json", "deno.lock", "llmc.toml", "schemas", "scripts", "src"];
/** In the copy; tests change it. */
export const VERSION_FILE = "project/src/core/version.ts";

/** Copies what the development server is made of to `project/`. */
export async function copySources(): Promise<TempTree> {
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
export class Dev implements AsyncDisposable {
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

/** The line of a server that serves; its group is the address. */
export const LISTENING = /listens on (\S+)/;

/** As many editors save: a new file takes the place of the old one. */
export async function replaceVersion(tree: TempTree, version: string): Promise<void> {
  await Deno.writeTextFile(tree.path("new-version"), `/** @module */\nexport const VERSION = "${version}";\n`);
  await Deno.rename(tree.path("new-version"), tree.path(VERSION_FILE));
}
