/** Fuzzes the HTTP interface: invalid bodies derived from its own description, and malformed HTTP. @module */
import type { HttpFuzzResult } from "../../scripts/reports/security.ts";
import { makeRandom, type Random } from "../../tests/support/random.ts";
import { type HttpServer } from "../../tests/support/binary.ts";
import { anyJson, brokenJson, type Definitions, jsonFor, type Schema } from "./fuzz_json.ts";

/** How much. */
export interface HttpFuzzOptions {
  readonly server: HttpServer;
  readonly requests: number;
  readonly rawConnections: number;
  readonly seed: number;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Definitions };
}

interface Operation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Target {
  readonly path: string;
  readonly method: string;
  readonly schema: Schema | null;
  readonly statuses: ReadonlySet<string>;
}

const REQUEST_TIMEOUT_MS = 40_000, HEALTH_TIMEOUT_MS = 10_000;
const IN_FLIGHT = 8;
/** Refusals of what is no request for this path at all; a description of the path does not list them. */
const BEFORE_THE_ROUTE = new Set(["405", "414", "431"]);

/** Runs both parts against a running server. */
export async function fuzzHttp({ server, requests, rawConnections, seed }: HttpFuzzOptions): Promise<HttpFuzzResult> {
  const random = makeRandom(seed), faults: string[] = [], statuses: Record<string, number> = {};
  const headers = { "X-LLMC-Token": server.token };
  const description: OpenApi = await (await fetch(`${server.url}/openapi.json`, { headers })).json();
  const targets = [...targetsOf(description), {
    path: "/mcp",
    method: "POST",
    schema: null,
    statuses: new Set<string>(),
  }];
  const definitions = description.components?.schemas ?? {};
  let done = 0;
  const worker = async () => {
    while (done++ < requests) {
      const target = random.pick(targets);
      const body = bodyFor(random, target, definitions);
      // The one tool that ends processes of this machine is not called with made-up numbers.
      if (body === null || /proc.kill/.test(body)) continue;
      const status = await send(server, target, body, random, faults);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  await health(server, "the requests", faults);
  for (let count = 0; count < rawConnections; count++) {
    const bytes = rawRequest(random, server);
    const status = await sendRaw(server, bytes, faults);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (count % 25 === 0 || count === rawConnections - 1) {
      await health(server, JSON.stringify(bytes.slice(0, 200)), faults);
    }
  }
  for (const line of server.stderr().split("\n")) {
    if (/uncaught|unexpected error|panicked|RangeError|TypeError/i.test(line)) {
      faults.push(`log: ${line.slice(0, 400)}`);
    }
  }
  return { requests, rawConnections, statuses, faults };
}

function targetsOf({ paths }: OpenApi): Target[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody, responses }]) => ({
      path,
      method: method.toUpperCase(),
      schema: requestBody?.content?.["application/json"]?.schema ?? null,
      statuses: new Set(Object.keys(responses)),
    }))
  );
}

function bodyFor(random: Random, { path, schema }: Target, definitions: Definitions): string | null {
  if (path === "/mcp") {
    const params = random.pick([anyJson(random), `{"name":"read_file","arguments":${anyJson(random)}}`]);
    const method = random.pick(['"tools/call"', '"initialize"', '"ping"', anyJson(random, 1)]);
    return random.chance(0.3)
      ? brokenJson(random)
      : `{"jsonrpc":"2.0","id":${anyJson(random, 1)},"method":${method},"params":${params}}`;
  }
  if (schema === null) return "";
  return random.chance(0.15) ? brokenJson(random) : jsonFor(random, schema, random.pick([0, 0.05, 0.3]), definitions);
}

