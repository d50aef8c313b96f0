/** Writes executable programs for tests. @module */
import assert from "node:assert/strict";

/**
 * Writes a program, in a child: what this process has open for writing is for a moment also open in every child that
 * another thread starts meanwhile, and the system starts no file that is open for writing.
 */
export async function writeProgram(path: string, text: string): Promise<void> {
  const script = `printf %s "$1" >"$0" && chmod 755 "$0"`;
  const { success } = await new Deno.Command("/bin/sh", { args: ["-c", script, path, text] }).output();
  assert.ok(success);
}
