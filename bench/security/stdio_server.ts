/** Controls one server over stdio message by message, including messages that a real client never sends. @module */
import { readLines } from "../peers/lines.ts";

/** How a server is started. */
export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** The answer to one request. */
export interface Reply {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** What a model gets from one call. */
export interface ToolReply {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: unknown;
}

/** A started server. */
export interface StdioServer extends AsyncDisposable {
  readonly pid: number;
  request(method: string, params: unknown, timeoutMs?: number): Promise<Reply>;
  /** A call of a tool; an answer that is a protocol error becomes text. */
  call(name: string, args: Readonly<Record<string, unknown>>, timeoutMs?: number): Promise<ToolReply>;
  /** A call with arguments as JSON text, which can say what no object can. Answers the whole message as text. */
  callText(name: string, args: string, timeoutMs?: number): Promise<string>;
  notify(method: string, params: unknown): Promise<void>;
  /** Writes bytes as they are. */
  send(data: string | Uint8Array): Promise<void>;
  /** Every message that answers no request of ours. */
  readonly others: readonly unknown[];
  /** Everything on standard output that is no JSON object on a line of its own. */
  readonly garbage: readonly string[];
  stderr(): string;
  closeInput(): Promise<void>;
  kill(signal: Deno.Signal): void;
  readonly exited: Promise<Deno.CommandStatus>;
}

/** A request without an answer. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

const TIMEOUT_MS = 60_000;
/** After the end of its input a server has this long to go. */
const EXIT_GRACE_MS = 3_000;
const encoder = new TextEncoder();

/** Starts a server and says hello. */
export async function startStdio(command: ServerCommand): Promise<StdioServer> {
  const server = open(command);
  const clientInfo = { name: "prober", version: "1.0.0" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  await server.request("initialize", params);
  await server.notify("notifications/initialized", {});
  return server;
}

function open({ program, args, env, cwd }: ServerCommand): StdioServer {
  const child = new Deno.Command(program, {
    args: [...args],
    env: { ...env },
    ...cwd === undefined ? {} : { cwd },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const waiting = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>();
  const others: unknown[] = [], garbage: string[] = [];
  let errors = "", nextId = 1, isOpen = true;

  const reading = readLines(child.stdout, (line) => {
    const message = parse(line);
    if (message === null) return void garbage.push(line);
    const { id } = message;
    const asked = typeof id === "number" && !("method" in message) ? waiting.get(id) : undefined;
    if (asked === undefined) return void others.push(message);
    waiting.delete(Number(id));
    asked.resolve(message);
  }).finally(() => {
    for (const { reject } of waiting.values()) reject(new NoAnswer("the server went away"));
    waiting.clear();
  });
  const draining = readLines(child.stderr, (line) => errors += `${line}\n`);

  const send = (data: string | Uint8Array) =>
    writer.write(typeof data === "string" ? encoder.encode(data) : new Uint8Array(data)).catch(() => {
      throw new NoAnswer("the server does not read any more");
    });
  const ask = async (method: string, params: string, timeoutMs = TIMEOUT_MS): Promise<Reply> => {
    const id = nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    waiting.set(id, { resolve, reject });
    const timer = setTimeout(() => reject(new NoAnswer(`${method}: no answer within ${timeoutMs} ms`)), timeoutMs);
    promise.catch(() => {}); // it may fail while the request is still being written
    try {
      await send(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`);
      return await promise;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };
  const request: StdioServer["request"] = (method, params, timeoutMs) => ask(method, JSON.stringify(params), timeoutMs);
  const closeInput = async () => {
    if (!isOpen) return;
    isOpen = false;
    await writer.close().catch(() => {}); // it may be gone already
  };
  const kill = (signal: Deno.Signal) => {
    try {
      child.kill(signal);
    } catch {
      // it has ended
    }
  };
  return {
    pid: child.pid,
    others,
    garbage,
    request,
    send,
    kill,
    closeInput,
    call: async (name, args, timeoutMs) =>
      readAnswer(await request("tools/call", { name, arguments: args }, timeoutMs)),
    callText: async (name, args, timeoutMs) =>
      JSON.stringify(await ask("tools/call", `{"name":${JSON.stringify(name)},"arguments":${args}}`, timeoutMs)),
    notify: (method, params) => send(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`),
    stderr: () => errors,
    exited: child.status,
    async [Symbol.asyncDispose]() {
      await closeInput();
      const timer = setTimeout(() => kill("SIGKILL"), EXIT_GRACE_MS);
      await Promise.all([child.status, reading, draining]);
      clearTimeout(timer);
    },
  };
}

/** Text of a result, whether it is an error, and its structure. */
function readAnswer({ result, error }: Reply): ToolReply {
  if (result === undefined) return { text: error?.message ?? "", isError: true, structured: error?.data };
  const parts: { text?: string }[] = Array.isArray(result.content) ? result.content : [];
  const text = parts.map((part) => part.text ?? "").join("\n");
  return { text, isError: result.isError === true, structured: result.structuredContent };
}

function parse(line: string): (Reply & Record<string, unknown>) | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
