/** Standard input and output as Node streams, and the door that keeps everything else off standard output. @module */
import { Readable, Writable } from "node:stream";

/** Standard input; ends when the client closes it. */
export function stdinStream(): Readable {
  return Readable.from(Deno.stdin.readable, { objectMode: false });
}

/** Standard output: writes in order and waits for the reader. */
export function stdoutStream(): Writable {
  const writer = Deno.stdout.writable.getWriter();
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      writer.write(chunk).then(() => done(), done);
    },
  });
}

/** From here on `console` writes to standard error: standard output belongs to the protocol. */
export function divertConsole(): void {
  // deno-lint-ignore no-console -- this is the door that keeps everyone else out
  console.log = console.info = console.debug = console.error;
}
