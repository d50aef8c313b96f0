/** Drives the compiled executable as its users do. @module */
import { keepLog } from "./kept_logs.ts";

/** The executable under test; the test verb builds it and says where it is. */
export const BINARY = Deno.env.get("LLMC_BIN") ?? new URL("../../dist/llmc-mcp", import.meta.url).pathname;
/** The same, able to pretend that it is on a lesser machine. */
export const TEST_BINARY = Deno.env.get("LLMC_TEST_BIN") ??
  new URL("../../dist/llmc-mcp-test", import.meta.url).pathname;

/** What a finished run printed. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Directories of one test: a root, and a home that holds no configuration of the machine's user. */
export class Sandbox implements AsyncDisposable {
  private constructor(readonly dir: string) {}

  /** Real path of the root that tools may touch. */
  get root(): string {
    return `${this.dir}/root`;
  }

  /** Environment in which nothing of this machine's user is found. */
  get env(): Record<string, string> {
    const path = Deno.env.get("PATH") ?? "/usr/bin:/bin";
    return {
      PATH: path,
      HOME: `${this.dir}/home`,
      XDG_STATE_HOME: `${this.dir}/state`,
      XDG_RUNTIME_DIR: `${this.dir}/run`,
      LANG: "C.UTF-8",
    };
  }

  /** Makes the directories and puts files (relative path to text) into the root. @param parent Usually the temporary folder. */
  static async make(files: Readonly<Record<string, string>> = {}, parent?: string): Promise<Sandbox> {
    const options = { prefix: "llmc-e2e-", ...parent === undefined ? {} : { dir: parent } };
    const dir = await Deno.realPath(await Deno.makeTempDir(options));
    for (const name of ["root", "home", "state", "run"]) await Deno.mkdir(`${dir}/${name}`);
    const sandbox = new Sandbox(dir);
    for (const [path, text] of Object.entries(files)) await sandbox.write(path, text);
    return sandbox;
  }

  /** The folder in the data directory that holds everything; there after the first start. */
  async storeDir(): Promise<string> {
    const dataDir = `${this.dir}/state/llmc-mcp`;
    for await (const { name } of Deno.readDir(dataDir)) if (name.startsWith("store-")) return `${dataDir}/${name}`;
    throw new Error(`${dataDir} has no store`);
  }

  async write(path: string, text: string): Promise<void> {
    const full = `${this.root}/${path}`;
    await Deno.mkdir(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(full, text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.dir, { recursive: true });
  }
}

/** Runs the executable to its end. */
export async function runBinary(
  args: readonly string[],
  { env, cwd, stdin = "", binary = BINARY }: {
    env: Record<string, string>;
    cwd?: string;
    stdin?: string;
    binary?: string;
  },
): Promise<Finished> {
  const child = new Deno.Command(binary, {
    args: [...args],
    clearEnv: true,
    env,
    ...cwd === undefined ? {} : { cwd },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin)).catch(() => {}); // it may have refused to start
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  const finished = { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  keepLog(args.join(" "), finished.stderr, [env.LLMC_MCP_TOKEN ?? ""]);
  return finished;
}

/** A running HTTP server. */
export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  /** Everything it has written to standard error so far. */
  stderr(): string;
  /** Sends a signal and waits for the end. */
  stop(signal?: Deno.Signal): Promise<Deno.CommandStatus>;
}

/** Starts `serve` on a free port with a token of its own and waits until it listens. */
export async function startHttp(
  sandbox: Sandbox,
  { args = [], binary = BINARY, env = {}, cwd }: {
    args?: readonly string[];
    cwd?: string;
    binary?: string;
    env?: Record<string, string>;
  } = {},
): Promise<HttpServer> {
  const token = `test-${crypto.randomUUID()}`;
  const child = new Deno.Command(binary, {
    args: ["serve", "--root", sandbox.root, "--port", "0", ...args],
    ...cwd === undefined ? {} : { cwd },
    clearEnv: true,
    env: { ...sandbox.env, LLMC_MCP_TOKEN: token, ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let errors = "";
  const draining = drain(child.stderr, (text) => errors += text);
  const { promise: listening, resolve } = Promise.withResolvers<string>();
  let output = "";
  const reading = drain(child.stdout, (text) => {
    output += text;
    const url = output.match(/listens on (https?:\/\/\S+)/)?.[1];
    if (url) resolve(url);
  });
  const url = await Promise.race([
    listening,
    child.status.then(({ code }) => Promise.reject(new Error(`ended with ${code}: ${errors}${output}`))),
  ]);
  let ended: Promise<Deno.CommandStatus> | undefined;
  const stop = (signal: Deno.Signal = "SIGTERM") =>
    ended ??= (async () => {
      child.kill(signal);
      const status = await child.status;
      await Promise.all([draining, reading]);
      keepLog(`serve ${args.join(" ")}`, output + errors, [token, env.LLMC_MCP_TOKEN ?? ""]);
      return status;
    })();
  return {
    url,
    token,
    pid: child.pid,
    stderr: () => errors,
    stop,
    [Symbol.asyncDispose]: async () => void await stop(),
  };
}

async function drain(stream: ReadableStream<Uint8Array>, onText: (text: string) => void): Promise<void> {
  for await (const text of stream.pipeThrough(new TextDecoderStream())) onText(text);
}
