/** Servers under load over stdio or HTTP, which can be killed and restarted. @module */
import { keepLog } from "../../tests/support/kept_logs.ts";
import { ALL_TOOLS } from "../security/rpc_fuzz.ts";
import { NoAnswer, type ServerCommand, startStdio, type StdioServer } from "../security/stdio_server.ts";

/** One answer. */
export interface Said {
  readonly text: string;
  /** The code of an error; null when the call worked. */
  readonly code: string | null;
}

/** A server, whichever way it is spoken to. */
export interface Speaker {
  readonly face: "stdio" | "http";
  /** Process id of the server that runs now. */
  readonly pid: number;
  /** What the servers so far wrote to standard error. */
  log(): string;
  /** @throws NoAnswer when it went away, or took too long */
  call(name: string, args: Readonly<Record<string, unknown>>, session?: string): Promise<Said>;
  /** Ends the server in the middle of whatever it does. */
  kill(): Promise<void>;
  /** Starts it again. Answers how long that took, ms. */
  restart(): Promise<number>;
  /** Ends it as its client would. */
  close(): Promise<void>;
}

/** One over HTTP. */
export interface HttpSpeaker extends Speaker {
  readonly url: string;
  readonly token: string;
}

/** How a server is started; `wrap` is a command line that goes before it. */
export interface SpeakerOptions {
  readonly program: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly wrap?: readonly string[];
}

const CALL_TIMEOUT_MS = 30_000, START_TIMEOUT_MS = 30_000;
const NO_LIMITS = ["mcp.limits.rate_limit_rps=100000", "mcp.limits.rate_limit_burst=100000"];
const MORE_PROGRAMS = 'mcp.linux_ops.commands.allowed_binaries=["sleep","seq","true"]';
const SETTINGS = [
  ...NO_LIMITS,
  MORE_PROGRAMS,
  "mcp.limits.concurrency_per_token=64",
  "mcp.linux_ops.process_limits.max_procs_per_session=64",
  "mcp.linux_ops.process_limits.max_procs_total=256",
].flatMap((setting) => ["--set", setting]).concat(ALL_TOOLS);

function commandOf(
  { program, root, env, args = [], wrap = [] }: SpeakerOptions,
  face: readonly string[],
): ServerCommand {
  const [first = program, ...rest] = [...wrap, program, ...face, "--root", root, ...SETTINGS, ...args];
  return { program: first, args: rest, env };
}

/** A server over stdio. */
export async function speakStdio(options: SpeakerOptions): Promise<Speaker> {
  let server: StdioServer = await startStdio(commandOf(options, ["stdio"])), logged = "";
  const end = async (): Promise<void> => {
    logged += server.stderr();
    await server[Symbol.asyncDispose]();
  };
  return {
    face: "stdio",
    get pid() {
      return server.pid;
    },
    log: () => logged + server.stderr(),
    async call(name, args) {
      const { text, isError } = await server.call(name, args, CALL_TIMEOUT_MS);
      return { text, code: isError ? codeIn(text) : null };
    },
    async kill() {
      server.kill("SIGKILL");
      await server.exited;
      await end();
    },
    async restart() {
      const startedMs = performance.now();
      server = await startStdio(commandOf(options, ["stdio"]));
      return performance.now() - startedMs;
    },
    close: end,
  };
}

/** A failed program is no error of the server: its text does not begin with a code. */
function codeIn(text: string): string {
  return text.match(/^([A-Z][A-Z_]+):/)?.[1] ?? "FAILED";
}

/** A server over HTTP. */
export async function speakHttp(options: SpeakerOptions): Promise<HttpSpeaker> {
  const token = crypto.randomUUID();
  let running = await startHttpServer(options, token), logged = "";
  return {
    face: "http",
    token,
    get url() {
      return running.url;
    },
    get pid() {
      return running.child.pid;
    },
    log: () => logged + running.stderr(),
    async call(name, args, session = "soak") {
      try {
        const answer = await fetch(`${running.url}/tool`, {
          method: "POST",
          headers: { "X-LLMC-Token": token, "Content-Type": "application/json" },
          body: JSON.stringify({ session_id: session, name, args }),
          signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
        });
        const text = await answer.text();
        return { text, code: answer.ok ? null : String(JSON.parse(text).code) };
      } catch (error) {
        throw new NoAnswer(error instanceof Error ? error.message : String(error));
      }
    },
    async kill() {
      running.child.kill("SIGKILL");
      await running.child.status;
      logged += running.stderr();
      keepLog("a server that was killed", running.stderr(), [token]);
    },
    async restart() {
      const startedMs = performance.now();
      running = await startHttpServer(options, token);
      return performance.now() - startedMs;
    },
    async close() {
      running.child.kill("SIGTERM");
      await running.child.status;
      keepLog("a server under load", running.stderr(), [token]);
    },
  };
}

async function startHttpServer(options: SpeakerOptions, token: string) {
  const { program, args, env } = commandOf(options, ["serve", "--port", "0"]);
  const child = new Deno.Command(program, {
    args: [...args],
    env: { ...env, LLMC_MCP_TOKEN: token },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let errors = "", output = "";
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new NoAnswer(`the server did not listen: ${errors}`)), START_TIMEOUT_MS);
  const drain = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>, take: (text: string) => void) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) take(text);
  };
  void drain(child.stderr, (text) => errors += text);
  void drain(child.stdout, (text) => {
    output += text;
    const url = output.match(/listens on (http:\/\/\S+)/)?.[1];
    if (url !== undefined) resolve(url);
  });
  child.status.then(() => reject(new NoAnswer(`the server ended: ${errors}`)));
  try {
    return { child, url: await promise, stderr: () => errors };
  } finally {
    clearTimeout(timer);
  }
}
