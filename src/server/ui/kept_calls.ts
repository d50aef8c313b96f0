/** Keeps full arguments and answers of recent calls in bounded memory; the records hold only a summary. @module */
import { isHandleId } from "../../store/handle_id.ts";
import type { Answer, Caller } from "../../call/answer.ts";

/** A call as it was made. */
export interface KeptCall {
  readonly correlationId: string;
  /** As the client wrote it. */
  readonly tool: string;
  readonly args: unknown;
  readonly session: Caller["session"];
  /** Milliseconds since the epoch. */
  readonly startedMs: number;
  /** Null while it runs. */
  readonly outcome: Outcome | null;
}

/** How a call ended. */
export interface Outcome extends Pick<Answer, "failed" | "truncated" | "durationMs" | "tokens"> {
  readonly errorCode: string | null;
  /** The whole text that the client was sent. */
  readonly text: string;
  /** Of results that are kept for reading on. */
  readonly handles: readonly string[];
}

/** Calls by correlation id. */
export interface KeptCalls {
  add(key: number, call: KeptCall): void;
  end(key: number, outcome: Outcome): void;
  /** Oldest first: a client may give one id to several calls, and none of them can hide another. */
  of(correlationId: string): readonly KeptCall[];
}

const MAX_CALLS = 500;
const MAX_CHARS = 16 * 1024 * 1024;

/** Makes the memory; the oldest call goes first when it is full. */
export function makeKeptCalls({ maxCalls = MAX_CALLS, maxChars = MAX_CHARS } = {}): KeptCalls {
  const calls = new Map<number, { readonly call: KeptCall; readonly argsChars: number; readonly chars: number }>();
  let chars = 0;

  function forget(key: number): void {
    chars -= calls.get(key)?.chars ?? 0;
    calls.delete(key);
  }

  function keep(key: number, call: KeptCall, argsChars: number): void {
    const own = argsChars + (call.outcome?.text.length ?? 0);
    forget(key);
    calls.set(key, { call, argsChars, chars: own });
    chars += own;
    for (const oldest of calls.keys()) {
      if (calls.size <= maxCalls && chars <= maxChars) break;
      forget(oldest);
    }
  }

  return {
    add: (key, call) => keep(key, call, sizeOf(call.args)),
    end(key, outcome) {
      const known = calls.get(key);
      if (known) keep(key, { ...known.call, outcome }, known.argsChars);
    },
    of: (correlationId) =>
      [...calls.values()].map(({ call }) => call).filter((call) => call.correlationId === correlationId)
        .sort((left, right) => left.startedMs - right.startedMs),
  };
}

function sizeOf(args: unknown): number {
  return JSON.stringify(args)?.length ?? 0;
}

/** Identifiers of handles that an answer names: in the result's own field, or anywhere in its text. */
export function handlesIn({ result, text }: Pick<Answer, "result" | "text">): string[] {
  const { handle } = Object(result);
  const found = text.match(/\bH_[a-z0-9]{1,16}_\d{8}T\d{6}Z_[a-z2-7]{20}\b/g) ?? [];
  return [...new Set(typeof handle === "string" ? [handle, ...found] : found)].filter(isHandleId);
}
