/** stdio transport of MCP. @module */
import { type JSONRPCMessage, parseJSONRPCMessage, type Server, type Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Logger } from "../../obs/log.ts";
import { divertConsole } from "../../sys/stdio.ts";
import { type LineConnection, type LineStreams, openLineConnection } from "./line_connection.ts";
import type { makeMcp } from "./server.ts";
import type { CallerPeer } from "./caller.ts";
import { makeListens } from "./listens.ts";
import type { Watches } from "./watches.ts";

/** What the face needs. */
export interface StdioDeps {
  readonly makeServer: ReturnType<typeof makeMcp>;
  readonly peer: Omit<CallerPeer, "silent">;
  readonly watches: Watches;
  readonly log: Logger;
  /** Called once when the client has closed the input or cannot be written to any more. */
  readonly onEnd: () => void;
  readonly streams: LineStreams;
}

/** A running stdio face. */
export interface StdioFace {
  close(): Promise<void>;
}

/** Messages kept for one connection in the newer protocol. */
const MAX_SUBSCRIPTIONS = 64;

/** Serves one client until its end of input. */
export function serveOverStdio(deps: StdioDeps): StdioFace {
  const { makeServer, watches, log, onEnd } = deps;
  const silent = new AbortController(), peer: CallerPeer = { ...deps.peer, silent: silent.signal };
  divertConsole();
  let server: Server | undefined;
  const listens = makeListens(watches, peer.owner, (uri) => void server?.sendResourceUpdated({ uri }).catch(() => {}));
  const onTrouble = (detail: string) => log.warn("stdio", { detail });
  const transport = new LineTransport(deps.streams, {
    onTrouble,
    onMessage: (message) => listens.look(message),
    onLast: () => silent.abort(),
    onEnd,
  });
  const face = serveStdio(() => server = makeServer(peer), {
    transport,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) => onTrouble(error.message),
  });
  return {
    close() {
      listens.close();
      return face.close();
    },
  };
}

interface TransportListener {
  onTrouble(detail: string): void;
  /** @returns what has to come true before the message is looked at, if anything has */
  onMessage(message: unknown): Promise<boolean> | undefined;
  onLast(): void;
  onEnd(): void;
}

/** The SDK's own transport closes for good at a line that is too long, and queues without bound for a slow reader. */
class LineTransport implements Transport {
  declare onmessage: NonNullable<Transport["onmessage"]>;
  declare onclose: NonNullable<Transport["onclose"]>;
  declare onerror: NonNullable<Transport["onerror"]>;
  #connection: LineConnection | undefined;
  #closed = false;

  constructor(readonly streams: LineStreams, readonly listener: TransportListener) {}

  start(): Promise<void> {
    this.#connection = openLineConnection(this.streams, {
      onMessage: (message) => this.#take(message),
      onTrouble: this.listener.onTrouble,
      onLast: this.listener.onLast,
      isLarge: (method) => method === "tools/call" || method === "resources/read",
      onEnd: () => {
        this.#close();
        this.listener.onEnd();
      },
    });
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#connection?.send(message);
  }

  close(): Promise<void> {
    this.#close();
    return Promise.resolve();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#connection?.close();
    this.onclose?.();
  }

  #take(value: unknown): void {
    const message = readMessage(value);
    if (message === null) {
      const { id: given } = Object(value);
      const id = typeof given === "string" || typeof given === "number" ? given : null;
      const error = { code: -32600, message: "Invalid Request: no JSON-RPC 2.0 message" };
      this.listener.onTrouble(error.message);
      this.#connection?.send({ jsonrpc: "2.0", id, error }).catch(() => {});
      return;
    }
    const ready = this.listener.onMessage(message);
    if (!ready) return this.onmessage(message);
    void ready.then((isWanted) => isWanted && !this.#closed && this.onmessage(message));
  }
}

function readMessage(value: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return null;
  }
}
