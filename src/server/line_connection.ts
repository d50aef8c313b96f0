/**
 * JSON messages over two byte streams, one to a line.
 *
 * A client that does not read is not read from: what waits to be written stays bounded. A line over the bound is answered
 * and skipped, because the next one may be fine. At the end of input what was asked may still be answered for a moment:
 * `printf … | llmc-mcp` works.
 * @module
 */
import { type JsonLine, makeJsonLineReader } from "../core/json_lines.ts";

/** The two streams. */
export interface LineStreams {
  readonly input: AsyncIterable<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
}

/** What the connection tells. */
export interface LineListener {
  onMessage(message: unknown): void;
  /** A line that is no message; nothing is to be done. */
  onTrouble(detail: string): void;
  /** The other end has closed, or cannot be written to. */
  onEnd(): void;
}

/** An open connection. */
export interface LineConnection {
  /** Resolves when it was written. @throws Error when it cannot be. */
  send(message: object): Promise<void>;
  close(): void;
}

/** Of one line; what other servers allow. */
const MAX_LINE_BYTES = 10 * 1024 * 1024;
/** More than this is not waiting to be written before more is read. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** From the end of input to the end of the connection, at most. */
const LAST_ANSWERS_MS = 250;
const PARSE_ERROR = -32700, INVALID_REQUEST = -32600;

/** Opens it: from here on messages arrive. */
export function openLineConnection({ input, write }: LineStreams, listener: LineListener): LineConnection {
  const encoder = new TextEncoder(), lines = makeJsonLineReader(MAX_LINE_BYTES);
  /** Requests without an answer yet. */
  const open = new Set<unknown>();
  let waitingBytes = 0, closed = false;
  let written: Promise<void> = Promise.resolve(), answered: (() => void) | undefined;

  const end = () => {
    if (closed) return;
    closed = true;
    listener.onEnd();
  };

  async function send(message: object): Promise<void> {
    if (closed) throw new Error("the connection is closed");
    const bytes = encoder.encode(`${JSON.stringify(message)}\n`);
    waitingBytes += bytes.length;
    written = written.then(() => write(bytes)).finally(() => waitingBytes -= bytes.length);
    if ("id" in message && !("method" in message)) open.delete(message.id);
    if (open.size === 0) answered?.();
    try {
      await written;
    } catch (error) {
      end(); // a broken pipe: nobody is there any more
      throw error;
    }
  }

  const receive = (message: unknown) => {
    const { id, method } = Object(message);
    if (id !== undefined && method !== undefined) open.add(id);
    if (method === "notifications/cancelled") open.delete(Object(Object(message).params).requestId);
    listener.onMessage(message);
  };

  const take = (line: JsonLine) => {
    if (line.kind === "value") return Array.isArray(line.value) ? line.value.forEach(receive) : receive(line.value);
    const [code, text, id] = line.kind === "invalid"
      ? [PARSE_ERROR, "Parse error: the line is not JSON", null] as const
      : [INVALID_REQUEST, tooLong(line.sizeBytes), line.id] as const;
    listener.onTrouble(text);
    send({ jsonrpc: "2.0", id, error: { code, message: text } }).catch(() => {});
  };

  /** Waits until the other end has taken enough of what waits. */
  const room = async () => {
    while (waitingBytes > MAX_WAITING_BYTES && !closed) await written.catch(() => {});
  };

  async function read(): Promise<void> {
    try {
      for await (const bytes of input) {
        for (const line of lines.push(bytes)) take(line);
        await room();
        if (closed) return;
      }
    } catch (error) {
      listener.onTrouble(error instanceof Error ? error.message : String(error));
    }
    await lastAnswers();
    end();
  }

  async function lastAnswers(): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LAST_ANSWERS_MS);
    if (open.size > 0) await Promise.race([over, new Promise<void>((done) => answered = done)]);
    await Promise.race([over, written.catch(() => {})]);
    clearTimeout(timer);
  }

  void read();
  return { send, close: () => void (closed = true) };
}

function tooLong(sizeBytes: number): string {
  const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  return `Invalid Request: the message has ${mib(sizeBytes)} MiB; at most ${mib(MAX_LINE_BYTES)} MiB are taken`;
}
