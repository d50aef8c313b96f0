/**
 * Raw HTTP/1.1 client, because fetch does not let a test choose the Host header, stop in the middle, or send a false
 * length.
 * @module
 */
import type { HttpServer } from "./binary.ts";

/** A request as the test wants it; a header with an empty value is left out. */
export interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came back. */
export interface Answered {
  /** NaN when the connection was closed without an answer. */
  readonly status: number;
  /** Status line and headers. */
  readonly top: string;
  readonly body: string;
  header(name: string): string | undefined;
}

const encoder = new TextEncoder();

/** Sends one request with the right token, a right Host and a right length, unless the test says otherwise. */
export async function ask(server: HttpServer, asked: Asked): Promise<Answered> {
  using connection = await dial(server);
  await send(connection, headOf(server, asked) + (asked.body ?? ""));
  return parse(await readAll(connection));
}

/** Opens a connection to the server. */
export function dial({ url }: HttpServer): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(url);
  return Deno.connect({ hostname, port: Number(port) });
}

/** The first line and the headers of a request, with the empty line after them. */
export function headOf(
  server: HttpServer,
  { path = "/tool", method = "POST", headers = {}, body = "" }: Asked,
): string {
  const all = {
    Host: new URL(server.url).host,
    "X-LLMC-Token": server.token,
    "Content-Type": "application/json",
    "Content-Length": `${encoder.encode(body).length}`,
    Connection: "close",
    ...headers,
  };
  const lines = Object.entries(all).filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** Writes a text; a server that closes before it has read everything is no error. */
export async function send(connection: Deno.Conn, text: string): Promise<void> {
  let bytes = encoder.encode(text);
  try {
    while (bytes.length > 0) bytes = bytes.subarray(await connection.write(bytes));
  } catch {
    // the server answered before it had read everything
  }
}

/** Everything until the other end closes, or resets. */
export async function readAll(connection: Deno.Conn): Promise<string> {
  const decoder = new TextDecoder(), buffer = new Uint8Array(65_536);
  let text = "";
  try {
    for (let length; (length = await connection.read(buffer)) !== null;) {
      text += decoder.decode(buffer.subarray(0, length), { stream: true });
    }
  } catch {
    // reset: what came before counts
  }
  return text;
}

/** Reads an answer apart. */
export function parse(text: string): Answered {
  const [top = "", ...rest] = text.split("\r\n\r\n");
  return {
    status: Number(top.match(/^HTTP\/1\.1 (\d+)/)?.[1]),
    top,
    body: rest.join("\r\n\r\n"),
    header: (name) => top.match(new RegExp(`^${name}: (.*?)\\r?$`, "im"))?.[1],
  };
}

/** A JSON-RPC request. */
export function rpc(method: string, params: unknown, id = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

/** Options of `serve` under which a test that is not about limits meets none. */
export const WITHOUT_LIMITS = [
  "--set",
  "mcp.limits.rate_limit_rps=100000",
  "--set",
  "mcp.limits.rate_limit_burst=100000",
];
