/** Listens for HTTP, with bounds on what a peer can hold open. @module */
import { sleep } from "../../core/time.ts";
import { connectionServer } from "./connection_server.ts";
import { ConnectionPool, type ListenOptions } from "./connection_pool.ts";

/** An open listener. */
export interface Listener {
  /** `http://host:port`, as a person would type it. */
  readonly url: string;
  /** Open connections. */
  connections(): number;
  /** Requests that are being answered, streams among them. */
  inFlight(): number;
  /** Accepts no connection any more; those that are open go on. */
  stopAccepting(): void;
  /** Lets what is in flight end for so long, then cuts it. */
  close(graceMs: number): Promise<void>;
}

/** After a failed accept, so that a lack of file descriptors does not become a busy loop. */
const ACCEPT_PAUSE_MS = 50;
const CUT_AT_ONCE = 32;
const LONGEST_SWEEP_MS = 5_000;

/**
 * Opens the listener.
 *
 * @throws Error naming host and port when they cannot be had.
 */
export function listen(options: ListenOptions): Listener {
  const listener = openListener(options);
  const pool = new ConnectionPool(connectionServer(), options);
  const timer = setInterval(() => pool.cutIdle(), Math.min(options.idleTimeoutMs / 4, LONGEST_SWEEP_MS));
  const accepting = acceptAll(listener, pool, options);
  let open = true;
  const stopAccepting = () => {
    if (open) listener.close();
    open = false;
  };
  return {
    url: urlOf(options, listener.addr),
    connections: () => pool.size,
    inFlight: () => pool.inFlight,
    stopAccepting,
    async close(graceMs) {
      stopAccepting();
      await accepting;
      clearInterval(timer);
      await pool.close(graceMs);
    },
  };
}

type TcpListener = Deno.Listener<Deno.TcpConn | Deno.TlsConn>;

function openListener({ hostname, port, tls }: ListenOptions): TcpListener {
  try {
    if (!tls) return Deno.listen({ hostname, port });
    return Deno.listenTls({ hostname, port, cert: tls.cert, key: tls.key, alpnProtocols: ["h2", "http/1.1"] });
  } catch (error) {
    throw new Error(`cannot listen on ${hostname} port ${port}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.AddrInUse) {
    return "address already in use by another program; choose another port with --port";
  }
  if (error instanceof Deno.errors.PermissionDenied) return "this user may not; choose a port above 1023 with --port";
  return error instanceof Error ? error.message : String(error);
}

function urlOf({ hostname, tls }: ListenOptions, address: Deno.Addr): string {
  const port = "port" in address ? address.port : 0;
  return `${tls ? "https" : "http"}://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

async function acceptAll(listener: TcpListener, pool: ConnectionPool, options: ListenOptions): Promise<void> {
  let failing = false;
  for (;;) {
    try {
      const conn = await listener.accept();
      failing = false;
      if (pool.size < options.maxConnections || pool.cutIdlest() > 0) pool.serve(conn);
      else conn.close();
    } catch (error) {
      if (error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted) return; // closed
      // Out of file descriptors, most likely: with Deno.serve the whole process would end here.
      if (!failing) options.onAcceptFault(error instanceof Error ? error.message : String(error));
      failing = true;
      pool.cutIdlest(CUT_AT_ONCE);
      await sleep(ACCEPT_PAUSE_MS);
    }
  }
}
