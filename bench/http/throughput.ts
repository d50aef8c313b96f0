/** Measures requests per second without rate limits. @module */
import autocannon from "autocannon";
import type { HttpServer } from "../../tests/support/binary.ts";
import type { Row } from "./row.ts";

/** What is used of the load generator, which comes without types. */
interface Load {
  readonly requests: { readonly average: number };
  readonly latency: { readonly p99: number };
  readonly non2xx: number;
  readonly errors: number;
}

const generate: (options: Readonly<Record<string, unknown>>) => Promise<Load> = autocannon;
const CONNECTIONS = 10;
const TARGET_RPS = 8_000;

/** A server that answers the same with nothing around it: what this machine can do at the moment. */
const BARE = `
  const headers = { "Content-Type": "application/json; charset=utf-8" };
  Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log(port) }, () =>
    new Response('{"ok":true,"version":"0.1.0"}', { headers }));
`;

/** Measures GET /health, and the bare server. The load generator shares the machine's cores with both. */
export async function throughput({ url }: HttpServer, seconds: number): Promise<Row[]> {
  const bare = await bareThroughput(seconds);
  const { requests, latency, non2xx, errors } = await load(`${url}/health`, seconds);
  const faults = non2xx + errors, rps = Math.round(requests.average);
  return [{
    what: `GET /health over ${CONNECTIONS} connections, ${seconds} s`,
    figure: `${rps}/s (bare Deno.serve ${bare}/s), p99 ${latency.p99} ms, ${faults} failed`,
    target: `>= ${TARGET_RPS}/s`,
    holds: rps >= TARGET_RPS && faults === 0,
    values: { rps, bare_rps: bare, p99_ms: latency.p99, failed: faults },
  }];
}

async function bareThroughput(seconds: number): Promise<number> {
  await using child = new Deno.Command(Deno.execPath(), { args: ["eval", BARE], stdout: "piped", stderr: "null" })
    .spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await reader.read();
  const { requests } = await load(`http://127.0.0.1:${value.trim()}/health`, seconds);
  child.kill("SIGTERM");
  await reader.cancel();
  return Math.round(requests.average);
}

async function load(url: string, seconds: number): Promise<Load> {
  await generate({ url, connections: CONNECTIONS, duration: 2 }); // warm
  return await generate({ url, connections: CONNECTIONS, duration: seconds });
}
