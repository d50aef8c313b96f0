import assert from "node:assert/strict";
import { makeStderrLines } from "../../src/sys/stderr.ts";

/** A reader that takes nothing until it is let, and then all that comes. */
function makeReader() {
  let taken = "";
  const decoder = new TextDecoder();
  let gate = Promise.withResolvers<void>();
  return {
    text: () => taken,
    read: () => gate.resolve(),
    stop: () => gate = Promise.withResolvers<void>(),
    async write(bytes: Uint8Array): Promise<number> {
      await gate.promise;
      const some = bytes.subarray(0, 1_000); // a pipe takes what it has room for
      taken += decoder.decode(some, { stream: true });
      return some.length;
    },
  };
}

Deno.test("makeStderrLines writes lines whole and in order, however little is taken at a time", async () => {
  const reader = makeReader(), lost: number[] = [];
  reader.read();
  const stderr = makeStderrLines((count) => lost.push(count), reader.write);
  const lines = Array.from({ length: 50 }, (_, index) => `${index} ${"ä".repeat(99)}`);
  for (const line of lines) stderr.write(line);
  await stderr.flush();
  assert.equal(reader.text(), lines.map((line) => `${line}\n`).join(""));
  assert.deepEqual(lost, []);
});

Deno.test("makeStderrLines makes nobody wait for a reader, loses what is too much, and says how much", async () => {
  const reader = makeReader();
  const stderr = makeStderrLines((count) => stderr.write(`${count} lost`), reader.write);
  stderr.write("first");
  await stderr.flush(); // gives up: nobody reads
  assert.equal(reader.text(), "");
  for (let index = 0; index < 10_000; index++) stderr.write("x".repeat(99));
  reader.read();
  await stderr.flush();
  const lines = reader.text().trimEnd().split("\n"), kept = lines.filter((line) => line === "x".repeat(99)).length;
  assert.equal(lines[0], "first");
  assert.ok(kept >= 2_000 && kept < 3_000, `${kept} lines kept`);
  assert.equal(lines.at(-1), `${10_000 - kept} lost`);
  stderr.write("last");
  await stderr.flush();
  assert.match(reader.text(), /\nlast\n$/);
});

Deno.test("makeStderrLines takes lines that come while others are written, and survives a closed standard error", async () => {
  const written: string[] = [];
  const stderr = makeStderrLines(() => {}, (bytes) => {
    const text = new TextDecoder().decode(bytes);
    if (text === "a\n") stderr.write("b");
    written.push(text);
    return text === "b\n" ? Promise.reject(new Error("EPIPE")) : Promise.resolve(bytes.length);
  });
  stderr.write("a");
  await stderr.flush();
  stderr.write("c");
  await stderr.flush();
  assert.deepEqual(written, ["a\n", "b\n", "c\n"]);
});
