/**
 * Serves HTTP on one accepted connection. `Deno.serve` accepts by itself, sets no time limit for a connection that
 * sends nothing or never ends its headers, and lets the process die when file descriptors run out. Its internal API
 * for a single connection has neither fault, because the caller accepts and can count, time and close. It is not
 * public: the embedded runtime is pinned, and tests fail when it disappears.
 * @module
 */

/** A served connection. */
export interface ConnectionServer {
  /** Rejects when the peer did not speak HTTP. */
  readonly finished: Promise<void>;
  /** Lets requests in flight end and accepts no more of them; cannot be cut any more afterwards. */
  shutdown(): Promise<void>;
  /** Ends it at once. */
  cut(): void;
}

/** Answers one request. */
export type Handler = (request: Request, info: Pick<Deno.ServeHandlerInfo, "completed">) => Promise<Response>;

/** Serves one connection until it ends. */
export type ServeConnection = (
  conn: Deno.Conn,
  handler: Handler,
  onError: (error: unknown) => Response,
) => ConnectionServer;

/** All that the runtime does with an abort signal. */
interface Signal {
  addEventListener(type: "abort", listener: () => void): void;
}

type Native = (
  conn: Deno.Conn,
  signal: Signal,
  handler: Handler,
  onError: (error: unknown) => Response,
  onListen: () => void,
) => Pick<ConnectionServer, "finished" | "shutdown">;

/**
 * The function of this runtime.
 *
 * @throws Error when the runtime does not have it.
 */
export function connectionServer(): ServeConnection {
  const internals: unknown = Reflect.get(Deno, Reflect.get(Deno, "internal"));
  const serve: unknown = isObject(internals) ? Reflect.get(internals, "serveHttpOnConnection") : undefined;
  if (!isNative(serve)) throw new Error(`Deno ${Deno.version.deno} cannot serve HTTP on one connection; 2.7.11 can`);
  return (conn, handler, onError) => {
    // A real signal would turn the error of cutting a connection that has just ended by itself into one that nobody
    // can catch, and that ends the process.
    let cancel = () => {};
    const signal: Signal = { addEventListener: (_type, listener) => void (cancel = listener) };
    const native = serve(conn, signal, handler, onError, () => {});
    return {
      finished: native.finished.catch(async (error: unknown) => {
        await native.shutdown(); // after an error the runtime keeps the connection's memory until it is asked
        throw error;
      }),
      shutdown: () => native.shutdown(),
      cut() {
        try {
          cancel();
        } catch (error) {
          if (!(error instanceof Deno.errors.BadResource)) throw error; // it had ended
        }
      },
    };
  };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isNative(value: unknown): value is Native {
  return typeof value === "function";
}
