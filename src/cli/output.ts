/** Writes to the standard streams, and survives readers that went away. @module */

/** Exit codes after sysexits.h where they fit. */
export const EXIT = { ok: 0, failed: 1, usage: 64, unavailable: 69, internal: 70, output: 74, config: 78 } as const;

/** Standard output cannot be written: it is closed, or its disk is full. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

const encoder = new TextEncoder();

/** Writes one line for a person to standard error. */
export function say(line: string): void {
  try {
    writeAll(Deno.stderr, `${line}\n`);
  } catch {
    // closed: there is no other place to report it
  }
}

/**
 * Writes text to standard output. A closed pipe ends the process quietly, because its reader has seen enough.
 *
 * @throws OutputError
 */
export function print(text: string): void {
  try {
    writeAll(Deno.stdout, text);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(EXIT.ok);
    throw new OutputError(error instanceof Error ? error.message : String(error));
  }
}

function writeAll(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let bytes = encoder.encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
}
