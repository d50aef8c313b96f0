/** `llmc-mcp tool NAME key=value…`: calls one tool in the sandbox. @module */
import type { Answer } from "../../call/answer.ts";
import type { ToolLine } from "../../app/verbs.ts";
import { type ConfigFlags, resolveHere } from "../settings.ts";
import { EXIT, print, say } from "../output.ts";
import { start } from "../start.ts";

/** Runs a tool; without a name lists them. The exit code is 1 when the tool failed, 64 when it was called wrongly. */
export async function tool(
  name: string | undefined,
  pairs: readonly string[],
  flags: ConfigFlags & { readonly json?: boolean },
): Promise<number> {
  const args = readPairs(pairs);
  if (typeof args === "string") {
    say(`llmc-mcp: '${args}' is not of the form key=value`);
    return EXIT.usage;
  }
  const running = await start(resolveHere(flags), { kind: "command" });
  if (name === undefined) {
    printTools(await running.server.tools());
    await running.stop();
    return EXIT.ok;
  }
  return await finish(running, name, args, flags.json ?? false);
}

/** Runs a tool by its name, for a command of its own. The exit code is that of {@link tool}. */
export async function runTool(
  name: string,
  args: Readonly<Record<string, unknown>>,
  flags: ConfigFlags & { readonly json?: boolean },
): Promise<number> {
  return await finish(await start(resolveHere(flags), { kind: "command" }), name, args, flags.json ?? false);
}

async function finish(
  running: Awaited<ReturnType<typeof start>>,
  name: string,
  args: Readonly<Record<string, unknown>>,
  asJson: boolean,
): Promise<number> {
  const answer = await running.server.call(name, args);
  await running.stop();
  return printAnswer(answer, asJson);
}

function printAnswer(answer: Answer, asJson: boolean): number {
  if (answer.error) {
    if (asJson) print(`${JSON.stringify(answer.error, null, 2)}\n`);
    else say(answer.text);
    return answer.error.code === "INVALID_ARGUMENT" ? EXIT.usage : EXIT.failed;
  }
  print(
    asJson
      ? `${JSON.stringify(answer.result, null, 2)}\n`
      : answer.text.endsWith("\n")
      ? answer.text
      : `${answer.text}\n`,
  );
  return answer.failed ? EXIT.failed : EXIT.ok;
}

function printTools(tools: readonly ToolLine[]): void {
  const width = Math.max(...tools.map(({ name }) => name.length));
  for (const { name, summary, toolset, listed } of tools) {
    print(`${name.padEnd(width)}  ${summary}${listed ? "" : ` (toolset ${toolset}, not listed)`}\n`);
  }
}

/** `key=value` pairs as an object; the first word that is none as a string. */
function readPairs(pairs: readonly string[]): Record<string, unknown> | string {
  const args: Record<string, unknown> = {};
  for (const pair of pairs) {
    const cut = pair.indexOf("=");
    if (cut < 1) return pair;
    args[pair.slice(0, cut)] = readValue(pair.slice(cut + 1));
  }
  return args;
}

/** JSON where it is an object, a list, a number or a boolean; text otherwise. */
function readValue(text: string): unknown {
  if (!/^(-?\d+(\.\d+)?|true|false|null|[[{].*)$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
