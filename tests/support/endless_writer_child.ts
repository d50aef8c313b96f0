/**
 * Process that keeps replacing a file with one of two contents until it is killed, and reports when it has begun.
 * @module
 */
import { makeWriter } from "../../src/sys/writer/writer.ts";

const [path = "", dataDir = ""] = Deno.args;
const writer = makeWriter({ kept: [], dataDir, backupsBeside: false });
for (let round = 0;; round++) {
  const data = new Uint8Array(200_000 + round % 2).fill(97 + round % 2);
  await writer.change([path], (files) => files.write(path, data));
  if (round === 2) await Deno.stdout.write(new TextEncoder().encode("ready\n"));
}
