import assert from "node:assert/strict";
import { decode, makeOutput, type Output, type StreamName } from "../../src/exec/output.ts";
import { boundOutput, keepOutput, lastLines, showLast } from "../../src/exec/show_output.ts";
import { settledLength, settleLines, stripControls } from "../../src/condense/output_text.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const HUGE = { headBytes: 1 << 24, tailBytes: 1 << 24 };

function readAll(output: Output, maxBytes: number): string {
  let text = "";
  for (let offset = 0; offset < output.bytes;) {
    const slice = output.read(offset, maxBytes);
    assert.equal(slice.offset, offset);
    assert.ok(slice.end > offset);
    text += slice.text;
    offset = slice.end;
  }
  return text;
}

Deno.test("output of both streams keeps the order of arrival, and each stream can be had alone", () => {
  const output = makeOutput(HUGE);
  output.append("stdout", bytes("a\n"));
  output.append("stderr", bytes("x\n"));
  output.append("stdout", bytes("b\n"));
  assert.equal(output.read(0, 100).text, "a\nx\nb\n");
  assert.equal(decode(output.excerpt("stdout", 100, 100).head), "a\nb\n");
  assert.equal(decode(output.excerpt("stderr", 100, 100).head), "x\n");
  assert.deepEqual([output.bytesOf("stdout"), output.linesOf("stdout"), output.bytesOf("stderr")], [4, 2, 2]);
});

Deno.test("characters survive any cut of the chunks, in both streams at once", () => {
  const text = "añ日本語🙂ß\n".repeat(50);
  const raw = bytes(text);
  for (let size = 1; size < 9; size++) {
    const output = makeOutput(HUGE);
    for (let at = 0; at < raw.length; at += size) {
      for (const stream of ["stdout", "stderr"] as StreamName[]) output.append(stream, raw.slice(at, at + size));
    }
    output.finish();
    for (const stream of ["stdout", "stderr"] as StreamName[]) {
      assert.equal(decode(output.excerpt(stream, 1e6, 1e6).head), text);
    }
    assert.ok(!readAll(output, 7).includes("\ufffd"));
  }
});

Deno.test("reading in pieces of any size gives every byte once", () => {
  const output = makeOutput(HUGE);
  const text = Array.from({ length: 5_000 }, (_, i) => `line ${i} ü\n`).join("");
  output.append("stdout", bytes(text));
  for (const size of [4, 5, 100, 4_096, 1e6]) assert.equal(readAll(output, size), text);
});

Deno.test("invalid UTF-8 is shown as U+FFFD and never stops a read", () => {
  const output = makeOutput(HUGE);
  output.append("stdout", new Uint8Array([0x61, 0xff, 0xe9, 0x62, 0xc3]));
  output.finish();
  assert.equal(output.read(0, 100).text, "a\ufffd\ufffdb\ufffd");
});

Deno.test("a bounded record keeps head and tail, and says how much is lost between", () => {
  const output = makeOutput({ headBytes: 20_000, tailBytes: 40_000 });
  const line = (i: number) => `${String(i).padStart(9, "0")}\n`;
  for (let i = 0; i < 100_000; i++) output.append("stdout", bytes(line(i)));
  assert.equal(output.bytes, 1_000_000);
  const { head, tail, omittedBytes } = output.excerpt("stdout", 1e9, 1e9);
  assert.ok(decode(head).startsWith(line(0) + line(1)));
  assert.ok(decode(tail).endsWith(line(99_998) + line(99_999)));
  assert.ok(head.length >= 20_000 && head.length <= 40_000);
  assert.ok(tail.length >= 40_000 && tail.length <= 80_000);
  assert.equal(head.length + tail.length + omittedBytes, 1_000_000);
  const gap = output.read(head.length, 1_000);
  assert.equal(gap.lostBytes, omittedBytes);
  assert.equal(gap.offset, 1_000_000 - tail.length);
});

Deno.test("a read stops at a gap, so that what is lost is reported where it was", () => {
  const output = makeOutput({ headBytes: 10, tailBytes: 10 });
  output.append("stdout", bytes("0123456789"));
  for (let i = 0; i < 10; i++) output.append("stdout", bytes("x".repeat(20_000)));
  assert.equal(output.read(0, 1e9).text, "0123456789");
});

Deno.test("changed resolves at output and at the end", async () => {
  const output = makeOutput(HUGE);
  const first = output.changed();
  output.append("stdout", bytes("x"));
  await first;
  const second = output.changed();
  output.finish();
  await second;
});

Deno.test("terminal sequences and control characters are removed, text is not", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["\x1b[1;31mred\x1b[0m", "red"],
    ["\x1b]0;title\x07text", "text"],
    ["\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"],
    ["\x1b(B\x1b[?25lx\x1b[2K", "x"],
    ["\x1bP1$r0m\x1b\\x", "x"],
    ["N\bNA\bAM\bM", "NAM"],
    ["_\bu", "u"],
    ["a\x07b\x00c\x7f", "abc"],
    ["tab\tnew\nreturn\r", "tab\tnew\nreturn\r"],
    ["[31m not a sequence", "[31m not a sequence"],
    ["日本 é 🙂", "日本 é 🙂"],
  ];
  for (const [raw, plain] of cases) assert.equal(stripControls(raw), plain, JSON.stringify(raw));
});

Deno.test("a terminal's overwritten lines are settled", () => {
  assert.equal(settleLines("10%\r50%\r100%\r\ndone\r\n"), "100%\ndone\n");
  assert.equal(settleLines("a\r\nb\r\r\nc"), "a\nb\nc");
});

