/** Defines the messages between a server and the thread of one script. @module */

/** What the thread is given first. */
export interface ScriptOrder {
  readonly wasm: Uint8Array<ArrayBuffer>;
  readonly code: string;
  readonly prelude: string;
  /** See {@link SharedAnswer}. */
  readonly shared: SharedArrayBuffer;
  /** Milliseconds that the program may compute, without the time that its calls take. */
  readonly cpuMs: number;
  readonly maxPrintedChars: number;
}

/** What the thread says. */
export type ScriptNews =
  | { readonly kind: "call"; readonly name: string; readonly json: string; readonly printed: string }
  | { readonly kind: "end"; readonly error: string | null; readonly line: number | null; readonly printed: string };

/**
 * Memory of both threads: the state and the size of an answer, then its bytes. The script's thread sleeps until the state
 * is {@link ANSWERED}, because the engine calls a function and goes on with its result.
 */
const HEADER_BYTES = 8, WAITING = 0, ANSWERED = 1;
/** Of the answer to one call. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Memory for the answers to one script. */
export function makeSharedAnswer(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER_BYTES + MAX_ANSWER_BYTES);
}

/** Writes an answer and wakes the script. @returns false when it is too large */
export function writeAnswer(shared: SharedArrayBuffer, text: string): boolean {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MAX_ANSWER_BYTES) return false;
  new Uint8Array(shared, HEADER_BYTES).set(bytes);
  const header = new Int32Array(shared, 0, 2);
  Atomics.store(header, 1, bytes.length);
  Atomics.store(header, 0, ANSWERED);
  Atomics.notify(header, 0);
  return true;
}

/** Sleeps until there is an answer, and reads it. @param ask Sends the question. */
export function waitForAnswer(shared: SharedArrayBuffer, ask: () => void): string {
  const header = new Int32Array(shared, 0, 2);
  Atomics.store(header, 0, WAITING);
  ask();
  Atomics.wait(header, 0, WAITING);
  const size = Atomics.load(header, 1);
  return new TextDecoder().decode(new Uint8Array(shared, HEADER_BYTES, size).slice());
}
