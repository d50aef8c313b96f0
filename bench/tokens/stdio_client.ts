/** Minimal MCP client over stdio: records what the model would see, and how long it takes. @module */
import { readLines } from "../peers/lines.ts";

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
}

/** One connection. */
export interface Connection extends AsyncDisposable {
  readonly tools: readonly ListedTool[];
  readonly instructions: string;
  /** The texts of a result, as a model reads them. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<string>;
}

/** How a server is started. */
export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

interface Message {
  readonly id?: number;
  readonly result?: {
    readonly tools?: ListedTool[];
    readonly nextCursor?: string;
    readonly instructions?: string;
    readonly content?: { type: string; text?: string }[];
  };
  readonly error?: { readonly message: string };
}

const CALL_TIMEOUT_MS = 90_000;
/** After the end of its input a server has this long to go. */
const EXIT_GRACE_MS = 3_000;

/** Starts a server and initialises the connection. */
export async function connect({ program, args, env, cwd }: ServerCommand): Promise<Connection> {
  const child = new Deno.Command(program, {
    args: [...args],
    env: { ...env },
    cwd,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const waiting = new Map<number, (message: Message) => void>();
  const reading = readLines(child.stdout, (line) => {
    if (!line.startsWith("{")) return;
    const message: Message = JSON.parse(line);
    if (message.id === undefined) return;
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  let nextId = 1;
  const send = (message: unknown) => writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  const request = async (method: string, params: unknown): Promise<NonNullable<Message["result"]>> => {
    const id = nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<Message>();
    waiting.set(id, resolve);
    const timer = setTimeout(
      () => reject(new Error(`${method} took longer than ${CALL_TIMEOUT_MS} ms`)),
      CALL_TIMEOUT_MS,
    );
    try {
      await send({ jsonrpc: "2.0", id, method, params });
      const { result, error } = await promise;
      if (error !== undefined || result === undefined) throw new Error(`${method}: ${error?.message ?? "no result"}`);
      return result;
    } finally {
      clearTimeout(timer);
    }
  };
  const clientInfo = { name: "bench", version: "1.0.0" };
  const hello = await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  await send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    tools: await listAll(request),
    instructions: hello.instructions ?? "",
    async call(name, args) {
      const result = await request("tools/call", { name, arguments: args });
      return (result.content ?? []).map((part) => part.text ?? "").join("\n");
    },
    async [Symbol.asyncDispose]() {
      await writer.close();
      const timer = setTimeout(() => child.kill("SIGKILL"), EXIT_GRACE_MS);
      await Promise.all([child.status, reading]);
      clearTimeout(timer);
    },
  };
}

async function listAll(
  request: (method: string, params: unknown) => Promise<NonNullable<Message["result"]>>,
): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  do {
    const page = await request("tools/list", cursor === undefined ? {} : { cursor });
    tools.push(...page.tools ?? []);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}
