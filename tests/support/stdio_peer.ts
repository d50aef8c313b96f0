/** A stdio client that exchanges raw lines and fails on any message that it does not expect. @module */
import assert from "node:assert/strict";
import { BINARY, type Sandbox } from "./binary.ts";

/** A frame as it came. */
export type Frame = Record<string, unknown>;

/** How the server is started. */
export interface PeerOptions {
  readonly args?: readonly string[];
  readonly binary?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The arguments name the root. */
  readonly withoutRoot?: boolean;
  /** Leaves standard error unread, as many clients do. */
  readonly ignoresErrors?: boolean;
}

const TIMEOUT_MS = 20_000;
const INITIALIZE = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };

/** One client and its server process. */
export class StdioPeer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: AsyncIterator<string>;
  readonly #errors: Promise<string>;
  #stderr = "";
  #lastId = 0;
  #ended = false;

  private constructor(child: Deno.ChildProcess, ignoresErrors: boolean) {
    this.#child = child;
    this.#input = child.stdin.getWriter();
    this.#lines = linesOf(child.stdout);
    this.#errors = ignoresErrors
      ? child.status.then(() => child.stderr.cancel()).then(() => "")
      : this.#keepErrors(child.stderr);
    void child.status.then(() => this.#ended = true);
  }

  /** Starts a server for the root of a sandbox. */
  static start(
    sandbox: Sandbox,
    { args = [], binary = BINARY, env = {}, ignoresErrors = false, withoutRoot = false }: PeerOptions = {},
  ): StdioPeer {
    return new StdioPeer(
      new Deno.Command(binary, {
        args: ["stdio", ...withoutRoot ? [] : ["--root", sandbox.root], ...args],
        clearEnv: true,
        env: { ...sandbox.env, ...env },
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
      ignoresErrors,
    );
  }

  /** The same, after the handshake. */
  static async open(
    sandbox: Sandbox,
    options: PeerOptions & { readonly capabilities?: Record<string, unknown> } = {},
  ): Promise<StdioPeer> {
    const peer = StdioPeer.start(sandbox, options);
    await peer.request("initialize", { ...INITIALIZE, capabilities: options.capabilities ?? {} });
    await peer.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return peer;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** How the process ended. */
  get status(): Promise<Deno.CommandStatus> {
    return this.#child.status;
  }

  async #keepErrors(stream: ReadableStream<Uint8Array>): Promise<string> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) this.#stderr += text;
    return this.#stderr;
  }

  /** Everything that it has written to standard error so far, unless that is ignored. */
  stderr(): string {
    return this.#stderr;
  }

  /** Everything on standard error; resolves at the end of the process. */
  get errors(): Promise<string> {
    return this.#errors;
  }

  /** Writes one line; resolves when the pipe has taken it. */
  async send(message: Frame | string): Promise<void> {
    const line = typeof message === "string" ? message : JSON.stringify(message);
    await this.#input.write(new TextEncoder().encode(`${line}\n`));
  }

  /** Sends a request and returns its id. */
  async ask(method: string, params: Frame = {}): Promise<number> {
    const id = ++this.#lastId;
    await this.send({ jsonrpc: "2.0", id, method, params });
    return id;
  }

  /** The next frame, whatever it is; anything that is no JSON-RPC message fails. */
  async next(): Promise<Frame> {
    const timer = AbortSignal.timeout(TIMEOUT_MS);
    const late = new Promise<never>((_, reject) => {
      timer.addEventListener("abort", () => reject(new Error(`no frame within ${TIMEOUT_MS} ms`)));
    });
    const { value, done } = await Promise.race([this.#lines.next(), late]);
    assert.ok(!done, `standard output ended: ${this.#ended ? await this.#errors : ""}`);
    const frame: Frame = JSON.parse(value);
    assert.equal(frame.jsonrpc, "2.0", value);
    return frame;
  }

  /** Sends a request; the very next frame must be its answer. */
  async request(method: string, params: Frame = {}): Promise<Frame> {
    const id = await this.ask(method, params);
    const frame = await this.next();
    assert.equal(frame.id, id, `expected the answer of ${method}, got ${JSON.stringify(frame)}`);
    return frame;
  }

  /** Calls a tool; the very next frame must be its answer. Text of the result. */
  async call(name: string, args: Frame = {}): Promise<string> {
    return textOf(await this.request("tools/call", { name, arguments: args }));
  }

  /** Reads frames until one passes. */
  async until(test: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const frame = await this.next();
      if (test(frame)) return frame;
    }
  }

  /** Ends the input, as a client does that goes away. */
  async closeInput(): Promise<void> {
    await this.#input.close();
  }

  /** Sends a signal to the server. */
  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close().catch(() => {}); // closed already
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), TIMEOUT_MS);
    while (!(await this.#lines.next()).done);
    await this.#child.status;
    await this.#errors;
    clearTimeout(timer);
  }
}

/** The text of a tool's result. */
export function textOf(frame: Frame): string {
  const { result, error } = frame as { result?: { content?: { text?: string }[] }; error?: unknown };
  assert.ok(result, JSON.stringify(error));
  return (result.content ?? []).map(({ text }) => text ?? "").join("\n");
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
