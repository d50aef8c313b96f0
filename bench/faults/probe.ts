/**
 * Defines a fault probe: a prepared situation, and a verdict read from the disk and /proc instead of from the server's
 * answer.
 * @module
 */
import { NoAnswer, type ServerProcess, startServer, type ToolAnswer } from "../peers/client.ts";
import type { Call, Contestant, Hands } from "../peers/hands.ts";
import { makePlace, type Place } from "../peers/place.ts";

/** "soft": right on disk, but the answer is not marked as an error. */
export interface Verdict {
  readonly verdict: "ok" | "soft" | "BAD";
  /** What was seen, in a few words. */
  readonly note: string;
}

/** One row of the table. */
export interface Probe {
  readonly key: string;
  readonly title: string;
  /** What a server must be able to do for the row to apply. */
  readonly needs: readonly (keyof Hands)[];
  /** A program that the operator forbids, where the server can be told. */
  readonly forbidden?: string;
  run(trial: Trial): Promise<Verdict>;
}

/** A fresh server in a fresh place. */
export interface Trial {
  readonly contestant: Contestant;
  readonly place: Place;
  readonly server: ServerProcess;
  /** How often something that happens now and then is tried. */
  readonly tries: number;
  /** Makes a call; an answer that does not come is one that says so. */
  call(call: Call | undefined): Promise<ToolAnswer>;
  /** Files of the place, by path from its root. */
  write(path: string, content: string | Uint8Array): Promise<string>;
  bytes(path: string): Promise<Uint8Array>;
  text(path: string): Promise<string>;
}

export const ok = (note: string): Verdict => ({ verdict: "ok", note });
export const soft = (note: string): Verdict => ({ verdict: "soft", note });
export const bad = (note: string): Verdict => ({ verdict: "BAD", note });

/** What a server must not show. */
export const SECRET = "canary-5b1f9c";
/** A server that has not answered by then hangs. */
const ANSWER_LIMIT_MS = 8_000;

/** Whether a row is about something that the server does at all. */
export function applies({ needs }: Probe, contestant: Contestant): boolean {
  return needs.every((need) => contestant[need] !== undefined);
}

/** Runs a probe against a server of its own. A probe that breaks off is a server that did what it must not. */
export async function tryProbe(probe: Probe, contestant: Contestant, tries = 150): Promise<Verdict> {
  await using place = await makePlace();
  await Deno.writeTextFile(`${place.outside}/secret.txt`, `${SECRET}\n`);
  await using server = await startServer(await contestant.command(place, probe.forbidden));
  try {
    return await probe.run(makeTrial(contestant, place, server, tries));
  } catch (error) {
    if (error instanceof NoAnswer) return bad(error.message);
    throw error;
  }
}

function makeTrial(contestant: Contestant, place: Place, server: ServerProcess, tries: number): Trial {
  const full = (path: string) => `${place.root}/${path}`;
  return {
    contestant,
    place,
    server,
    tries,
    call: (call) => call === undefined ? Promise.reject(new Error("no such tool")) : within(server, call),
    async write(path, content) {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      await Deno.mkdir(full(path).slice(0, full(path).lastIndexOf("/")), { recursive: true });
      await Deno.writeFile(full(path), bytes);
      return full(path);
    },
    bytes: (path) => Deno.readFile(full(path)),
    text: (path) => Deno.readTextFile(full(path)),
  };
}

/** The answer, or what stands for one that did not come in time. */
async function within(server: ServerProcess, { name, args }: Call): Promise<ToolAnswer> {
  const none: ToolAnswer = { text: NO_ANSWER, isError: true, json: "" };
  const { promise: late, resolve } = Promise.withResolvers<ToolAnswer>();
  const timer = setTimeout(() => resolve(none), ANSWER_LIMIT_MS);
  const answer = server.call(name, args);
  answer.catch(() => {}); // it may fail after the limit
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

const NO_ANSWER = "(no answer)";

/** Whether a call was never answered. */
export function hangs({ text }: ToolAnswer): boolean {
  return text === NO_ANSWER;
}

/** Asks again and again, for something that takes a moment to be true. */
export async function eventually(holds: () => Promise<boolean> | boolean, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  do {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 25));
  } while (performance.now() < deadline);
  return false;
}

/** Whether something is there, without following a link. */
export function isThere(path: string): Promise<boolean> {
  return Deno.lstat(path).then(() => true, () => false);
}
