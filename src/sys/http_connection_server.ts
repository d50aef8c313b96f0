/**
 * Serving HTTP on one accepted connection.
 *
 * `Deno.serve` accepts by itself, gives a connection that sends nothing or sends its headers for ever no time limit,
 * and lets the process die when the file descriptors run out. What it uses inside for each connection has neither
 * fault, because whoever accepts can count, time and cut. It is not part of Deno's public interface: the runtime that
 * is compiled in is pinned, and the tests fail when it is gone.
 * @module
 */

/** A served connection. */
export interface ConnectionServer {
  /** Rejects when the peer did not speak HTTP. */
  readonly finished: Promise<void>;
  /** Lets requests in flight end and accepts no more of them. */
  shutdown(): Promise<void>;
}

/** Answers one request. */
export type Handler = (request: Request, info: Pick<Deno.ServeHandlerInfo, "completed">) => Promise<Response>;

/** Serves one connection until it ends or the signal aborts. */
export type ServeConnection = (
  conn: Deno.Conn,
  signal: AbortSignal,
  handler: Handler,
  onError: (error: unknown) => Response,
) => ConnectionServer;

type Native = (...args: [...Parameters<ServeConnection>, onListen: () => void]) => ConnectionServer;

/**
 * The function of this runtime.
 *
 * @throws Error when the runtime does not have it.
 */
export function connectionServer(): ServeConnection {
  const internals: unknown = Reflect.get(Deno, Reflect.get(Deno, "internal"));
  const serve: unknown = isObject(internals) ? Reflect.get(internals, "serveHttpOnConnection") : undefined;
  if (!isNative(serve)) throw new Error(`Deno ${Deno.version.deno} cannot serve HTTP on one connection; 2.7.11 can`);
  return (...args) => serve(...args, () => {});
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isNative(value: unknown): value is Native {
  return typeof value === "function";
}
