/**
 * `deno task dev [options of serve]`: serves from the sources, and starts again whenever one of them changes. Port and token
 * stay the same, so that a client that is connected once finds the server again.
 * @module
 */
import { exists, print, ROOT, runVerb } from "./project.ts";
import { vendor } from "./vendor.ts";

/** The token of this checkout; its name stands in what the server prints, so that the lines can be pasted. */
const TOKEN_FILE = `${ROOT}/dist/dev-token`;
/** Files beside src/ that the server is made of. */
const TOP_FILES = new Set(["main.ts", "deno.json", "deno.lock", "llmc.toml"]);
/** An editor that saves makes several events, and so does a change of branch. */
const QUIET_MS = 50;

async function dev(): Promise<void> {
  await vendor();
  await makeToken();
  const args = ["run", "-A", "--no-prompt", "main.ts", "serve", ...await serveArgs(Deno.args)];
  const changes = new Changes();
  const ending = endOfWork();
  for (let ended = false; !ended;) {
    const next = changes.next(); // before the start: what changes during it counts
    using server = new Server(args);
    const first = await Promise.race([next.then(() => "change"), ending, server.exited]);
    if (typeof first === "number") print(`dev: the server ended with ${first}; it starts again after the next change`);
    ended = await Promise.race([next.then(() => false), ending.then(() => true)]);
    await server.stop();
    if (!ended) print("dev: a source changed, starting again");
  }
}

/** The folder where the person is, and a port that stays the same even when any will do. */
async function serveArgs(given: readonly string[]): Promise<string[]> {
  const args = given.some((arg) => /^--root(?:=|$)/.test(arg)) ? [...given] : ["--root", ROOT, ...given];
  const at = args.indexOf("--port");
  if (at >= 0 && args[at + 1] === "0") args[at + 1] = String(freePort());
  const token = `mcp.auth.token_file=${await Deno.realPath(TOKEN_FILE)}`;
  return [...args, "--set", token];
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function makeToken(): Promise<void> {
  if (await exists(TOKEN_FILE)) return;
  await Deno.mkdir(`${ROOT}/dist`, { recursive: true });
  const token = crypto.getRandomValues(new Uint8Array(24)).toBase64({ alphabet: "base64url" });
  await Deno.writeTextFile(TOKEN_FILE, `${token}\n`, { mode: 0o600, createNew: true });
}

/** Resolves when a person or a supervisor ends the work. */
function endOfWork(): Promise<"end"> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) Deno.addSignalListener(signal, () => resolve("end"));
  });
}

/** Tells of changed sources. Those that come while no one waits count as one. */
class Changes {
  #waiting = Promise.withResolvers<void>();
  #timer: number | undefined;

  constructor() {
    // The top folder instead of its files, because many editors replace a file when they save it.
    void this.#watch(Deno.watchFs(ROOT, { recursive: false }), (path) => TOP_FILES.has(path.slice(ROOT.length + 1)));
    void this.#watch(Deno.watchFs(`${ROOT}/src`), () => true);
  }

  /** Resolves after the next change, when no other follows at once. */
  next(): Promise<void> {
    return this.#waiting.promise;
  }

  async #watch(watcher: Deno.FsWatcher, concerns: (path: string) => boolean): Promise<void> {
    for await (const { kind, paths } of watcher) {
      if (kind === "access" || !paths.some(concerns)) continue;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        this.#waiting.resolve();
        this.#waiting = Promise.withResolvers();
      }, QUIET_MS);
    }
  }
}

/** The server as a process that has this one's terminal. */
class Server implements Disposable {
  readonly #child: Deno.ChildProcess;
  /** Its exit code. */
  readonly exited: Promise<number>;

  constructor(args: string[]) {
    this.#child = new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).spawn();
    this.exited = this.#child.status.then(({ code }) => code);
  }

  /** Ends it in an orderly way; it takes less than a second. */
  async stop(): Promise<void> {
    this.#kill("SIGTERM");
    await this.exited;
  }

  [Symbol.dispose](): void {
    this.#kill("SIGKILL");
  }

  #kill(signal: Deno.Signal): void {
    try {
      this.#child.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended
    }
  }
}

if (import.meta.main) {
  await runVerb("dev", dev);
  Deno.exit(0); // the watchers would keep it alive
}
