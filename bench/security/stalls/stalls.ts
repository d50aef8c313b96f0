/**
 * Sends a server over HTTP the worst input for each tool while another client sends requests, and reports delays of
 * the latter.
 * @module
 */
import { eventually } from "../../../tests/support/eventually.ts";
import { writeHostileFiles, writeManyNames } from "./hostile_files.ts";
import type { StallResult } from "../../../scripts/reports/security.ts";
import { type Held, NOTHING_HELD } from "./held.ts";
import { startProbe } from "./probe.ts";
import { processMs } from "./thread_times.ts";
import type { WorstCall } from "./worst_inputs.ts";

/** The server. */
interface Server {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

/** No client waits longer than this for an answer to `ping` or `GET /health`. */
const MAX_HELD_MS = 250;
/**
 * How often a call is made that seems to cost too much: the least counts. What a call costs, it costs each time; a
 * collection of garbage, or what other programs of the machine do to its caches, comes once.
 */
const MEASURED = 3;
/** A call is given up after this, and the next is made. */
const PATIENCE_MS = 2_000;
/** A prober that gets no answer at all. */
const STUCK_MS = 30_000;
/** A folder is read in one piece: names to be listed are fewer than names to be compared. */
const NAMES = 100_000, NAMES_TO_LIST = 20_000, NAMES_TO_DELETE = 5_000;

/** Puts into a root what the calls need. */
export async function writeWorstRoot(root: string): Promise<void> {
  await writeHostileFiles(root);
  writeManyNames(`${root}/many`, NAMES);
  writeManyNames(`${root}/listed`, NAMES_TO_LIST);
  writeManyNames(`${root}/many_more`, NAMES_TO_DELETE);
}

/** Makes the calls one after the other. */
export async function measureStalls(server: Server, calls: readonly WorstCall[]): Promise<StallResult> {
  using probe = startProbe(server);
  const faults: string[] = [];
  let asked = 0, worstMs = 0, worst = "";
  for (const call of calls) {
    const name = `${call.tool.slice(0, 40)}, ${call.what}`;
    let held: Held | undefined = { ...NOTHING_HELD, ms: Infinity };
    for (let turn = 0; turn < MEASURED && held !== undefined && held.ms > MAX_HELD_MS; turn++) {
      const code = await make(server, call, PATIENCE_MS);
      if (code === "INTERNAL") faults.push(`${name}: INTERNAL`);
      const next: Held | undefined = await within(STUCK_MS, probe.read());
      held = next === undefined || next.ms < held.ms ? next : held;
    }
    if (held === undefined) {
      return { calls: calls.length, asked, worstMs, worst, faults: [...faults, `${name}: no answer`] };
    }
    asked += held.asked;
    if (held.ms > worstMs) [worstMs, worst] = [held.ms, name];
    if (held.ms > MAX_HELD_MS) {
      faults.push(
        `${name}: another client waited ${Math.round(held.ms)} ms (${Math.round(held.tookMs)} in all, ${
          Math.round(held.computedMs)
        } computed)`,
      );
    }
  }
  return { calls: calls.length, asked, worstMs: Math.round(worstMs), worst, faults };
}

const SOON_MS = 100, IDLE_MS = 25, WINDOW_MS = 200;

/** Leaves soon after each call, and says after which of them the server goes on computing. */
export async function findUnstoppable(server: Server, calls: readonly WorstCall[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const call of calls) {
    await make(server, call, SOON_MS);
    await eventually(async () => {
      const beforeMs = processMs(server.pid);
      await afterwards(WINDOW_MS);
      const usedMs = processMs(server.pid) - beforeMs;
      if (usedMs > IDLE_MS) throw new Error(`${Math.round(usedMs)} ms in ${WINDOW_MS} ms`);
    }).catch((error: Error) => void faults.push(`${call.tool}, ${call.what}: still computes ${error.message}`));
  }
  return faults;
}

/** @returns The error code of the answer; "" for none, and for a call that was given up. */
async function make({ url, token }: Server, { tool, args }: WorstCall, patienceMs: number): Promise<string> {
  const body = JSON.stringify({ session_id: "stalls", name: tool, args });
  const headers = { "X-LLMC-Token": token, "Content-Type": "application/json" };
  const patience = new AbortController(), timer = setTimeout(() => patience.abort(), patienceMs);
  try {
    const response = await fetch(`${url}/tool`, { method: "POST", headers, body, signal: patience.signal });
    const { code = "", detail_code = code } = await response.json(); // codes of newer kinds are INTERNAL on this route
    return String(detail_code);
  } catch (error) {
    if (patience.signal.aborted) return "";
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Undefined when it takes longer. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), limitMs);
  return await Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}

function afterwards(delayMs: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), delayMs));
}
