/** Runs one JavaScript program in QuickJS, compiled to WebAssembly; the only module that imports it. @module */
import imported from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";

/** What a program is given, besides the language. */
export interface ScriptProgram {
  readonly code: string;
  /** Runs first, with the functions `host.print(text)` and `host.call(name, json)`; its names are not seen in stacks. */
  readonly prelude: string;
}

/** The two ways out of a program: texts alone cross. */
export interface ProgramHost {
  /** Takes printed text. @throws Error when that is too much */
  print(text: string): void;
  /** Calls a tool and waits. @returns `{"value": …}` or `{"error": …}` as JSON */
  call(name: string, json: string): string;
  /** Whether the program must end now. */
  isOver(): boolean;
}

/** How a program ended. */
export interface ProgramEnd {
  /** Null when it ran to its end. */
  readonly error: string | null;
  /** Line of the program that the error comes from; null when it is not known. */
  readonly line: number | null;
}

/** Bytes for the program's values, and for its stack of calls. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024, MAX_STACK_BYTES = 512 * 1024;
/** Steps of the program that are only continuations of others: a flood of them is ended by the time. */
const JOBS_AT_ONCE = 1_000;
const FILE = "script.js";

/** Runs it to its end. @param wasm The engine. */
export async function evaluateProgram(
  wasm: Uint8Array<ArrayBuffer>,
  { code, prelude }: ScriptProgram,
  host: ProgramHost,
): Promise<ProgramEnd> {
  const variant: unknown = imported; // its types speak of a CommonJS module, which it is not here
  if (!isSyncVariant(variant)) throw new Error("the script engine is not the one that was pinned");
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, { wasmModule: await WebAssembly.compile(wasm) }),
  );
  const runtime = module.newRuntime({ memoryLimitBytes: MAX_MEMORY_BYTES, maxStackSizeBytes: MAX_STACK_BYTES });
  runtime.setInterruptHandler(() => host.isOver());
  // Neither is disposed of: the thread ends with the program, and with it all memory.
  const context = runtime.newContext();
  giveHost(context, host);
  const prepared = context.evalCode(prelude, "api.js");
  if (prepared.error) return endOf(context, prepared.error);
  const result = context.evalCode(code, FILE, { type: "module" });
  if (result.error) return endOf(context, result.error);
  while (runtime.hasPendingJob() && !host.isOver()) {
    const jobs = runtime.executePendingJobs(JOBS_AT_ONCE);
    if (jobs.error) return endOf(context, jobs.error);
  }
  const state = context.getPromiseState(result.value);
  if (state.type === "rejected") return endOf(context, state.error);
  if (host.isOver()) return { error: TOO_LONG, line: null };
  return { error: state.type === "pending" ? "the program waits for something that never comes" : null, line: null };
}

function isSyncVariant(value: unknown): value is QuickJSSyncVariant {
  return typeof value === "object" && value !== null && "type" in value && value.type === "sync";
}

/** Only functions of texts: no object of this side is ever seen by the program. */
function giveHost(context: QuickJSContext, host: ProgramHost): void {
  const functions = context.newObject();
  const give = (name: string, work: (...texts: string[]) => string) => {
    const handle = context.newFunction(
      name,
      (...given) => context.newString(work(...given.map((each) => textOf(context, each)))),
    );
    context.setProp(functions, name, handle);
  };
  give("print", (text = "") => {
    host.print(text);
    return "";
  });
  give("call", (name = "", json = "") => host.call(name, json));
  context.setProp(context.global, "host", functions);
}

function textOf(context: QuickJSContext, handle: QuickJSHandle): string {
  return context.typeof(handle) === "string" ? context.getString(handle) : "";
}

/** The error as a person reads it; what a program throws may be anything, also an object that misleads. */
function endOf(context: QuickJSContext, handle: QuickJSHandle): ProgramEnd {
  const thrown: unknown = context.dump(handle);
  const { name, message, stack, lineNumber } = Object(thrown);
  if (message === "interrupted" && name === "InternalError") {
    return { error: TOO_LONG, line: lineIn(stack, lineNumber) };
  }
  const isError = typeof message === "string" && typeof name === "string";
  const error = isError ? `${name}: ${message}` : `thrown: ${String(JSON.stringify(thrown) ?? thrown)}`;
  return { error: error.slice(0, MAX_ERROR_CHARS), line: lineIn(stack, lineNumber) };
}

/** The innermost line of the program itself; an error of syntax has no stack. */
function lineIn(stack: unknown, lineNumber: unknown): number | null {
  const place = typeof stack === "string" ? stack.match(/\bscript\.js:(\d+)/)?.[1] : undefined;
  if (place !== undefined) return Number(place);
  return typeof lineNumber === "number" ? lineNumber : null;
}

const TOO_LONG = "the program computed for too long";

const MAX_ERROR_CHARS = 2_000;
