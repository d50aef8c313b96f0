/** Runs programs of a model, each in a thread of its own, and carries their calls of tools. @module */
import { OpsError } from "../core/error.ts";
import { once } from "../core/once.ts";
import {
  makeSharedAnswer,
  MAX_ANSWER_BYTES,
  type ScriptNews,
  type ScriptOrder,
  writeAnswer,
} from "../sandbox/script_protocol.ts";

/** A thread for one program. */
export interface ScriptThread {
  readonly port: MessagePort;
  /** Ends it, whatever it does. */
  end(): Promise<void>;
}

/** What running takes. */
export interface ScriptsDeps {
  readonly openThread: () => Promise<ScriptThread>;
  /** The engine. */
  readonly engine: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** A program, and what it may call. */
export interface ScriptRequest {
  readonly code: string;
  /** Makes the functions of the program out of `host.call`. */
  readonly prelude: string;
  readonly signal: AbortSignal;
  /** One call of a tool. Its result, or the error as the program catches it. */
  call(name: string, args: unknown, signal: AbortSignal): Promise<{ value: unknown } | { error: string }>;
}

/** What came of a program. */
export interface ScriptResult {
  readonly output: string;
  readonly calls: number;
  readonly error: string | null;
  readonly line: number | null;
}

/** Programs that run. */
export interface Scripts {
  /** @throws OpsError RATE_LIMITED when too many run */
  run(request: ScriptRequest): Promise<ScriptResult>;
  /** Ends all, and waits for the calls that they made. */
  close(): Promise<void>;
}

/** Time to compute; time with the calls, below what any client waits. */
const CPU_MS = 5_000, WALL_MS = 45_000;
/** A program that does not look at its clock (inside a regular expression, say) is ended with its thread. */
const CPU_GRACE_MS = 1_000;
const MAX_CALLS = 200, MAX_PRINTED_CHARS = 256 * 1024, MAX_ARGUMENTS_CHARS = 1024 * 1024, MAX_RUNNING = 4;

/** Starts no thread before the first program. */
export function makeScripts({ openThread, engine }: ScriptsDeps): Scripts {
  const running = new Map<Promise<unknown>, AbortController>(), readEngine = once(engine);
  return {
    async run(request) {
      if (running.size >= MAX_RUNNING) {
        throw new OpsError("RATE_LIMITED", `${MAX_RUNNING} scripts are running`, "Wait for one to end.");
      }
      const stop = new AbortController();
      const work = runOne({ openThread, engine: readEngine }, {
        ...request,
        signal: AbortSignal.any([request.signal, stop.signal]),
      });
      running.set(work, stop);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    async close() {
      for (const stop of running.values()) stop.abort();
      await Promise.allSettled(running.keys());
    },
  };
}

async function runOne({ openThread, engine }: ScriptsDeps, request: ScriptRequest): Promise<ScriptResult> {
  const wasm = (await engine()).slice(), thread = await openThread(), shared = makeSharedAnswer();
  const over = new AbortController();
  const ended = Promise.withResolvers<{ error: string | null; line: number | null }>();
  const stopWith = (error: string) => ended.resolve({ error, line: null });
  let output = "", calls = 0, current: Promise<unknown> = Promise.resolve();
  let cpuTimer: ReturnType<typeof setTimeout> | undefined;
  const watchCpu = (ms: number) => {
    clearTimeout(cpuTimer);
    cpuTimer = setTimeout(
      () => stopWith("the program was ended: it computed for too long, or used all of its memory"),
      ms,
    );
  };
  const wallTimer = setTimeout(() => stopWith(`the program ran for more than ${WALL_MS / 1000} s`), WALL_MS);
  const onAbort = () => stopWith("the call was cancelled");
  request.signal.addEventListener("abort", onAbort);
  if (request.signal.aborted) onAbort();
  thread.port.onmessage = ({ data }: MessageEvent<ScriptNews>) => {
    output += data.printed;
    clearTimeout(cpuTimer);
    if (data.kind === "end") return ended.resolve(data);
    current = answerCall(request, data, ++calls, over.signal).then((answer) => {
      if (!writeAnswer(shared, answer)) writeAnswer(shared, JSON.stringify({ error: TOO_LARGE }));
      watchCpu(CPU_MS + CPU_GRACE_MS);
    });
  };
  watchCpu(CPU_MS + CPU_GRACE_MS);
  const order: ScriptOrder = {
    wasm,
    code: request.code,
    prelude: request.prelude,
    shared,
    cpuMs: CPU_MS,
    maxPrintedChars: MAX_PRINTED_CHARS,
  };
  thread.port.postMessage(order, [wasm.buffer]);
  try {
    const { error, line } = await ended.promise;
    return { output, calls, error, line };
  } finally {
    clearTimeout(cpuTimer);
    clearTimeout(wallTimer);
    request.signal.removeEventListener("abort", onAbort);
    thread.port.close();
    await thread.end();
    over.abort();
    await current; // its call is told to end
    clearTimeout(cpuTimer);
  }
}

const TOO_LARGE = `the result is larger than ${MAX_ANSWER_BYTES / 1024 / 1024} MB: ask for less of it`;

/** Never throws: the program is told. */
async function answerCall(
  { call }: ScriptRequest,
  { name, json }: { readonly name: string; readonly json: string },
  number: number,
  signal: AbortSignal,
): Promise<string> {
  if (number > MAX_CALLS) return JSON.stringify({ error: `more than ${MAX_CALLS} calls` });
  if (json.length > MAX_ARGUMENTS_CHARS) return JSON.stringify({ error: `arguments of ${json.length} characters` });
  try {
    return JSON.stringify(await call(name, JSON.parse(json), signal));
  } catch (error) {
    return JSON.stringify({ error: String(error) });
  }
}
