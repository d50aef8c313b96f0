/** Checks that the promised rate passes and that requests above it are refused cleanly. @module */
import type { HttpServer } from "../../tests/support/binary.ts";
import { Connection, type Sample } from "./connection.ts";
import { ms, percentile, type Row } from "./row.ts";

const READ: Sample = {
  method: "POST",
  path: "/tool",
  body: { session_id: "load", name: "read_file", args: { path: "a.txt" } },
};
const RATE = 10, BURST = 20, OVERLOAD = 50;

type Answer = Awaited<ReturnType<Connection["ask"]>>;

/** Sends at the given moments (in ms), each over a free connection. */
async function send(server: HttpServer, moments: readonly number[]): Promise<Answer[]> {
  const free: Connection[] = [], all: Connection[] = [], startedMs = performance.now();
  const one = async (atMs: number) => {
    await new Promise((resolve) => setTimeout(resolve, atMs - (performance.now() - startedMs)));
    const connection = free.pop() ?? await Connection.open(server);
    all.push(connection);
    const answer = await connection.ask(READ);
    free.push(connection);
    return answer;
  };
  const answers = await Promise.all(moments.map(one));
  new Set(all).forEach((connection) => connection[Symbol.dispose]());
  return answers;
}

/** Ten a second, evenly after one burst, and then in bursts of twenty. */
export async function sustained(server: HttpServer, seconds: number): Promise<Row[]> {
  const steady = Array.from({ length: RATE * seconds }, (_, index) => index * 1000 / RATE);
  const evenly = await send(server, [...Array(BURST).fill(0), ...steady.map((atMs) => atMs + 1000 / RATE)]);
  await pause(BURST / RATE * 1000);
  const bursts = Array.from(
    { length: RATE * seconds },
    (_, index) => Math.floor(index / BURST) * (BURST / RATE) * 1000,
  );
  const inBursts = await send(server, bursts);
  await pause(BURST / RATE * 1000);
  return [
    passed(`a burst of ${BURST}, then ${RATE}/s for ${seconds} s`, evenly),
    passed(`${RATE}/s in bursts of ${BURST} for ${seconds} s`, inBursts),
  ];
}

function passed(what: string, answers: readonly Answer[]): Row {
  const refused = answers.filter(({ status }) => status !== 200).length, p95Ms = p95(answers);
  return {
    what,
    figure: `${answers.length} asked, ${refused} refused, p95 ${ms(p95Ms)}`,
    target: "0 refused",
    holds: refused === 0,
    values: { asked: answers.length, refused, p95_ms: p95Ms },
  };
}

/** Five times as many as are allowed. */
export async function overload(server: HttpServer, seconds: number): Promise<Row[]> {
  const answers = await send(server, Array.from({ length: OVERLOAD * seconds }, (_, index) => index * 1000 / OVERLOAD));
  const accepted = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  const clean =
    refused.filter(({ text }) => /\r\nretry-after: \d+/i.test(text) && text.includes('"RATE_LIMITED"')).length;
  const other = answers.length - accepted.length - refused.length, p95Ms = p95(accepted);
  const expected = BURST + RATE * seconds;
  return [{
    what: `${OVERLOAD}/s for ${seconds} s`,
    figure: `${accepted.length} accepted, ${clean} clean 429, ${other} other, p95 ${ms(p95Ms)}`,
    target: `${expected} accepted, the rest 429, p95 <= 10 ms`,
    holds: other === 0 && clean === refused.length && Math.abs(accepted.length - expected) <= 3 && p95Ms <= 10,
    values: { accepted: accepted.length, refused: refused.length, other, p95_ms: p95Ms },
  }];
}

function p95(answers: readonly Answer[]): number {
  return percentile(answers.map(({ durationMs }) => durationMs).sort((a, b) => a - b), 0.95);
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