Deno.test("what may go on in the next output is held back", () => {
  for (
    const [raw, length] of [["ab\x1b", 2], ["ab\x1b[1;3", 2], ["ab\x1b]0;ti", 2], ["ab\r", 2], ["ab", 2], [
      "ab\x1b[0m",
      6,
    ], ["a\r\n", 3]] as const
  ) {
    assert.equal(settledLength(raw), length, JSON.stringify(raw));
  }
});

function shown(text: string | Uint8Array, budget: number) {
  const output = makeOutput(HUGE);
  output.append("stdout", typeof text === "string" ? bytes(text) : text);
  output.finish();
  return boundOutput(output, "stdout", budget, false);
}

Deno.test("output within the budget is shown as it is", () => {
  for (const text of ["", "hi\n", "no end", "x".repeat(5_000)]) {
    assert.deepEqual(shown(text, 4_000), { text, cut: false, binary: null });
  }
});

Deno.test("long output is cut to head and tail, with the number of lines between", () => {
  const { text, cut } = shown(Array.from({ length: 200_000 }, (_, i) => `${i}\n`).join(""), 500);
  assert.ok(cut);
  const lines = text.split("\n");
  assert.equal(lines[0], "0");
  assert.equal(lines.at(-2), "199999");
  const note = lines.findIndex((line) => line.startsWith("[…"));
  const missing = Number(lines[note]?.match(/\d+/)?.[0]);
  assert.equal(missing + lines.length - 2, 200_000);
  assert.ok(text.length < 3_000);
});

Deno.test("one endless line is cut", () => {
  const { text, cut } = shown("x".repeat(3_000_000), 1_000);
  assert.ok(cut && text.length < 4_200 && /\n\[… \d+ bytes left out\]\n/.test(text));
});

Deno.test("binary output is described, not shown", () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 1, 2, 3]);
  assert.deepEqual(shown(png, 1_000), { text: "[binary output: image/png, 15 bytes]", cut: true, binary: "image/png" });
});

Deno.test("an output that fits its budget is shown whole, however many bytes it has", () => {
  const output = makeOutput(HUGE);
  const text = "word ".repeat(19).concat("\n").repeat(2_100);
  output.append("stdout", bytes(text));
  output.finish();
  assert.deepEqual(boundOutput(output, "stdout", 80_000, false), { text, cut: false, binary: null });
});

Deno.test("one endless line is shown at both of its ends", () => {
  const output = makeOutput({ headBytes: 1 << 16, tailBytes: 1 << 16 });
  output.append("stdout", bytes(`begin ${"x".repeat(1 << 20)} end`));
  output.finish();
  const { text, cut } = boundOutput(output, "stdout", 1_000, false);
  assert.ok(
    cut && text.startsWith("begin ") && text.includes("\n[… ") && /x/.test(text.split("\n").at(-1) ?? ""),
    text.slice(0, 200),
  );
});

Deno.test("excerpts are cut between characters", () => {
  const output = makeOutput(HUGE);
  output.append("stdout", bytes("日本é🙂".repeat(50)));
  for (let most = 1; most < 40; most++) {
    const { head, tail, omittedBytes } = output.excerpt("stdout", most, most);
    assert.ok(!(decode(head) + decode(tail)).includes("\ufffd"), `${most}`);
    assert.ok(head.length <= most && tail.length <= most && head.length + tail.length + omittedBytes === 600);
    assert.ok(most - head.length < 4 && most - tail.length < 4);
  }
});

Deno.test("what is decoded keeps a byte order mark: it is the program's", () => {
  assert.equal(decode(Uint8Array.of(0xef, 0xbb, 0xbf, 65)), "\ufeffA");
});

Deno.test("the last twenty lines of a stream are shown, with a note of those before", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);
  assert.deepEqual(lastLines(lines(20), 20), { text: lines(20).join("\n"), cut: false, binary: null });
  const { text, cut } = lastLines(lines(21), 21);
  assert.deepEqual([text.split("\n").slice(1), cut], [lines(21).slice(1), true]);
});

Deno.test("output that was cut is kept whole, cleaned, under a handle of a command", async () => {
  const output = makeOutput(HUGE), kept: { kind: string; payload: unknown }[] = [];
  const plain = "a".repeat(65_534); // a sequence lies over the border of the pieces that are cleaned
  output.append("stdout", bytes(`${plain}\x1b[31mred\x1b[0m\n${plain}\nlast\n`));
  output.append("stderr", bytes("trouble\n"));
  output.finish();
  const handles = { put: (entry: { kind: string; payload: unknown }) => (kept.push(entry), "H_1") };
  const shown = (cut: boolean) => ({ text: "", cut, binary: null });
  const to = { handles, owner: "o", meta: {}, keepControls: false };
  assert.equal(await keepOutput(output, { stdout: shown(true), stderr: shown(false) }, to), "H_1");
  assert.equal(kept[0]?.kind, "cmd");
  assert.equal(kept[0]?.payload, `${plain}red\n${plain}\nlast\n[stderr]\ntrouble\n`);
  assert.equal(await keepOutput(output, { stdout: shown(false), stderr: shown(false) }, to), null);
  const quiet = makeOutput(HUGE);
  quiet.append("stdout", bytes("only this"));
  quiet.finish();
  await keepOutput(quiet, { stdout: shown(true), stderr: shown(false) }, to);
  assert.equal(kept[1]?.payload, "only this");
});

Deno.test("the last lines of a stream are counted among all of them, whether the last one has ended or not", () => {
  for (const end of ["", "\n"]) {
    const output = makeOutput(HUGE), words = "word ".repeat(40);
    output.append("stdout", bytes(Array.from({ length: 1_000 }, (_, at) => `${at} ${words}`).join("\n") + end));
    output.finish();
    assert.equal(showLast(output, false).stderr.text, "");
    assert.match(showLast(output, false).stdout.text, /980[^\n]*1,?000 lines|1,?000 lines/);
  }
});
