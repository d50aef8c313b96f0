import assert from "node:assert/strict";
import { textKind } from "../../src/core/text_kind.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const codePointOf = (character: string) => character.codePointAt(0) ?? 0;
const kindOf = (bytes: Uint8Array, isWhole = true) => textKind(bytes, { isWhole });

Deno.test("textKind recognises encodings and byte order marks", () => {
  const of = (bytes: Uint8Array) => {
    const kind = kindOf(bytes);
    return kind.text ? [kind.encoding, kind.bomBytes] : kind.type;
  };
  assert.deepEqual(of(utf8("plain")), ["utf-8", 0]);
  assert.deepEqual(of(utf8("")), ["utf-8", 0]);
  assert.deepEqual(of(utf8("\ufeffmark")), ["utf-8", 3]);
  assert.deepEqual(of(latin1("\xff\xfea\0b\0")), ["utf-16le", 2]);
  assert.deepEqual(of(latin1("\xfe\xff\0a\0b")), ["utf-16be", 2]);
  assert.deepEqual(of(latin1("un caf\xe9 cr\xe8me, s'il vous pla\xeet")), ["8-bit", 0]);
  assert.deepEqual(of(utf8("\x1b[31mred\x1b[0m\n")), ["utf-8", 0]);
  assert.deepEqual(of(utf8("日本語だけの行")), ["utf-8", 0]);
});

Deno.test("textKind recognises UTF-16 and UTF-32 without a mark, and takes no other bytes with NULs for them", () => {
  const encode = (text: string, bytes: number, isLittle: boolean) => {
    const points = bytes === 2
      ? Array.from(text.split(""), (unit) => unit.charCodeAt(0))
      : Array.from(text, codePointOf);
    const view = new DataView(new ArrayBuffer(points.length * bytes));
    points.forEach((point, at) =>
      bytes === 2 ? view.setUint16(at * 2, point, isLittle) : view.setUint32(at * 4, point, isLittle)
    );
    return new Uint8Array(view.buffer);
  };
  const encodings = { "utf-16le": [2, true], "utf-16be": [2, false], "utf-32le": [4, true], "utf-32be": [4, false] };
  for (const text of ["port = 80\r\n", "# 設定ファイルの説明\n上海\n", "word", "смайл 😀 и текст\n"]) {
    for (const [encoding, [bytes, isLittle]] of Object.entries(encodings)) {
      const kind = kindOf(encode(text, Number(bytes), isLittle === true));
      assert.deepEqual([kind.text && kind.encoding, kind.text && kind.bomBytes], [encoding, 0], `${encoding} ${text}`);
    }
  }
  const others = [
    utf8('const SEP = "\0";\nfunction join() {}\n'),
    utf8("\0".repeat(64) + "\nthe log was cut here\n"),
    utf8("a\0b\0c\0\x01\0\x02\0\n\0"),
    latin1("\x82\xa0\x82\xa2\n\x82\xa4\0\x82\xa6\n\x82\xa8\n"),
    latin1("a\0"),
    latin1("\x00\x10\x00\x20\x00\x30\x00\x05"),
    latin1("\x12\xd8\x41\0\x20\0\x42\0"),
  ];
  for (const bytes of others) assert.equal(kindOf(bytes).text, false, `${bytes}`);
});

Deno.test("textKind takes half a character at the end of a head for a cut, not for an error", () => {
  const head = utf8("text é").slice(0, -1);
  const cut = kindOf(head, false), whole = kindOf(head, true);
  assert.ok(cut.text && cut.encoding === "utf-8");
  assert.ok(whole.text && whole.encoding === "8-bit");
});

Deno.test("textKind names line ends", () => {
  const of = (text: string) => {
    const kind = kindOf(utf8(text));
    return kind.text && kind.lineEnds;
  };
  assert.equal(of("a\nb\n"), "lf");
  assert.equal(of("a\r\nb\r\n"), "crlf");
  assert.equal(of("a\rb\rc"), "cr");
  assert.equal(of("a\r\nb\n"), "mixed");
  assert.equal(of("one line"), "lf");
});

Deno.test("textKind finds binary data by its signature, by NUL, by share of oddities", () => {
  const of = (bytes: Uint8Array) => {
    const kind = kindOf(bytes);
    return kind.text ? "text" : kind.type;
  };
  assert.equal(of(latin1("\x89PNG\r\n\x1a\n\0\0\0")), "image/png");
  assert.equal(of(latin1("\x7fELF\x02\x01\x01\0")), "application/x-elf");
  assert.equal(of(latin1("\x1f\x8b\x08\0")), "application/gzip");
  assert.equal(of(latin1("%PDF-1.7\nplain so far")), "application/pdf");
  assert.equal(of(latin1("abc\0def")), "application/octet-stream");
  assert.equal(
    of(Uint8Array.from({ length: 600 }, (_, index) => (index * 151 + 128) % 255 + 1)),
    "application/octet-stream",
  );
  assert.equal(of(latin1("\x01\x02\x03\x04\x05\x06abc")), "application/octet-stream");
});

Deno.test("textKind does not take words at the start of a text for a signature", () => {
  for (const start of ["BZhello", "ID3 tags explained", "ftyp", "GIF89 is a format", "OggS"]) {
    assert.equal(kindOf(utf8(`${start}\n`)).text, true, start);
  }
});