async function send(
  server: HttpServer,
  { path, method, statuses }: Target,
  body: string,
  random: Random,
  faults: string[],
): Promise<string> {
  const shown = `${method} ${path} ${body.slice(0, 300)}`;
  const query = random.chance(0.1)
    ? `?${random.pick(["a=b", "%00", "__proto__[x]=1", "q=%ff", "x".repeat(3_000)])}`
    : "";
  const headers = new Headers({ "X-LLMC-Token": server.token, "Content-Type": "application/json" });
  if (path === "/mcp") headers.set("Accept", "application/json, text/event-stream");
  if (random.chance(0.1)) {
    const [name, value] = random.pick(
      [
        ["X-LLMC-Agent", "\u00ff=;,\t"],
        ["X-LLMC-Model", "m".repeat(5_000)],
        ["X-Correlation-Id", "%00<script>"],
        ["Mcp-Session-Id", "__proto__"],
        ["MCP-Protocol-Version", "9999-99-99"],
        ["Last-Event-ID", "-1"],
        ["Content-Type", "application/json; charset=utf-16"],
        ["Accept", "*/*;q=x"],
      ] as const,
    );
    headers.set(name, value);
  }
  try {
    const answer = await fetch(server.url + path + query, {
      method,
      headers,
      ...method === "GET" ? {} : { body },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const text = await answer.text(), status = `${answer.status}`;
    const isExpected = statuses.size === 0 ? answer.status < 500 : statuses.has(status) || BEFORE_THE_ROUTE.has(status);
    if (status === "500" || /"code":\s*("INTERNAL"|-32603)/.test(text)) {
      faults.push(`${status} ${shown}: ${text.slice(0, 300)}`);
    } else if (!isExpected) faults.push(`${status} is not described: ${shown}`);
    return status;
  } catch (error) {
    faults.push(`${shown}: ${error instanceof Error ? error.message : error}`);
    return "none";
  }
}

async function health(server: HttpServer, after: string, faults: string[]): Promise<void> {
  try {
    const answer = await fetch(`${server.url}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    await answer.text();
    if (answer.status !== 200) faults.push(`health ${answer.status} after ${after}`);
  } catch (error) {
    faults.push(`no health after ${after}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Bytes for one connection. Characters stand for bytes. */
function rawRequest(random: Random, { url, token }: HttpServer): string {
  const host = new URL(url).host;
  const body = '{"session_id":"s","name":"read_file","args":{"path":"a.txt"}}';
  const head = (line: string, headers: readonly string[] = []) =>
    [line, `Host: ${host}`, `X-LLMC-Token: ${token}`, "Content-Type: application/json", ...headers, "", ""].join(
      "\r\n",
    );
  const post = (...headers: string[]) => head("POST /tool HTTP/1.1", ["Connection: close", ...headers]);
  const get = (path: string, version = "HTTP/1.1") => head(`GET ${path} ${version}`, ["Connection: close"]);
  const whole = post(`Content-Length: ${body.length}`) + body;
  const noise = String.fromCharCode(...Array.from({ length: random.below(300) }, () => random.below(256)));
  const at = random.below(whole.length);
  return random.pick([
    noise,
    `${noise}\r\n\r\n`,
    whole.slice(0, at),
    whole.slice(0, at) + noise.slice(0, 3) + whole.slice(at + random.below(4)),
    post(`Content-Length: ${body.length}`, "Transfer-Encoding: chunked") + `5\r\nhello\r\n0\r\n\r\n`,
    post(`Content-Length: ${body.length}`, `Content-Length: ${body.length + 1}`) + body,
    post("Content-Length: -1") + body,
    post("Content-Length: 99999999999999999999") + body,
    post("Content-Length: 0x10") + body,
    post("Transfer-Encoding: chunked") + "ffffffffffffffff\r\n" + body,
    post("Transfer-Encoding: chunked") + "-1\r\n\r\n",
    post("Transfer-Encoding: chunked") + '5;ext="\r\nhello\r\n0\r\nTrailer: x\r\n\r\n',
    post("Transfer-Encoding: xchunked") + body,
    post("Transfer-Encoding: gzip, chunked") + "0\r\n\r\n",
    post("Expect: 100-continue", `Content-Length: ${body.length}`),
    post("Content-Encoding: gzip", `Content-Length: ${body.length}`) + body,
    post(`Content-Length: ${body.length}`, " folded: yes", "X:\0y") + body,
    post(`Content-Length: ${body.length}`, ...Array.from({ length: 2_000 }, (_, index) => `X-${index}: y`)) + body,
    post(`X-Long: ${"z".repeat(random.pick([8_000, 100_000, 1_000_000]))}`),
    get("/" + "a/".repeat(20_000)),
    get("/%00"),
    get("/..%2f..%2fetc/passwd"),
    get("/../../etc/passwd"),
    get("//evil.example/health"),
    get("http://evil.example/health"),
    get("*"),
    get("/health", "HTTP/9.9"),
    get("/health", "HTTP/1.0"),
    "GET /health\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    get("/health").replaceAll("\r\n", "\n"),
    get("/health") + get("/health") + noise,
    head(`${random.pick(["TRACE", "CONNECT", "get", "\x00", "A".repeat(9_000)])} /health HTTP/1.1`, [
      "Connection: close",
    ]),
    head("GET /mcp HTTP/1.1", ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: x"]),
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + noise,
  ]);
}

/** Writes bytes, ends its half and reads to the end. Answers the first status, or what came instead. */
async function sendRaw({ url }: HttpServer, bytes: string, faults: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const shown = JSON.stringify(bytes.slice(0, 200));
  let text = "";
  const timer = setTimeout(() => {
    faults.push(`no end of the connection for ${shown}`);
    connection.close();
  }, REQUEST_TIMEOUT_MS);
  try {
    let rest = Uint8Array.from(bytes, (character) => character.charCodeAt(0));
    while (rest.length > 0) rest = rest.subarray(await connection.write(rest));
    await connection.closeWrite();
    const buffer = new Uint8Array(65_536);
    for (let length; (length = await connection.read(buffer)) !== null;) {
      text += new TextDecoder().decode(buffer.subarray(0, length));
    }
  } catch {
    // closed by the other end, which it may
  } finally {
    clearTimeout(timer);
  }
  const status = text.match(/^HTTP\/1\.[01] (\d+)/)?.[1] ?? "closed";
  if (/^5/.test(status) && status !== "501" && status !== "505") faults.push(`${status} for ${shown}`);
  if (text.includes("root:x:0")) faults.push(`a file of the machine for ${shown}`);
  return status;
}
