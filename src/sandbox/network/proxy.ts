/** HTTP proxy that connects to listed names only: the one way out of the network of programs. @module */
import { encodeText } from "../../core/bytes.ts";
import { type NetworkRule, ruleFor } from "../../core/network_list.ts";
import { settlesWithin } from "../../core/time.ts";
import { isPublicAddress } from "./public_address.ts";
import { close, copy, pump, sendAll } from "./pump.ts";
import { type HeadFault, type ProxyRequest, readRequestHead } from "./request_head.ts";

/** What the proxy needs. */
export interface ProxyDeps {
  readonly rules: readonly NetworkRule[];
  /** All addresses of a name. */
  resolve(name: string): Promise<readonly string[]>;
  connect(address: string, port: number): Promise<Deno.Conn>;
  /** Told of each place that was refused, and why, in one line. */
  refused(line: string): void;
}

const MAX_HEAD_BYTES = 32 * 1024, HEAD_MS = 30_000, MAX_CONNECTIONS = 512;
const STATUS = {
  400: "Bad Request",
  403: "Forbidden",
  411: "Length Required",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

/** Answers one connection after the other. */
export function makeProxy(deps: ProxyDeps): { serve(connection: Deno.Conn): Promise<void> } {
  let open = 0;
  return {
    async serve(connection) {
      open++;
      try {
        if (open > MAX_CONNECTIONS) await answer(connection, 503, "too many connections");
        else await handle(deps, connection);
      } catch {
        // the program or the server at the other end is gone
      } finally {
        open--;
        close(connection);
      }
    },
  };
}

async function handle(deps: ProxyDeps, connection: Deno.Conn): Promise<void> {
  const read = readHead(connection);
  if (!await settlesWithin(read, HEAD_MS)) return;
  const found = await read;
  if (found === null) return;
  const request = readRequestHead(found.head);
  if ("status" in request) return await refuse(deps, connection, request);
  const place = await placeOf(deps, request);
  if ("status" in place) return await refuse(deps, connection, place);
  const upstream = await connectToAny(deps, place.addresses, request.port);
  if (upstream === null) return await answer(connection, 502, `${request.name}:${request.port} does not answer`);
  try {
    if (request.forward === null) {
      await sendAll(connection, encodeText("HTTP/1.1 200 Connection established\r\n\r\n"));
      await sendAll(upstream, found.rest);
      await pump(connection, upstream);
    } else await forward(connection, upstream, request, request.forward, found.rest);
  } finally {
    close(upstream);
  }
}

async function refuse({ refused }: ProxyDeps, connection: Deno.Conn, fault: HeadFault): Promise<void> {
  if (fault.target !== null) refused(`${fault.target}: ${fault.reason}`);
  await answer(connection, fault.status, `${fault.target ?? "request"}: ${fault.reason}`);
}

/** The first address that answers; null when none does. */
async function connectToAny(
  { connect }: ProxyDeps,
  addresses: readonly string[],
  port: number,
): Promise<Deno.Conn | null> {
  for (const address of addresses) {
    const upstream = await connect(address, port).catch(() => null);
    if (upstream !== null) return upstream;
  }
  return null;
}

/** Sends one request on, no byte more: what follows it could be meant for another name. */
async function forward(
  connection: Deno.Conn,
  upstream: Deno.Conn,
  { bodyBytes }: ProxyRequest,
  head: string,
  rest: Uint8Array,
): Promise<void> {
  await sendAll(upstream, encodeText(head));
  const early = rest.subarray(0, bodyBytes);
  await sendAll(upstream, early);
  const sending = copy(connection, upstream, bodyBytes - early.length).catch(() => {});
  await copy(upstream, connection);
  close(connection);
  await sending;
}

/** The addresses to connect to: looked up once, so that no second answer can be another one. */
async function placeOf(
  { rules, resolve }: ProxyDeps,
  { name, port }: ProxyRequest,
): Promise<{ readonly addresses: readonly string[] } | HeadFault> {
  const target = `${name}:${port}`, rule = ruleFor(rules, name, port);
  if (rule === undefined) return { status: 403, reason: "mcp.tools.network_allow does not list it", target };
  const addresses = await resolve(name).catch((): string[] => []);
  if (addresses.length === 0) return { status: 403, reason: "the name cannot be resolved", target };
  if (rule.isPrivate || addresses.every(isPublicAddress)) return { addresses };
  return { status: 403, reason: "it leads to a private address; list it as private:NAME to allow that", target };
}

async function readHead(connection: Deno.Conn): Promise<{ head: string; rest: Uint8Array } | null> {
  const bytes = new Uint8Array(MAX_HEAD_BYTES);
  for (let length = 0; length < bytes.length;) {
    const count = await connection.read(bytes.subarray(length));
    if (count === null) return null;
    const text = latin1(bytes.subarray(0, length += count)), end = text.indexOf("\r\n\r\n");
    if (end >= 0) return { head: text.slice(0, end), rest: bytes.slice(end + 4, length) };
  }
  await answer(connection, 400, "the head of the request is too long");
  return null;
}

/** One character for each byte. */
function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4_096) text += String.fromCharCode(...bytes.subarray(at, at + 4_096));
  return text;
}

async function answer(connection: Deno.Conn, status: keyof typeof STATUS, reason: string): Promise<void> {
  const body = `llmc-mcp: ${reason}\n`, { length } = encodeText(body);
  const head = `HTTP/1.1 ${status} ${STATUS[status]}\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n`;
  await sendAll(connection, encodeText(`${head}Connection: close\r\n\r\n${body}`));
}
