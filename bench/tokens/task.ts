/** Defines a task of the token benchmark. @module */
import type { Session } from "./session.ts";

/** Where a task is done. */
export interface Place {
  /** Real path of the workspace. */
  readonly dir: string;
  /** Port on which a program listens, for the task that looks for it. */
  readonly port: number;
  /** Process that listens there. */
  readonly pid: number;
}

/** One thing that agents do, with the calls that a competent one would make on each server. */
export interface Task {
  readonly name: string;
  /** Changes the fresh workspace before the task. */
  prepare?(place: Place): Promise<void>;
  desktopCommander(session: Session, place: Place): Promise<void>;
  ours(session: Session, place: Place): Promise<void>;
  /**
   * What is wrong with the outcome, judged from the disk and from what the model was shown: a task counts only when the
   * model saw what it needed.
   */
  faults(place: Place, seen: string): Promise<string[]>;
}

/** Runs a program in the workspace, outside of every server. */
export async function run(dir: string, program: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(program, { args, cwd: dir, stdin: "null" }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** Names what the model should have seen and did not. */
export function missing(seen: string, ...needed: RegExp[]): string[] {
  return needed.filter((each) => !each.test(seen)).map((each) => `the model never saw ${each}`);
}

/** Polls Desktop Commander's search to its end: it answers before it has looked. */
export async function desktopSearch(
  session: Session,
  args: Readonly<Record<string, unknown>>,
  mostPages = 12,
): Promise<string> {
  const started = await session.call("start_search", args);
  const sessionId = /search session: (\S+)/.exec(started)?.[1] ?? "";
  if (/Status: COMPLETED/.test(started) && !/More results/.test(started)) return started;
  await new Promise((resolve) => setTimeout(resolve, DESKTOP_PAUSE_MS));
  let offset = 0, all = "";
  for (let round = 0; round < mostPages; round++) {
    const page = await session.call("get_more_search_results", { sessionId, offset, length: 100 });
    all += page;
    const next = /More results available\. Use get_more_search_results with offset: (\d+)/.exec(page);
    if (next === null) return all;
    if (Number(next[1]) === offset) await new Promise((resolve) => setTimeout(resolve, DESKTOP_PAUSE_MS));
    offset = Number(next[1]);
  }
  return all;
}

/** Long enough for its search to be over, so that polling costs it as few calls as possible. */
const DESKTOP_PAUSE_MS = 700;

/** The process id in an answer of Desktop Commander. */
export function desktopPid(text: string): number {
  return Number(/PID (\d+)/.exec(text)?.[1] ?? 0);
}
