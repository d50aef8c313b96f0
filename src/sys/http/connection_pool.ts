/** Tracks the open connections of a listener: idle ones, evictions, shutdown. @module */
import { settlesWithin } from "../../core/time.ts";
import type { ConnectionServer, ServeConnection } from "./connection_server.ts";

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
  /** A peer did not speak HTTP, or went away in the middle. */
  onPeerFault(detail: string): void;
  /** No connection can be accepted; not said again before one was. */
  onAcceptFault(detail: string): void;
}

/** Who sent a request. */
export interface Peer {
  readonly address: string;
  /** Resolves when the answer was sent to its end or the peer went away. To be asked while the request is handled. */
  readonly completed: Promise<void>;
}

interface Connection {
  server?: ConnectionServer;
  /** Requests that are being answered, streams among them. */
  active: number;
  idleSinceMs: number;
  /** It is being ended: nothing else may be done to it. */
  ending: boolean;
}

/** What the pool takes from the listener's options. */
type PoolOptions = Pick<ListenOptions, "handle" | "idleTimeoutMs" | "now" | "onError" | "onPeerFault">;

/** For the last bytes of an answer when everything ends. */
const FLUSH_MS = 50;

/** Serves connections and ends them. */
export class ConnectionPool {
  readonly #connections = new Set<Connection>();
  readonly #serve: ServeConnection;
  readonly #options: PoolOptions;
  #closing = false;

  constructor(serve: ServeConnection, options: PoolOptions) {
    this.#serve = serve;
    this.#options = options;
  }

  get size(): number {
    return this.#connections.size;
  }

  get inFlight(): number {
    let sum = 0;
    for (const { active } of this.#connections) sum += active;
    return sum;
  }

  /** Serves an accepted connection. */
  serve(conn: Deno.TcpConn | Deno.TlsConn): void {
    const { handle, now, onError, onPeerFault } = this.#options;
    const connection: Connection = { active: 0, idleSinceMs: now(), ending: false };
    if ("setNoDelay" in conn) {
      conn.setNoDelay(true);
      conn.setKeepAlive(true); // a stream may be silent for hours: only the kernel can tell that its reader is gone
    }
    const address = "hostname" in conn.remoteAddr ? conn.remoteAddr.hostname : "";
    const server = this.#serve(conn, async (request, info) => {
      const peer = new LazyPeer(address, info);
      connection.active++;
      try {
        return await handle(request, peer);
      } finally {
        // An answer that is still being sent counts as idle time, unless a caller waits for its end: so a peer that
        // does not read cannot stay for ever.
        if (peer.asked) void peer.completed.then(() => this.#release(connection));
        else this.#release(connection);
      }
    }, onError);
    connection.server = server;
    this.#connections.add(connection);
    server.finished.then(() => this.#connections.delete(connection), (error: unknown) => {
      this.#connections.delete(connection);
      if (!connection.ending) onPeerFault(error instanceof Error ? error.message : String(error));
    });
  }

  #release(connection: Connection): void {
    connection.active--;
    connection.idleSinceMs = this.#options.now();
    if (this.#closing && connection.active === 0) this.#shutDown(connection);
  }

  /** Cuts the connections that are idle for too long. */
  cutIdle(): void {
    const oldestMs = this.#options.now() - this.#options.idleTimeoutMs;
    for (const connection of this.#connections) {
      if (connection.active === 0 && connection.idleSinceMs < oldestMs) this.#cut(connection);
    }
  }

  /** Cuts the connections that are idle longest, so many of them as are; returns how many. */
  cutIdlest(count = 1): number {
    const idle = [...this.#connections].filter(({ active, ending }) => active === 0 && !ending);
    const idlest = idle.sort((a, b) => a.idleSinceMs - b.idleSinceMs).slice(0, count);
    for (const connection of idlest) {
      this.#cut(connection);
      this.#connections.delete(connection);
    }
    return idlest.length;
  }

  /** Ends idle connections at once and the others when they have answered, at the latest after the grace. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    const all = Promise.allSettled([...this.#connections].map(({ server }) => server?.finished));
    for (const connection of this.#connections) {
      if (connection.active === 0) this.#shutDown(connection);
    }
    await settlesWithin(all, graceMs);
    for (const connection of this.#connections) this.#cut(connection);
    await settlesWithin(all, FLUSH_MS); // a peer that does not read its answer is left to the end of the process
  }

  #cut(connection: Connection): void {
    if (connection.ending) return;
    connection.ending = true;
    connection.server?.cut();
  }

  #shutDown(connection: Connection): void {
    if (connection.ending) return;
    connection.ending = true;
    connection.server?.shutdown().catch(() => {}); // it had ended
  }
}

/** Watching the end of an answer costs as much as all the rest of a short one, so only who asks pays for it. */
class LazyPeer implements Peer {
  readonly #info: Pick<Deno.ServeHandlerInfo, "completed">;
  #completed: Promise<void> | undefined;

  constructor(readonly address: string, info: Pick<Deno.ServeHandlerInfo, "completed">) {
    this.#info = info;
  }

  get asked(): boolean {
    return this.#completed !== undefined;
  }

  get completed(): Promise<void> {
    return this.#completed ??= this.#info.completed.catch(() => {});
  }
}
