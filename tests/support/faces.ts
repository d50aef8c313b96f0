/** Second-generation clients on both transports and both protocols, with every client capability. @module */
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { BINARY, type HttpServer, type Sandbox } from "./binary.ts";

/** One way to reach the server. */
export interface Face {
  readonly label: string;
  /** Whether it speaks the protocol without handshake. */
  readonly isStateless: boolean;
  /** @param prepare Registers handlers before the connection is made. */
  connect(options?: ClientOptions, prepare?: (client: Client) => void): Promise<Connected>;
}

/** A connected client. */
export type Connected = Client & AsyncDisposable;

const PROTOCOLS = [["2025-11-25", false], ["2026-07-28", true]] as const;
const INFO = { name: "llmc-test", version: "1.0.0" };

/** For tests with these clients: closing their stdio transport leaves a timer of two seconds behind. */
export const SDK_TIMERS = { sanitizeOps: false, sanitizeResources: false } as const;

/** The stdio faces: each connection starts a server of its own. */
export function stdioFaces(sandbox: Sandbox, args: readonly string[] = []): Face[] {
  const command = {
    command: BINARY,
    args: ["stdio", "--root", sandbox.root, ...args],
    env: sandbox.env,
    stderr: "ignore" as const,
  };
  return PROTOCOLS.map(([version, isStateless]) => ({
    label: `stdio, ${version}`,
    isStateless,
    connect: (options, prepare) => connect(new StdioClientTransport(command), isStateless, options, prepare),
  }));
}

/** The HTTP faces of one server. */
export function httpFaces(
  { url, token }: Pick<HttpServer, "url" | "token">,
  headers: Readonly<Record<string, string>> = {},
  fetching = fetch,
): Face[] {
  const options = { requestInit: { headers: { ...headers, Authorization: `Bearer ${token}` } }, fetch: fetching };
  const target = new URL(`${url}/mcp`);
  return PROTOCOLS.map(([version, isStateless]) => ({
    label: `http, ${version}`,
    isStateless,
    connect: (clientOptions, prepare) =>
      connect(new StreamableHTTPClientTransport(target, options), isStateless, clientOptions, prepare),
  }));
}

async function connect(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  isStateless: boolean,
  options: ClientOptions = {},
  prepare: (client: Client) => void = () => {},
): Promise<Connected> {
  const versionNegotiation = isStateless ? { mode: { pin: "2026-07-28" } } : {};
  const client = new Client(INFO, { ...options, versionNegotiation });
  prepare(client);
  await client.connect(transport);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}
