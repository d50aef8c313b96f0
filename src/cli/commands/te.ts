/**
 * `llmc-mcp te [OPTIONS] -- COMMAND…`: runs a command through the Tool Envelope and exits with its exit code.
 * @module
 */
import type { Answer } from "../../call/answer.ts";
import * as z from "zod";
import type { TeUsage } from "../../store/calls.ts";
import { type TeResult, teResult } from "../../tools/te/te_result.ts";
import { examplesOf } from "../examples.ts";
import { EXIT } from "../output.ts";
import { CHUNK_LINES, readTeOptions, TE_OPTIONS, type TeOptions } from "./te_options.ts";

/** What the command line needs of the running server. */
export interface TeServer {
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<Answer>;
  teStats(windowSeconds: number): Promise<readonly TeUsage[]>;
}

/** The outside of the command line. */
export interface TeConsole {
  /** Starts the server with the configuration that the options name; `stop` ends it. */
  open(config: TeOptions["config"]): Promise<{
    server: TeServer;
    /** The directory of the shell, if it is inside a root. */
    cwd: string | undefined;
    stop(): Promise<void>;
  }>;
  print(text: string): void;
  say(line: string): void;
  environment(name: string): string | undefined;
}

/** As much as one result may have. */
const RAW_CHUNK_BYTES = 65_536;
const STATS_WINDOW_SECONDS = 30 * 86_400;

const WIDTH = Math.max(...TE_OPTIONS.map(({ shown }) => shown.length));

const HELP = `Usage: llmc-mcp te [options] [--] COMMAND...
       llmc-mcp te --handle H [--chunk N]
       llmc-mcp te --stats

Run one command in the sandbox and print compact output.
Exits with the exit code of the command. Options come before the command.

Options:
${TE_OPTIONS.map(({ shown, description }) => `  ${shown.padEnd(WIDTH)}  ${description}`).join("\n")}
  ${"-h, --help".padEnd(WIDTH)}  print help
${examplesOf("te")}
`;

/** Runs the command. @returns the exit code. */
export async function te(words: readonly string[], outside: TeConsole): Promise<number> {
  const options = readTeOptions(words);
  if (options === "") {
    outside.print(HELP);
    return 0;
  }
  if (typeof options === "string") {
    outside.say(`llmc-mcp te: ${options}`);
    return EXIT.usage;
  }
  const { server, cwd, stop } = await outside.open(options.config);
  try {
    if (options.stats) return await printStats(options, server, outside);
    if (options.handle !== undefined) return await printHandle(options, options.handle, server, outside);
    return await runCommand({ ...options, cwd: options.cwd ?? cwd }, server, outside);
  } finally {
    await stop();
  }
}

async function runCommand(options: TeOptions, server: TeServer, outside: TeConsole): Promise<number> {
  const agent = options.agent ?? outside.environment("TE_AGENT_ID");
  const session = options.session ?? outside.environment("TE_SESSION_ID");
  const model = options.model ?? outside.environment("TE_MODEL");
  const answer = await server.call("te_run", {
    argv: options.command,
    raw: options.raw,
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(agent !== undefined && { agent_id: agent }),
    session_id: session ?? `cli-${crypto.randomUUID().slice(0, 8)}`, // a session of its own: budgets are by session
    ...(model !== undefined && { model }),
  });
  if (answer.error) return printError(answer, options.json, outside);
  const result = teResult().parse(answer.result);
  if (options.json) outside.print(`${JSON.stringify(result, null, 2)}\n`);
  else if (options.raw) {
    outside.print(await wholeOutput(result, server));
    if (result.stderr !== "") outside.say(result.stderr.replace(/\n$/, ""));
  } else printLean(result, outside);
  return result.exit_code ?? 0;
}

/** Raw output is never cut: what is too long for a result is read from its handle. */
async function wholeOutput({ stdout, stderr, enrichment: { handle } }: TeResult, server: TeServer): Promise<string> {
  if (handle === null) return stdout;
  let text = "", offset = 0;
  for (let more = true; more;) {
    const answer = await server.call("linux_handle_read", { handle, offset, limit: RAW_CHUNK_BYTES, unit: "bytes" });
    if (answer.error) return stdout;
    const part = handlePart.parse(answer.result);
    text += part.content;
    offset += part.returned;
    more = part.more && part.returned > 0;
  }
  // The handle has both streams, the second under its name.
  const other = stderr === "" ? -1 : text.lastIndexOf(`[stderr]\n${stderr.slice(0, 200)}`);
  return other < 0 ? text : text.slice(0, other);
}

const handlePart = z.object({ content: z.string(), returned: z.number(), more: z.boolean() });

function printLean(result: TeResult, outside: TeConsole): void {
  if (result.stdout !== "") outside.print(result.stdout.endsWith("\n") ? result.stdout : `${result.stdout}\n`);
  if (result.stderr.trim() !== "") outside.say(result.stderr.replace(/\n$/, ""));
  const { handle } = result.enrichment;
  if (handle !== null) outside.print(`[all of it: llmc-mcp te --handle ${handle}]\n`);
}

async function printHandle(options: TeOptions, handle: string, server: TeServer, outside: TeConsole): Promise<number> {
  const offset = options.chunk * CHUNK_LINES;
  const answer = await server.call("linux_handle_read", { handle, offset, limit: CHUNK_LINES });
  if (answer.error) return printError(answer, options.json, outside);
  outside.print(options.json ? `${JSON.stringify(answer.result, null, 2)}\n` : `${answer.text}\n`);
  return 0;
}

async function printStats({ json }: TeOptions, server: TeServer, outside: TeConsole): Promise<number> {
  const rows = await server.teStats(STATS_WINDOW_SECONDS);
  if (json) {
    outside.print(`${JSON.stringify(rows.map(inSnakeCase), null, 2)}\n`);
    return 0;
  }
  outside.print("program       mode         runs  failed  cut  bytes in  bytes out  saved  ms\n");
  for (const row of rows) outside.print(`${statsRow(row)}\n`);
  return 0;
}

function inSnakeCase(row: TeUsage): Record<string, unknown> {
  const name = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [name(key), value]));
}

function statsRow(row: TeUsage): string {
  const saved = row.inputBytes > 0 ? `${Math.round((1 - row.outputBytes / row.inputBytes) * 100)}%` : "-";
  return [
    row.program.padEnd(13),
    row.mode.padEnd(12),
    String(row.count).padStart(4),
    String(row.errors).padStart(7),
    String(row.truncated).padStart(4),
    String(row.inputBytes).padStart(9),
    String(row.outputBytes).padStart(10),
    saved.padStart(6),
    row.avgLatencyMs.toFixed(0).padStart(4),
  ].join(" ");
}

function printError(answer: Answer, asJson: boolean, outside: TeConsole): number {
  if (asJson) outside.print(`${JSON.stringify(answer.error, null, 2)}\n`);
  else outside.say(answer.text);
  // As a shell does: 126 for what may not run, 127 for what is not there.
  return answer.error?.code === "COMMAND_NOT_ALLOWED" ? 126 : answer.error?.code === "NOT_FOUND" ? 127 : 1;
}
