/**
 * JSON messages over two byte streams, one per line. What queues up for a client that does not read stays bounded:
 * while the queue is long, large answers are held back, and finally reading stops. Everything else, such as a ping or
 * a cancellation, passes. A line over the bound is answered with an error and skipped, because the next one may be
 * fine. After the end of input, pending requests may still be answered for a moment, so `printf … | llmc-mcp` works.
 * @module
 */
import { type JsonLine, makeJsonLineReader } from "../../core/json_lines.ts";

/** The two streams. */
export interface LineStreams {
  readonly input: AsyncIterable<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
}

/** What the connection tells, and asks. */
export interface LineListener {
  onMessage(message: unknown): void;
  /** A line that is no message; nothing is to be done. */
  onTrouble(detail: string): void;
  /** Nothing more will come; what was asked may still be answered. */
  onLast?(): void;
  /** The other end has closed, or cannot be written to. */
  onEnd(): void;
  /** Whether the answers of a method may be large, so that it may have to wait for the reader. */
  isLarge(method: string): boolean;
}

/** An open connection. */
export interface LineConnection {
  /** Resolves when it was written. @throws Error when it cannot be. */
  send(message: object): Promise<void>;
  close(): void;
}

/** Of one line; what other servers allow. */
const MAX_LINE_BYTES = 10 * 1024 * 1024;
/** While more than this waits to be written, nothing is begun that may add much to it. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** Large answers that are being made at a time. */
const MAX_LARGE = 32;
/** Requests that wait for that; then no more is read. */
const MAX_HELD = 1_000;
/** From the end of input to the end of the connection, at most: in turns, of which a machine that stands still uses up one. */
const LAST_ANSWERS = { turns: 6, turnMs: 50 };
const PARSE_ERROR = -32700, INVALID_REQUEST = -32600;

type Id = string | number;

/** Whether an answer will name it; a message with anything else for an id is refused at once, without one. */
const isId = (id: unknown): id is Id => typeof id === "string" || typeof id === "number";

/** Opens it: from here on messages arrive. */
export function openLineConnection({ input, write }: LineStreams, listener: LineListener): LineConnection {
  const encoder = new TextEncoder(), lines = makeJsonLineReader(MAX_LINE_BYTES);
  /** Requests without an answer yet; those of them that may have a large one; and those that were not begun. */
  const open = new Set<Id>(), large = new Set<Id>(), held = new Map<Id, unknown>();
  let waitingBytes = 0, closed = false;
  let written: Promise<void> = Promise.resolve();
  let progress = Promise.withResolvers<void>();

  const isFull = () => waitingBytes > MAX_WAITING_BYTES;
  const moved = () => {
    for (const [id, message] of held) {
      if (isFull() || large.size >= MAX_LARGE || closed) break;
      held.delete(id);
      large.add(id);
      listener.onMessage(message);
    }
    progress.resolve();
    progress = Promise.withResolvers<void>();
  };

  const end = () => {
    if (closed) return;
    closed = true;
    moved();
    listener.onEnd();
  };

  async function send(message: object): Promise<void> {
    if (closed) throw new Error("the connection is closed");
    const bytes = encoder.encode(`${JSON.stringify(message)}\n`);
    waitingBytes += bytes.length;
    written = written.then(() => write(bytes)).finally(() => {
      waitingBytes -= bytes.length;
      moved();
    });
    if ("id" in message && isId(message.id) && !("method" in message)) forget(message.id);
    try {
      await written;
    } catch (error) {
      end(); // a broken pipe: the client is gone
      throw error;
    }
  }

  const forget = (id: Id) => {
    open.delete(id);
    large.delete(id);
    moved();
  };

  const receive = (message: unknown) => {
    const { id, method, params } = Object(message);
    if (method === "notifications/cancelled") {
      const { requestId } = Object(params);
      const wasHeld = held.delete(requestId);
      if (isId(requestId)) forget(requestId);
      if (wasHeld) return; // no other component knows of it
    }
    if (isId(id) && method !== undefined) open.add(id);
    if (!isId(id) || typeof method !== "string" || !listener.isLarge(method)) return listener.onMessage(message);
    held.set(id, message);
    moved();
  };

  const take = (line: JsonLine) => {
    if (line.kind === "value") return Array.isArray(line.value) ? line.value.forEach(receive) : receive(line.value);
    const [code, text, id] = line.kind === "invalid"
      ? [PARSE_ERROR, "Parse error: the line is not JSON", null] as const
      : [INVALID_REQUEST, tooLong(line.sizeBytes), line.id] as const;
    listener.onTrouble(text);
    send({ jsonrpc: "2.0", id, error: { code, message: text } }).catch(() => {});
  };

  async function read(): Promise<void> {
    try {
      for await (const bytes of input) {
        for (const line of lines.push(bytes)) take(line);
        while ((isFull() || held.size > MAX_HELD) && !closed) await progress.promise;
        if (closed) return;
      }
    } catch (error) {
      listener.onTrouble(error instanceof Error ? error.message : String(error));
    }
    listener.onLast?.();
    await lastAnswers();
    end();
  }

  async function lastAnswers(): Promise<void> {
    let turns = 0;
    const timer = setInterval(() => {
      turns++;
      moved();
    }, LAST_ANSWERS.turnMs);
    while ((open.size > 0 || waitingBytes > 0) && !closed && turns < LAST_ANSWERS.turns) await progress.promise;
    clearInterval(timer);
  }

  void read();
  return {
    send,
    close() {
      closed = true;
      moved();
    },
  };
}

function tooLong(sizeBytes: number): string {
  const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  return `Invalid Request: the message has ${mib(sizeBytes)} MiB; at most ${mib(MAX_LINE_BYTES)} MiB are taken`;
}
