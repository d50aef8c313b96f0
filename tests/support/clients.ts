/** Real MCP clients of both generations of the official SDK, over both transports. @module */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
// The first generation maps its types to files that are not there; named without the extension they are found.
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client"
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client/stdio"
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client/streamableHttp"
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { BINARY, type HttpServer, type Sandbox } from "./binary.ts";

/** What a test needs of a client, whichever generation it is. */
export interface TestClient extends AsyncDisposable {
  readonly label: string;
  listTools(): Promise<{ name: string; description?: string | undefined; inputSchema: unknown }[]>;
  /** Text of the result, whether it is an error, and its structure. */
  call(name: string, args?: Record<string, unknown>): Promise<{ text: string; isError: boolean; structured: unknown }>;
}

/** How to reach the server. */
export interface Endpoint {
  readonly label: string;
  connect(): Promise<TestClient>;
}

const INFO = { name: "llmc-test", version: "1.0.0" };

/** The four ways: two transports by two generations (the second speaks the newest protocol). */
export function overStdio(sandbox: Sandbox, args: readonly string[] = [], binary = BINARY): Endpoint[] {
  return overCommand({ command: binary, args: ["stdio", "--root", sandbox.root, ...args], env: sandbox.env });
}

/** Both generations over the standard input and output of any command. */
export function overCommand(
  { command: program, args, env }: { command: string; args: string[]; env: Record<string, string> },
): Endpoint[] {
  const command = { command: program, args, env, stderr: "ignore" as const };
  return [
    { label: "stdio, 2025-11-25", connect: () => connectV1("stdio, 2025-11-25", new StdioV1(command)) },
    { label: "stdio, 2026-07-28", connect: () => connectV2("stdio, 2026-07-28", new StdioV2(command)) },
  ];
}

/** The same over HTTP. */
export function overHttp({ url, token }: Pick<HttpServer, "url" | "token">, fetching = fetch): Endpoint[] {
  const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } }, fetch: fetching };
  const target = new URL(`${url}/mcp`);
  return [
    { label: "http, 2025-11-25", connect: () => connectV1("http, 2025-11-25", new HttpV1(target, options)) },
    { label: "http, 2026-07-28", connect: () => connectV2("http, 2026-07-28", new HttpV2(target, options)) },
  ];
}

async function connectV1(label: string, transport: StdioV1 | HttpV1): Promise<TestClient> {
  const client = new ClientV1(INFO);
  await client.connect(transport);
  return {
    label,
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args = {}) => read(await client.callTool({ name, arguments: args })),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function connectV2(label: string, transport: StdioV2 | HttpV2): Promise<TestClient> {
  const client = new ClientV2(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(transport);
  return {
    label,
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args = {}) => read(await client.callTool({ name, arguments: args })),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function read(result: Readonly<Record<string, unknown>>) {
  const parts: unknown[] = Array.isArray(result.content) ? result.content : [];
  const text = parts.map((part) => typeof part === "object" && part !== null && "text" in part ? String(part.text) : "")
    .join("\n");
  return { text, isError: result.isError === true, structured: result.structuredContent };
}
