/** Standard input and output, with a guard that keeps everything but the protocol off standard output. @module */
import { fstatSync } from "node:fs";

/** What a pipe holds. */
const READ_BYTES = 64 * 1024;

/** Standard input, as it comes; ends when the client closes it. */
export async function* readStdin(): AsyncIterable<Uint8Array> {
  const block = new Uint8Array(READ_BYTES);
  for (;;) {
    const count = await Deno.stdin.read(block);
    if (count === null) return;
    yield block.slice(0, count);
  }
}

/** Writes all of it to standard output, and waits until the reader has taken it. */
export type StdoutWriter = (bytes: Uint8Array) => Promise<void>;

/** Leaves the waiting to another thread. */
export async function writeStdout(bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await Deno.stdout.write(rest));
}

/** PIPE_BUF: a pipe that poll(2) calls writable takes as much without making the writer wait, and so does a socket. */
const AT_ONCE_BYTES = 4_096;
const STDOUT = 1, POLLOUT = 4;

/**
 * As {@link writeStdout}, but what is short, and taken at once, is written by the thread that asks: waking another one
 * takes longer than to answer a ping.
 *
 * Needs FFI when it is made; holds the C library from then on.
 *
 * @throws Error where it is not glibc, or FFI is not permitted.
 */
export function makeStdoutWriter(): StdoutWriter {
  const kind = fstatSync(STDOUT);
  if (!kind.isFIFO() && !kind.isSocket()) return writeStdout; // of a terminal, poll(2) promises one byte only
  const { symbols: { poll } } = Deno.dlopen("libc.so.6", {
    poll: { parameters: ["buffer", "usize", "i32"], result: "i32" },
  });
  const asked = new Int16Array([STDOUT, 0, POLLOUT, 0]); // struct pollfd: a descriptor of 32 bits, events, answer
  const takesNow = () => poll(asked, 1n, 0) === 1 && asked[3] === POLLOUT;
  return (bytes) => {
    if (bytes.length > AT_ONCE_BYTES || !takesNow()) return writeStdout(bytes);
    return Promise.try(() => {
      for (let rest = bytes; rest.length > 0;) rest = rest.subarray(Deno.stdout.writeSync(rest));
    });
  };
}

/** From here on `console` writes to standard error: standard output belongs to the protocol. */
export function divertConsole(): void {
  // deno-lint-ignore no-console -- this is the door that keeps everyone else out
  console.log = console.info = console.debug = console.error;
}
