/**
 * Load test of the executable's HTTP interface: rates, overload, latencies, throughput, and badly behaved clients.
 *
 *     deno run -A bench/http_load.ts [--seconds 20] [--binary dist/llmc-mcp]
 *
 * Writes bench/results/http.json and prints a table; exits 1 when something did not hold. Talks to 127.0.0.1 only. For
 * the figures of the specification use --seconds 60.
 *
 * @module
 */
import { BINARY, type HttpServer, Sandbox, startHttp } from "../tests/support/binary.ts";
import { abuse } from "./http/abuse.ts";
import { latencies } from "./http/latencies.ts";
import { overload, sustained } from "./http/rates.ts";
import { restarts } from "./http/restart.ts";
import type { Row } from "./http/row.ts";
import { throughput } from "./http/throughput.ts";

const RESULTS = new URL("./results/http.json", import.meta.url);
/** Files that the search has to know. */
const MODULES = 400;

function option(name: string, fallback: string): string {
  const at = Deno.args.indexOf(`--${name}`);
  return at < 0 ? fallback : Deno.args[at + 1] ?? fallback;
}

const UNLIMITED = ["rate_limit_rps=100000", "rate_limit_burst=100000", "concurrency_per_token=128"];
const SLEEP = ["--set", 'mcp.linux_ops.commands.allowed_binaries=["sleep"]'];
/** One log line for each call would measure the reader of the log. */
const QUIET = ["--set", "mcp.observability.log_level=warn"];

async function main(): Promise<number> {
  const seconds = Number(option("seconds", "20")), binary = option("binary", BINARY);
  await using sandbox = await Sandbox.make(modules());
  const roots = ["--set", `mcp.rag.roots=["${sandbox.root}"]`];
  const serve = (...limits: string[]) =>
    startHttp(sandbox, {
      binary,
      args: [...QUIET, ...SLEEP, ...roots, ...limits.flatMap((limit) => ["--set", `mcp.limits.${limit}`])],
    });
  const rows: Row[] = [];
  const keep = (found: readonly Row[]) => {
    for (const row of found) {
      rows.push(row);
      say(lineOf(row));
    }
  };
  const measure = async (server: HttpServer, what: (server: HttpServer) => Promise<Row[]>) => keep(await what(server));
  {
    await using server = await serve(); // the limits as they are by default
    await measure(server, (server) => sustained(server, seconds));
    await measure(server, (server) => overload(server, seconds));
  }
  {
    await using server = await serve(...UNLIMITED);
    await measure(server, latencies);
    await measure(server, (server) => throughput(server, Math.min(seconds, 10)));
    await measure(server, abuse);
  }
  keep(await restarts(() => serve(...UNLIMITED)));
  await save(rows, seconds);
  return rows.every(({ holds }) => holds) ? 0 : 1;
}

/** A tree with something to find in it. */
function modules(): Record<string, string> {
  const files: Record<string, string> = { "a.txt": "hello\n".repeat(40) };
  for (let index = 0; index < MODULES; index++) {
    const parts = Array.from(
      { length: 20 },
      (_, part) =>
        `/** Adds ${part} to the ${index}th lamp. */\nexport function addLamp${index}_${part}(lamp: number): number {\n  return lamp + ${part};\n}\n`,
    );
    files[`src/lamp_${index}.ts`] = parts.join("\n");
  }
  return files;
}

async function save(rows: readonly Row[], seconds: number): Promise<void> {
  const machine = {
    cores: navigator.hardwareConcurrency,
    load: Deno.loadavg().map((value) => Math.round(value * 100) / 100),
  };
  await Deno.mkdir(new URL("./", RESULTS), { recursive: true });
  const report = { at: new Date().toISOString(), deno: Deno.version.deno, machine, seconds, rows };
  await Deno.writeTextFile(RESULTS, JSON.stringify(report, null, 2) + "\n");
}

function lineOf({ what, figure, target, holds }: Row): string {
  return `${holds ? "ok  " : "MISS"}  ${what.padEnd(52)}  ${figure.padEnd(44)}  ${target}`;
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

if (import.meta.main) Deno.exit(await main());
