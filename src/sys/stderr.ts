/** Lines to standard error, which belongs to the log: standard output belongs to the protocol. @module */

/** Writes one line. A closed or full stderr loses the line and nothing else. */
export function writeStderrLine(line: string): void {
  const bytes = new TextEncoder().encode(line + "\n");
  try {
    for (let written = 0; written < bytes.length;) written += Deno.stderr.writeSync(bytes.subarray(written));
  } catch {
    // nobody reads it any more, and there is no other place to say so
  }
}
