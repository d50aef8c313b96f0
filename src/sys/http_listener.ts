/** Listening for HTTP, with bounds on what a peer can hold open. @module */
import { type ConnectionServer, connectionServer, type ServeConnection } from "./http_connection_server.ts";

/** Where and how to listen. */
export interface ListenOptions {
  readonly hostname: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** PEM texts; plain HTTP when null. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Connections at a time; one more takes the place of the one that is idle longest. */
  readonly maxConnections: number;
  /** How long a connection may be without a request that is being answered: idle, or sending its headers slowly. */
  readonly idleTimeoutMs: number;
  readonly now: () => number;
  handle(request: Request, peer: Peer): Response | Promise<Response>;
  /** A handler threw: the answer to give. */
  onError(error: unknown): Response;
  /** Something that no request sees: no connection could be accepted, a peer did not speak HTTP. */
  onTrouble(detail: string): void;
}

/** Who sent a request. */
export interface Peer {
  readonly address: string;
  /** Resolves when the answer was sent to its end or the peer went away. To be asked while the request is handled. */
  readonly completed: Promise<void>;
}

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

/** One peer's connection. */
interface Connection {
  readonly abort: AbortController;
  server?: ConnectionServer;
  /** Requests that are being answered. */
  active: number;
  idleSinceMs: number;
}

/** After a failed accept, so that a lack of file descriptors does not become a busy loop. */
const ACCEPT_PAUSE_MS = 50;
const LONGEST_SWEEP_MS = 5_000;

/**
 * Opens the listener.
 *
 * @throws Error naming host and port when they cannot be had.
 */
export function listen(options: ListenOptions): Listener {
  const listener = openListener(options);
  const serve = connectionServer();
  const connections = new Set<Connection>();
  const timer = setInterval(() => sweep(connections, options), Math.min(options.idleTimeoutMs / 4, LONGEST_SWEEP_MS));
  const accepting = acceptAll(listener, options, connections, serve);
  let open = true;
  const stopAccepting = () => {
    if (open) listener.close();
    open = false;
  };
  return {
    url: urlOf(options, listener.addr),
    connections: () => connections.size,
    inFlight() {
      let sum = 0;
      for (const { active } of connections) sum += active;
      return sum;
    },
    stopAccepting,
    async close(graceMs) {
      stopAccepting();
      await accepting;
      clearInterval(timer);
      const cut = setTimeout(() => connections.forEach(({ abort }) => abort.abort()), graceMs);
      await Promise.allSettled([...connections].map(({ server }) => server?.shutdown()));
      await Promise.allSettled([...connections].map(({ server }) => server?.finished));
      clearTimeout(cut);
    },
  };
}

function openListener({ hostname, port, tls }: ListenOptions): Deno.Listener<Deno.TcpConn | Deno.TlsConn> {
  if (!tls) return Deno.listen({ hostname, port });
  return Deno.listenTls({ hostname, port, cert: tls.cert, key: tls.key, alpnProtocols: ["h2", "http/1.1"] });
}

function urlOf({ hostname, tls }: ListenOptions, address: Deno.Addr): string {
  const port = address.transport === "tcp" ? address.port : 0;
  return `${tls ? "https" : "http"}://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

async function acceptAll(
  listener: Deno.Listener<Deno.TcpConn | Deno.TlsConn>,
  options: ListenOptions,
  connections: Set<Connection>,
  serve: ServeConnection,
): Promise<void> {
  for (;;) {
    try {
      const conn = await listener.accept();
      if (connections.size >= options.maxConnections && !cutIdlest(connections)) conn.close();
      else serveOne(conn, options, connections, serve);
    } catch (error) {
      if (error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted) return; // closed
      // Out of file descriptors, most likely: without this the whole process would end here.
      options.onTrouble(`no connection could be accepted: ${error instanceof Error ? error.message : error}`);
      cutIdlest(connections);
      await new Promise((resolve) => setTimeout(resolve, ACCEPT_PAUSE_MS));
    }
  }
}

function serveOne(
  conn: Deno.TcpConn | Deno.TlsConn,
  options: ListenOptions,
  connections: Set<Connection>,
  serve: ServeConnection,
): void {
  const connection: Connection = { abort: new AbortController(), active: 0, idleSinceMs: options.now() };
  if ("setNoDelay" in conn) conn.setNoDelay(true);
  const address = conn.remoteAddr.transport === "tcp" ? conn.remoteAddr.hostname : "";
  const server = serve(conn, connection.abort.signal, async (request, info) => {
    connection.active++;
    let completed: Promise<void> | undefined;
    const peer: Peer = {
      address,
      get completed() {
        // Made only for who asks: it costs as much as all the rest of a short answer.
        return completed ??= info.completed.catch(() => {});
      },
    };
    try {
      return await options.handle(request, peer);
    } finally {
      // An answer that is still being sent counts as idle time, unless it is a stream: so a peer that does not read it
      // cannot stay for ever.
      if (completed) void completed.then(() => release(connection, options));
      else release(connection, options);
    }
  }, options.onError);
  connection.server = server;
  connections.add(connection);
  const gone = () => void connections.delete(connection);
  server.finished.then(gone, (error: unknown) => {
    gone();
    if (!connection.abort.signal.aborted) options.onTrouble(error instanceof Error ? error.message : String(error));
  });
}

function release(connection: Connection, { now }: ListenOptions): void {
  connection.active--;
  connection.idleSinceMs = now();
}

function sweep(connections: Set<Connection>, { now, idleTimeoutMs }: ListenOptions): void {
  const oldestMs = now() - idleTimeoutMs;
  for (const { active, idleSinceMs, abort } of connections) {
    if (active === 0 && idleSinceMs < oldestMs) abort.abort();
  }
}

/** Cuts the connection that is idle longest; false when none is idle. */
function cutIdlest(connections: Set<Connection>): boolean {
  let idlest: Connection | undefined;
  for (const connection of connections) {
    if (connection.active > 0 || connection.abort.signal.aborted) continue;
    if (!idlest || connection.idleSinceMs < idlest.idleSinceMs) idlest = connection;
  }
  idlest?.abort.abort();
  if (idlest) connections.delete(idlest);
  return idlest !== undefined;
}
