/** A named pipe at which programs wait until the test releases them: `read line <NAME`. @module */
import assert from "node:assert/strict";

/** Held open by the test: neither side waits for the other one to come. */
export interface Gate extends Disposable {
  /** Lets so many programs pass, those that come later among them. */
  pass(programs?: number): Promise<void>;
}

/** Makes the pipe. */
export async function makeGate(path: string): Promise<Gate> {
  assert.ok((await new Deno.Command("mkfifo", { args: [path] }).output()).success);
  const pipe = await Deno.open(path, { read: true, write: true });
  return {
    // Of empty lines no program can take more than its own.
    pass: async (programs = 1) => void await pipe.write(new TextEncoder().encode("\n".repeat(programs))),
    [Symbol.dispose]: () => pipe.close(),
  };
}
