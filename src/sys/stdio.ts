/** Standard input and output, and the door that keeps everything else off standard output. @module */

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

/** Writes all of it, and waits until the reader has taken it. */
export async function writeStdout(bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await Deno.stdout.write(rest));
}

/** From here on `console` writes to standard error: standard output belongs to the protocol. */
export function divertConsole(): void {
  // deno-lint-ignore no-console -- this is the door that keeps everyone else out
  console.log = console.info = console.debug = console.error;
}
