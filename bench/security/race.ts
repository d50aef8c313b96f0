/** Calls a tool over and over while a second process swaps a folder for a link to the outside. @module */
import type { RaceResult } from "../../scripts/reports/security.ts";
import type { ServerProcess, ToolAnswer } from "../peers/client.ts";
import type { Operation } from "./contestants.ts";
import type { Flipper } from "./flipper.ts";
import { FILES, layTrap, OUTSIDE_SIZE, OUTSIDE_TIME, type Trap } from "./trap.ts";

/** Between two exchanges: a fast attacker loses most races to itself, so slower ones take turns with it. */
const PAUSES_US = [0, 10, 50, 200, 1_000];
const IN_FLIGHT = 8;
/** The folder of a run, which its record does not name. */
const PLACE = /\/tmp\/llmc-bench-[0-9a-f]+\//g;

/** How long, and against what. */
export interface RaceOptions {
  readonly flipper: Flipper;
  readonly durationMs: number;
  /** The folder that the link leads to. */
  readonly outside: string;
  /** Whether the server keeps files of its own there. */
  readonly shared?: boolean;
}

/** Races one operation of a running server. */
export async function race(
  server: ServerProcess,
  root: string,
  operation: Operation,
  { flipper, durationMs, outside, shared = false }: RaceOptions,
): Promise<RaceResult> {
  const trap = await layTrap(root, outside, shared);
  const sums = { tries: 0, worked: 0, swaps: 0, told: 0, betrayed: 0, opened: 0, changed: 0 };
  const examples: string[] = [];
  const note = (count: number, key: "told" | "betrayed" | "opened" | "changed", example: string) => {
    sums[key] += count;
    if (count > 0 && examples.length < 5) examples.push(`${key}: ${example.slice(0, 300).replaceAll(PLACE, "")}`);
  };
  const untilMs = performance.now() + durationMs;
  for (let batch = 0; performance.now() < untilMs; batch++) {
    const flipping = await flipper.start(trap.door, trap.link, PAUSES_US[batch % PAUSES_US.length] ?? 0, outside);
    const answers = await attemptAll(server, operation, trap, untilMs);
    const { swaps, opened } = await flipping.stop();
    sums.swaps += swaps;
    sums.tries += answers.length;
    sums.worked += answers.filter(({ isError }) => !isError).length;
    for (const { json: text } of answers) {
      if (text.includes(trap.secret)) note(1, "told", text);
      else if (betrays(text)) note(1, "betrayed", text);
    }
    if (!shared) note(opened, "opened", `${opened} times`);
    const damage = await trap.damage();
    note(damage.length, "changed", damage.slice(0, 3).join(", "));
    note(await countTaken(trap), "told", "moved into the root");
    await trap.reset();
  }
  return { operation: operation.name, ...sums, examples };
}

/** One attempt for each file, several at a time. */
async function attemptAll(
  server: ServerProcess,
  { attempt }: Operation,
  trap: Trap,
  untilMs: number,
): Promise<ToolAnswer[]> {
  const answers: ToolAnswer[] = [];
  let next = 0;
  const worker = async () => {
    while (next < FILES && (performance.now() < untilMs || next < IN_FLIGHT)) {
      answers.push(await attempt(server, trap, next++));
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return answers;
}

/** Whether a size or a time of the outside is told; digits inside identifiers do not count. */
function betrays(text: string): boolean {
  return text.includes(OUTSIDE_TIME.toISOString().slice(0, 10)) || OUTSIDE_SIZES.test(text);
}

const OUTSIDE_SIZES = new RegExp(`(?<![-0-9a-f])(?:${OUTSIDE_SIZE}|7\\.7 ?K)(?![-0-9a-f])`);

/** Outside files that a move brought into the root. */
async function countTaken({ root, secret }: Trap): Promise<number> {
  let count = 0;
  for await (const { name, isFile } of Deno.readDir(`${root}/taken`)) {
    if (isFile && (await Deno.readTextFile(`${root}/taken/${name}`)).includes(secret)) count++;
  }
  return count;
}
