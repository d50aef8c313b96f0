/** One keep-alive connection that sends requests one by one, for latencies exact to the microsecond. @module */
import type { HttpServer } from "../../tests/support/binary.ts";

/** A request that is sent over and over. */
export interface Sample {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
}

const encoder = new TextEncoder(), decoder = new TextDecoder();

/** A connection. */
export class Connection implements Disposable {
  readonly #conn: Deno.TcpConn;
  readonly #server: HttpServer;
  readonly #buffer = new Uint8Array(1 << 20);

  private constructor(conn: Deno.TcpConn, server: HttpServer) {
    this.#conn = conn;
    this.#server = server;
  }

  static async open(server: HttpServer): Promise<Connection> {
    const { hostname, port } = new URL(server.url);
    const conn = await Deno.connect({ hostname, port: Number(port) });
    conn.setNoDelay(true);
    return new Connection(conn, server);
  }

  /** Sends one request and reads its answer; returns the status and how long it took. */
  async ask({ method, path, body }: Sample): Promise<{ status: number; durationMs: number; text: string }> {
    const text = body === undefined ? "" : JSON.stringify(body);
    const head = `${method} ${path} HTTP/1.1\r\nHost: ${new URL(this.#server.url).host}\r\n` +
      `X-LLMC-Token: ${this.#server.token}\r\nContent-Type: application/json\r\nContent-Length: ${
        encoder.encode(text).length
      }\r\n\r\n`;
    const startedMs = performance.now();
    await this.#conn.write(encoder.encode(head + text));
    const answer = await this.#read();
    const durationMs = performance.now() - startedMs;
    return { status: Number(answer.slice(9, 12)), durationMs, text: answer };
  }

  async #read(): Promise<string> {
    let length = 0;
    for (;;) {
      const more = await this.#conn.read(this.#buffer.subarray(length));
      if (more === null) throw new Error("the server closed the connection");
      length += more;
      const text = decoder.decode(this.#buffer.subarray(0, length)), end = text.indexOf("\r\n\r\n");
      const announced = text.match(/\r\ncontent-length: (\d+)/i)?.[1];
      if (end >= 0 && announced === undefined) throw new Error("an answer without a length");
      if (end >= 0 && length >= end + 4 + Number(announced)) return text;
    }
  }

  [Symbol.dispose](): void {
    this.#conn.close();
  }
}
