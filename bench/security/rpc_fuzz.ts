/** Fuzzes the stdio server with invalid messages and every tool with invalid arguments. @module */
import type { RpcFuzzResult } from "../../scripts/reports/security.ts";
import { makeRandom, type Random } from "../../tests/support/random.ts";
import { anyJson, brokenJson, jsonFor, type Schema } from "./fuzz_json.ts";
import { type ServerCommand, startStdio, type StdioServer } from "./stdio_server.ts";

/** How much. */
export interface RpcFuzzOptions {
  readonly command: ServerCommand;
  readonly frames: number;
  readonly callsPerTool: number;
  readonly seed: number;
}

/** Options under which every tool is listed. */
export const ALL_TOOLS = [
  "--set",
  'mcp.tools.toolsets=["fs","search","run","proc","sys","rag","stats","logs","mvp","te","ufo"]',
  "--set",
  "mcp.linux_ops.features.logs_enabled=true",
];

/** A call is given up after this; none of them has a reason to take so long. */
const CALL_TIMEOUT_MS = 40_000, PING_TIMEOUT_MS = 10_000;
const FRAMES_BETWEEN_PINGS = 25;
const IN_FLIGHT = 6;
/** Ends processes of this machine; so it gets numbers only that no process has. */
const DANGEROUS: Readonly<Record<string, Schema>> = {
  linux_proc_kill: { type: "object", properties: { pid: { enum: [2 ** 31, 2 ** 40, 1e300] } }, required: ["pid"] },
};

/** Runs both parts against one server, which must answer to the end. */
export async function fuzzRpc({ command, frames, callsPerTool, seed }: RpcFuzzOptions): Promise<RpcFuzzResult> {
  const random = makeRandom(seed), faults: string[] = [];
  await using server = await startStdio(command);
  for (let count = 0; count < frames; count++) {
    const frame = anyFrame(random);
    await server.send(frame);
    if (count % FRAMES_BETWEEN_PINGS === 0 || count === frames - 1) await ping(server, String(frame), faults);
  }
  const { result } = await server.request("tools/list", {});
  const tools: { name: string; inputSchema: Schema }[] = Array.isArray(result?.tools) ? result.tools : [];
  let worked = 0, calls = 0;
  const todo = tools.flatMap((tool) => Array<typeof tool>(callsPerTool).fill(tool));
  const worker = async () => {
    for (let tool = todo.pop(); tool !== undefined; tool = todo.pop()) {
      const schema = DANGEROUS[tool.name] ?? tool.inputSchema;
      const wrongness = DANGEROUS[tool.name] ? 0 : random.pick([0, 0.1, 0.5]);
      calls++;
      if (await call(server, tool.name, jsonFor(random, schema, wrongness), faults)) worked++;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  await ping(server, "the last call", faults);
  for (const line of server.garbage) faults.push(`no message: ${line.slice(0, 200)}`);
  for (const line of server.stderr().split("\n")) {
    if (/uncaught|unexpected error|panicked|RangeError|TypeError/i.test(line)) {
      faults.push(`log: ${line.slice(0, 400)}`);
    }
  }
  return { frames, calls, worked, tools: tools.map(({ name }) => name), faults };
}

async function ping(server: StdioServer, after: string, faults: string[]): Promise<void> {
  const answer = await server.request("ping", {}, PING_TIMEOUT_MS).catch((error) => String(error));
  if (typeof answer === "string") faults.push(`${answer} after ${after.slice(0, 200)}`);
}

/** Whether the call worked. The arguments are text, because no object can hold a key twice or `1e999`. */
async function call(server: StdioServer, name: string, args: string, faults: string[]): Promise<boolean> {
  const shown = `${name} ${args.slice(0, 300)}`;
  try {
    const text = await server.callText(name, args, CALL_TIMEOUT_MS);
    if (/INTERNAL|-32603|Internal error/.test(text)) faults.push(`${shown}: ${text.slice(0, 300)}`);
    return !text.includes('"isError":true') && !text.includes('"error":');
  } catch (error) {
    faults.push(`${shown}: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

const METHODS = [
  "ping",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "resources/subscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "server/discover",
  "notifications/cancelled",
  "notifications/progress",
  "notifications/initialized",
  "notifications/roots/list_changed",
  "__proto__",
  "constructor",
  "toString",
  "",
  "rpc.discover",
  "x".repeat(5_000),
];

/** One line; what answers to it is not looked at, its id is never one of ours. */
function anyFrame(random: Random): string | Uint8Array {
  const choice = random.below(10);
  if (choice === 0) return `${brokenJson(random).replaceAll("\n", " ")}\n`;
  if (choice === 1) return new Uint8Array([...Array.from({ length: random.below(200) }, () => random.below(256)), 10]);
  if (choice === 2) {
    return random.pick(["\n", "\r\n", "null\n", "[]\n", "{}\n", "[[]]\n", "1\n", "\ufeff{}\n", "[1,2,null]\n"]);
  }
  const id = random.pick([
    '"x"',
    "-1",
    "1.5",
    "1e999",
    "null",
    "{}",
    "[1]",
    "true",
    '""',
    `"${"y".repeat(9_000)}"`,
    "-0",
  ]);
  const version = random.pick(['"2.0"', '"2.0"', '"2.0"', '"1.0"', "2", "null"]);
  const method = random.chance(0.9) ? JSON.stringify(random.pick(METHODS)) : anyJson(random, 1);
  const parts = [`"jsonrpc":${version}`, `"id":${id}`, `"method":${method}`, `"params":${anyParams(random)}`];
  if (random.chance(0.2)) parts.splice(random.below(4), 1);
  if (random.chance(0.1)) parts.push(random.pick(parts), `"__proto__":${anyJson(random, 2)}`);
  const message = `{${parts.join()}}`;
  return random.chance(0.1) ? `[${message},${message}]\n` : `${message}\n`;
}

function anyParams(random: Random): string {
  return random.pick([
    anyJson(random),
    `{"name":${anyJson(random, 1)},"arguments":${anyJson(random)}}`,
    `{"uri":${anyJson(random, 1)}}`,
    `{"name":"linux_fs_read","arguments":{"path":"a.txt"},"_meta":${anyJson(random)}}`,
    `{"name":"linux_fs_read","arguments":{"path":"a.txt"},"_meta":{"progressToken":${anyJson(random, 1)}}}`,
    `{"cursor":${anyJson(random, 1)}}`,
    `{"ref":{"type":"ref/resource","uri":${anyJson(random, 1)}},"argument":{"name":"path","value":${
      anyJson(random, 1)
    }}}`,
    `{"level":${anyJson(random, 1)}}`,
    `{"requestId":${anyJson(random, 1)},"reason":${anyJson(random, 1)}}`,
    "{".repeat(2_000) + "}".repeat(2_000),
  ]);
}
