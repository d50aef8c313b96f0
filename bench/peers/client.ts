/** Minimal MCP client: one server over stdio with raw JSON-RPC, so that measured times contain little else. @module */
import { readLines } from "./lines.ts";

/** How a server is started. */
export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
}

/** What came back for one request. */
export interface Reply {
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly error: { readonly code: number; readonly message: string } | null;
  /** The whole line as it came. */
  readonly line: string;
}

/** What a model gets from one call of a tool. */
export interface ToolAnswer {
  /** All text parts, one after the other. */
  readonly text: string;
  readonly isError: boolean;
  /** The result as JSON, which is what crosses the wire. */
  readonly json: string;
}

/** A started server. */
export interface ServerProcess extends AsyncDisposable {
  readonly pid: number;
  /** Spawn to the answer of `initialize`, ms. */
  readonly startMs: number;
  readonly instructions: string;
  /** Every tool call since {@link forget}, as results on the wire. */
  readonly results: readonly string[];
  forget(): void;
  request(method: string, params: unknown): Promise<Reply>;
  notify(method: string, params: unknown): Promise<void>;
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  /** The same, with the id by which it can be cancelled. */
  begin(name: string, args: Readonly<Record<string, unknown>>): { id: number; answer: Promise<ToolAnswer> };
  listTools(): Promise<ListedTool[]>;
  /** Ends its input and leaves it to end by itself. */
  closeInput(): Promise<void>;
  kill(signal: Deno.Signal): void;
  readonly exited: Promise<Deno.CommandStatus>;
}

const REQUEST_TIMEOUT_MS = 60_000;
/** After the end of its input a server has this long to go. */
const EXIT_GRACE_MS = 3_000;
export const PROTOCOL_VERSION = "2025-06-18";

/** A request that was not answered in time, or whose server went away. */
export class NoAnswer extends Error {}

/** Starts a server. With `greet: false` the caller sends the first message itself. */
export async function startServer(
  { program, args, env, cwd }: ServerCommand,
  { greet = true }: { greet?: boolean } = {},
): Promise<ServerProcess> {
  const started = performance.now();
  const child = new Deno.Command(program, {
    args: [...args],
    env: { ...env },
    cwd,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const connection = connect(child);
  let instructions = "", startMs = Number.NaN;
  if (greet) {
    const clientInfo = { name: "bench", version: "1.0.0" };
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo };
    const { result } = await connection.request("initialize", params);
    startMs = performance.now() - started;
    instructions = String(result?.instructions ?? "");
    await connection.notify("notifications/initialized", {});
  }
  return { ...connection, pid: child.pid, startMs, instructions, results: connection.results };
}

function connect(child: Deno.ChildProcess) {
  const writer = child.stdin.getWriter();
  const waiting = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>();
  const results: string[] = [];
  const reading = readLines(child.stdout, (line) => {
    const reply = readReply(line);
    if (reply === null) return;
    waiting.get(reply.id)?.resolve(reply);
    waiting.delete(reply.id);
  }).finally(() => {
    for (const { reject } of waiting.values()) reject(new NoAnswer("the server went away"));
    waiting.clear();
  });
  let nextId = 1, open = true;
  const send = async (message: unknown) => {
    await writer.write(encoder.encode(`${JSON.stringify(message)}\n`)).catch(() => {
      throw new NoAnswer("the server does not read any more");
    });
  };
  const requestAs = async (id: number, method: string, params: unknown): Promise<Reply> => {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    waiting.set(id, { resolve, reject });
    const late = () => reject(new NoAnswer(`${method} took longer than ${REQUEST_TIMEOUT_MS} ms`));
    const timer = setTimeout(late, REQUEST_TIMEOUT_MS);
    try {
      await send({ jsonrpc: "2.0", id, method, params });
      return await promise;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };
  const request = (method: string, params: unknown) => requestAs(nextId++, method, params);
  const notify = (method: string, params: unknown) => send({ jsonrpc: "2.0", method, params });
  const begin = (name: string, args: Readonly<Record<string, unknown>>) => {
    const id = nextId++;
    const answer = requestAs(id, "tools/call", { name, arguments: args }).then(readAnswer);
    return { id, answer: answer.then((seen) => (results.push(seen.json), seen)) };
  };
  const closeInput = async () => {
    if (!open) return;
    open = false;
    await writer.close().catch(() => {}); // it may be gone already
  };
  return {
    results,
    forget: () => void results.splice(0),
    request,
    notify,
    begin,
    call: (name: string, args: Readonly<Record<string, unknown>>) => begin(name, args).answer,
    listTools: () => listTools(request),
    closeInput,
    kill: (signal: Deno.Signal) => kill(child, signal),
    exited: child.status,
    async [Symbol.asyncDispose]() {
      await closeInput();
      const timer = setTimeout(() => kill(child, "SIGKILL"), EXIT_GRACE_MS);
      await Promise.all([child.status, reading]);
      clearTimeout(timer);
    },
  };
}

function kill(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    child.kill(signal);
  } catch {
    // it has ended
  }
}

const encoder = new TextEncoder();

/** A response among the lines of a server; null for anything else, such as notifications. */
function readReply(line: string): (Reply & { id: number }) | null {
  try {
    const { id, method, result = null, error = null } = JSON.parse(line);
    return typeof id === "number" && method === undefined ? { id, result, error, line } : null;
  } catch {
    return null; // a line that is no JSON
  }
}

function readAnswer({ result, error }: Reply): ToolAnswer {
  if (result === null) return { text: error?.message ?? "", isError: true, json: JSON.stringify(error) };
  const parts: { text?: string }[] = Array.isArray(result.content) ? result.content : [];
  const text = parts.map((part) => part.text ?? "").join("\n");
  return { text, isError: result.isError === true, json: JSON.stringify(result) };
}

async function listTools(request: (method: string, params: unknown) => Promise<Reply>): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: unknown;
  do {
    const { result } = await request("tools/list", cursor === undefined ? {} : { cursor });
    if (Array.isArray(result?.tools)) tools.push(...result.tools);
    cursor = result?.nextCursor;
  } while (cursor !== undefined);
  return tools;
}
