/** Benchmark of running programs: one command, the process list, an interpreter, and whether output is lost. @module */
import { type Bench, lineOf, measureRow, type Running, type ServerEntrant } from "./measure/context.ts";
import type { Cell, Row } from "../scripts/reports/performance.ts";
import { openServers } from "./measure/servers.ts";
import { readProcesses, runProgram } from "./peers/floors.ts";
import { make } from "./peers/hands.ts";
import { makePlace } from "./peers/place.ts";

const BOUNDS = { maxRounds: 100, budgetMs: 15_000 };

/** Only servers that can run programs take part. */
export async function commandsBench(bench: Bench): Promise<Row[]> {
  await using place = await makePlace();
  await using servers = await openServers(bench, place.root, ({ run }) => run !== undefined);
  const usual = servers.all.filter(({ contestant }) => contestant.key !== "ours_landlock");
  return [
    await measureRow(
      bench,
      { key: "echo", what: "run `echo hi`", floor: "spawn" },
      servers.all.map((running) => entrant(running, () => running.contestant.run?.("echo hi"), /./)),
      BOUNDS,
      () => runProgram("/bin/echo", ["hi"]),
    ),
    await measureRow(
      bench,
      { key: "processes", what: "list processes", floor: "reading /proc" },
      usual.map((running) => entrant(running, () => running.contestant.processes?.(), /\d/)),
      BOUNDS,
      readProcesses,
    ),
    await replRow(bench, usual),
    await lostOutput(bench, usual),
  ];
}

function entrant(
  running: Running,
  callOf: () => ReturnType<NonNullable<Running["contestant"]["run"]>> | undefined,
  expected: RegExp,
): ServerEntrant {
  return {
    running,
    async once() {
      const call = callOf();
      if (call === undefined) throw new Error("no such tool");
      const { text, isError } = await make(running.server, call);
      if (isError || !expected.test(text)) throw new Error(text.slice(0, 200));
    },
  };
}

async function replRow(bench: Bench, servers: readonly Running[]): Promise<Row> {
  const entrants: ServerEntrant[] = [];
  for (const running of servers) {
    const repl = await running.contestant.startPython?.(running.server);
    if (repl === undefined) continue;
    entrants.push({
      running,
      async once() {
        const { text } = await repl.evaluate("6*7");
        if (!text.includes("42")) throw new Error(text.slice(0, 200));
      },
    });
  }
  return await measureRow(bench, { key: "repl", what: "Python: evaluate `6*7`" }, entrants, BOUNDS);
}

/** Runs a fast command again and again, and counts the answers in which its output is not. */
async function lostOutput(bench: Bench, servers: readonly Running[]): Promise<Row> {
  const runs = bench.quick ? 100 : 500;
  const cells: Record<string, Cell> = {};
  for (const { contestant: { key, output }, server } of servers) {
    if (output === undefined) continue;
    let lost = 0;
    for (let index = 0; index < runs; index++) {
      const text = await output(server, `echo answer-${index * 7}`);
      if (!text.includes(`answer-${index * 7}`)) lost++;
    }
    cells[key] = { count: lost };
    server.forget();
  }
  const what = `output lost in ${runs} runs of \`echo\``;
  bench.say(lineOf(what, cells));
  return { key: "lost_output", what, unit: "count", cells };
}
