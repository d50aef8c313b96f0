import assert from "node:assert/strict";
import { decodeName, readQuotedPath, readShownPath, showName, wireName } from "../../src/core/escape_name.ts";

const bytes = (...parts: (string | number)[]) =>
  Uint8Array.from(parts.flatMap((part) => typeof part === "number" ? [part] : [...new TextEncoder().encode(part)]));

/** The way back: raw bytes from lone surrogates, UTF-8 from the rest. */
const encode = (name: string) =>
  bytes(...Array.from(name, (part) => part.isWellFormed() ? part : part.charCodeAt(0) - 0xdc00));

Deno.test("decodeName loses nothing of any byte sequence", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % below;
  for (let round = 0; round < 3000; round++) {
    const parts = Array.from({ length: random(8) }, () => random(2) ? random(256) : "aé漢😀"[random(4)] ?? "x");
    const name = bytes(...parts.map((part) => typeof part === "string" && !part.isWellFormed() ? "😀" : part));
    assert.deepEqual(encode(decodeName(name)), name);
  }
});

Deno.test("decodeName keeps valid text as it is and marks the rest", () => {
  assert.equal(decodeName(bytes("añ😀\ufeff")), "añ😀\ufeff");
  assert.equal(decodeName(bytes("a", 0xff, "b", 0xc3)), "a\udcffb\udcc3");
  assert.equal(decodeName(bytes(0xed, 0xa0, 0x80)), "\udced\udca0\udc80");
});

Deno.test("showName leaves plain names alone", () => {
  for (const name of ["a.ts", "src/a b.ts", "-x", "añ漢😀", ".hidden", "a'b", "(1)", "a:b"]) {
    assert.equal(showName(name), name);
  }
});

Deno.test("showName puts every other name on one line that says exactly what it is", () => {
  assert.equal(showName("a\nb"), '"a\\nb"');
  assert.equal(showName('q"uote'), '"q\\"uote"');
  assert.equal(showName("back\\slash"), '"back\\\\slash"');
  assert.equal(showName(" lead"), '" lead"');
  assert.equal(showName("a  b"), '"a  b"');
  assert.equal(showName("a -> b"), '"a -> b"');
  assert.equal(showName(""), '""');
  assert.equal(showName("[meta]"), '"[meta]"');
  assert.equal(showName("12:x"), '"12:x"');
  assert.equal(showName("a\u202eb\u007f"), '"a\\u202eb\\u007f"');
  assert.equal(showName("bad\udcff.txt"), '"bad\\xff.txt"');
  assert.equal(showName("lit\\udcff"), '"lit\\\\udcff"');
  assert.equal(showName("both\\\udcff"), '"both\\\\\\xff"');
});

Deno.test("showName never yields the same text for two names", () => {
  const names = ["a\nb", "a\\nb", "a\udcff", "a\\xff", '"a"', "a", "a\\", "a\\\\", "\udc80\\", "\\\udc80"];
  assert.equal(new Set(names.map(showName)).size, names.length);
});

Deno.test("wireName changes only names that JSON cannot carry", () => {
  assert.equal(wireName('a\n"b'), 'a\n"b');
  assert.equal(wireName("bad\udcff"), '"bad\\xff"');
});

Deno.test("readQuotedPath is the way back from what showName quoted, whole or name by name", () => {
  for (const name of ["tab\tname", 'quo"te', "back\\slash", " edge ", "\u202ertl", "esc\x1b[31m", "line\nend"]) {
    assert.equal(readQuotedPath(showName(name)), name);
    assert.equal(readQuotedPath(`dir/${showName(name)}`), `dir/${name}`);
    assert.equal(readQuotedPath(showName(`dir/${name}`)), `dir/${name}`);
  }
  assert.equal(readQuotedPath("plain"), null);
  assert.equal(readQuotedPath('"caf\\xe9"'), null);
});

Deno.test("readShownPath is the way back from what showName wrote of raw names", () => {
  for (const name of ["bad\udcff.txt", "a\nb\udc80", 'q"\\\udcfe', "tab\t\udcff", "\u202e\udcff"]) {
    assert.equal(readShownPath(showName(name)), name);
    assert.equal(readShownPath(`sub/${showName(name)}`), `sub/${name}`);
  }
  assert.equal(readShownPath("sub/bad\\xff.txt"), "sub/bad\udcff.txt");
  assert.equal(readShownPath('"sub/bad\\xff.txt"'), "sub/bad\udcff.txt");
  for (const plain of ["a.txt", '"a"', "a\\x41", "a\\n"]) assert.equal(readShownPath(plain), null);
});
