/** RPC over a MessagePort: an interface of async methods on one side, its client on the other. @module */
import { type ErrorCode, ERRORS, OpsError } from "../core/error.ts";

/** An interface whose every member is an async method with structured-cloneable arguments and result. */
// deno-lint-ignore no-explicit-any -- only `any` lets every method signature satisfy the constraint
export type Verbs<T> = { [K in keyof T]: (...args: any[]) => Promise<unknown> };

interface Call {
  readonly id: number;
  readonly verb: string;
  readonly args: readonly unknown[];
}
type Reply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: WireError };
interface WireError {
  readonly code: string | null;
  readonly message: string;
  readonly hint: string;
}

/** The part of a port or worker that calls need. */
export interface Port {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

/** Answers the calls that arrive on a port. Unknown verbs and thrown errors are answered, never dropped. */
export function serveCalls<T extends Verbs<T>>(port: Port, verbs: T): void {
  port.onmessage = async ({ data }: MessageEvent<Call>) => {
    const reply = await answer(verbs, data);
    port.postMessage(reply, "value" in reply ? movable(reply.value) : []);
  };
}

/** Bytes and ports are handed over, not copied. */
function movable(value: unknown): Transferable[] {
  if (value instanceof MessagePort) return [value];
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
}

async function answer<T extends Verbs<T>>(verbs: T, { id, verb, args }: Call): Promise<Reply> {
  try {
    if (!isVerb(verbs, verb)) throw new Error(`unknown method '${verb}'`);
    return { id, value: await verbs[verb](...args) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const known = error instanceof OpsError;
    return { id, error: { code: known ? error.code : null, message, hint: known ? error.hint : "" } };
  }
}

function isVerb<T extends Verbs<T>>(verbs: T, name: string): name is Extract<keyof T, string> {
  return name in verbs && !(name in Object.prototype);
}

/** A caller for the verbs that the other end serves. */
export function connectCalls<T extends Verbs<T>>(port: Port): T {
  const waiting = new Map<number, (reply: Reply) => void>();
  let lastId = 0;
  port.onmessage = ({ data }: MessageEvent<Reply>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  const call = async (verb: string, args: readonly unknown[]): Promise<unknown> => {
    const id = ++lastId;
    const answered = new Promise<Reply>((resolve) => waiting.set(id, resolve));
    port.postMessage({ id, verb, args } satisfies Call);
    const reply = await answered;
    if ("value" in reply) return reply.value;
    const { code, message, hint } = reply.error;
    throw code !== null && isErrorCode(code) ? new OpsError(code, message, hint) : new Error(message);
  };
  const methods = new Map<string, (...args: unknown[]) => Promise<unknown>>();
  return new Proxy({} as T, { // the proxy is the interface: each member is made when it is first asked for
    get(_target, verb) {
      if (typeof verb !== "string" || verb === "then") return undefined; // a thenable would be awaited by accident
      let method = methods.get(verb);
      if (!method) methods.set(verb, method = (...args) => call(verb, args));
      return method;
    },
  });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
