import assert from "node:assert/strict";
import { echoEnd } from "../../src/exec/echo.ts";

const after = (output: string, typed: string): string | null => {
  const end = echoEnd(output, typed);
  return end === null ? null : output.slice(end);
};

Deno.test("echoEnd finds the end of a line as the kernel and as a line editor echo it", () => {
  assert.equal(after("ls -l\r\ntotal 0\r\n", "ls -l\r"), "\r\ntotal 0\r\n");
  assert.equal(after("$ ls\x1b[K -l\r\n\x1b[?2004l\rtotal", "ls -l\r"), "\r\n\x1b[?2004l\rtotal");
});

Deno.test("echoEnd waits while the output may be the beginning of the line", () => {
  for (const output of ["", "\r\n", "$ ", "echo R", "$ echo R", "\x1b[?2004h$ ec"].filter((each) => each !== "$ ")) {
    assert.equal(echoEnd(output, "echo R1"), null, output);
  }
});

Deno.test("echoEnd takes everything for the answer where nothing was echoed", () => {
  assert.equal(after("Welcome\r\n", "secret"), "Welcome\r\n");
  assert.equal(after("anything", ""), "anything");
});

Deno.test("echoEnd passes the prompts between the lines of a longer input", () => {
  const output = "for i in 1 2; do\r\n> echo $i\r\n> done\r\n1\r\n2\r\n$ ";
  assert.equal(after(output, "for i in 1 2; do\necho $i\ndone\r"), "\r\n1\r\n2\r\n$ ");
});

Deno.test("echoEnd passes a line that was typed ahead and is drawn again by the editor that reads it", () => {
  const ahead = "echo W\r\n\x1b[?2004h# ", whole = `${ahead}echo W\r\n\x1b[?2004l\rW\r\n`;
  assert.equal(after(`${ahead}echo`, "echo W"), null);
  assert.equal(after(whole, "echo W"), "\r\n\x1b[?2004l\rW\r\n");
  assert.equal(after("echo W\r\nW\r\n\x1b[?2004h# ", "echo W"), "\r\nW\r\n\x1b[?2004h# ");
});

Deno.test("echoEnd leaves what a program repeats: the first time is the echo, the second the answer", () => {
  assert.equal(after("hello\r\nhello\r\n", "hello\r"), "\r\nhello\r\n");
});
