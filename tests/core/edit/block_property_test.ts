/** Random edits by the editing core and by a reference that only knows bytes must give the same bytes. */
import assert from "node:assert/strict";
import { applyHunks } from "../../../src/core/edit/apply_hunks.ts";
import { findBlock } from "../../../src/core/edit/block.ts";
import { applyEdits } from "../../../src/core/edit/edits.ts";
import { parseDiff } from "../../../src/core/edit/parse_diff.ts";
import { decodeFile, encodeFile } from "../../../src/core/edit/text_file.ts";
import { formatDiff } from "../../../src/core/edit/unified_diff.ts";
import { makeRandom, type Random } from "../../support/random.ts";

/** Bytes as one character each: the reference's only type. */
type Binary = string;

const toBytes = (binary: Binary) => Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
const toBinary = (bytes: Uint8Array): Binary => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

interface Coding {
  readonly name: string;
  readonly mark: Binary;
  encode(text: string): Binary;
  /** Pieces of text that a file may have. */
  readonly pieces: readonly string[];
}

const PIECES = ["a", "b", "aa", " ", "\t", "$&", "$1", "\\n", "{", "}", "x = 1;", "", "ab", "return"];
const wide = (little: boolean) => (text: string): Binary =>
  [...text].flatMap((character) => character.split("")).map((unit) => {
    const code = unit.charCodeAt(0), high = String.fromCharCode(code >> 8), low = String.fromCharCode(code & 255);
    return little ? low + high : high + low;
  }).join("");
const utf8 = (text: string): Binary => toBinary(new TextEncoder().encode(text));

const CODINGS: readonly Coding[] = [
  { name: "UTF-8", mark: "", encode: utf8, pieces: [...PIECES, "é", "日本", "😀", "\ufeff"] },
  { name: "UTF-8 with a byte order mark", mark: "\xef\xbb\xbf", encode: utf8, pieces: [...PIECES, "é", "日本", "😀"] },
  { name: "UTF-16 little endian", mark: "\xff\xfe", encode: wide(true), pieces: [...PIECES, "é", "日本", "😀", "ÿþ"] },
  { name: "UTF-16 big endian", mark: "\xfe\xff", encode: wide(false), pieces: [...PIECES, "é", "日本", "😀"] },
];

function randomText(random: Random, pieces: readonly string[], maxPieces: number, newlines: number): string {
  return Array.from({ length: random.below(maxPieces) }, () => random.chance(newlines) ? "\n" : random.pick(pieces))
    .join("");
}

/** A part of a text that does not cut a character in two. */
function randomPart(random: Random, text: string): string {
  const start = random.below(text.length + 1);
  return text.slice(start, start + 1 + random.below(12)).toWellFormed().replaceAll("\ufffd", "");
}

function edit(
  bytes: Uint8Array,
  oldText: string,
  newText: string,
): { readonly count: number; readonly bytes: Uint8Array } {
  const file = decodeFile(bytes, "file");
  const expected = findBlock(file, { oldText, newText, expected: 0 }, "file").starts.length;
  const { edits } = findBlock(file, { oldText, newText, expected }, "file");
  return { count: edits.length, bytes: encodeFile({ ...file, text: applyEdits(file.text, edits) }) };
}

for (const coding of CODINGS) {
  for (const [style, end] of [["LF", "\n"], ["CRLF", "\r\n"], ["CR", "\r"]] as const) {
    Deno.test(`500 random edits of ${coding.name} with ${style} agree with the reference on bytes`, () => {
      const random = makeRandom(coding.name.length * 31 + end.length);
      for (let done = 0; done < 500;) {
        const text = randomText(random, coding.pieces, 30, 0.3);
        const oldText = random.chance(0.9) ? randomPart(random, text) : randomText(random, coding.pieces, 4, 0.2);
        const newText = randomText(random, coding.pieces, 6, 0.3);
        if (oldText === "" || oldText === newText || text.startsWith("\ufeff")) continue;
        if (end !== "\n" && !text.includes("\n")) continue; // nothing shows the style
        const inFile = (part: string) => coding.encode(part.replaceAll("\n", end));
        // Cuts between code units could put half of one character and half of another together.
        const unit = coding.encode("a").length;
        const places = [...text.matchAll(new RegExp(RegExp.escape(oldText), "g"))];
        const binary = coding.mark + inFile(text);
        const request = random.chance(0.5) ? oldText : oldText.replaceAll("\n", "\r\n");
        const wanted = places.length > 0
          ? replaceBinary(binary, coding.mark.length, inFile(oldText), inFile(newText), unit)
          : binary;
        const result = edit(toBytes(binary), request, request === oldText ? newText : newText.replaceAll("\n", "\r\n"));
        if (places.length > 0) {
          assert.deepEqual(toBinary(result.bytes), wanted, JSON.stringify({ text, oldText, newText }));
        }
        assert.equal(result.count, places.length || lastLineCount(text, oldText), JSON.stringify({ text, oldText }));
        done++;
      }
    });
  }
}

/** Replaces every occurrence that starts on a border of units. */
function replaceBinary(binary: Binary, from: number, wanted: Binary, replacement: Binary, unit: number): Binary {
  let result = binary.slice(0, from), at = from;
  while (at < binary.length) {
    const hit = binary.startsWith(wanted, at);
    result += hit ? replacement : binary.slice(at, at + unit);
    at += hit ? wanted.length : unit;
  }
  return result;
}

/** A block that ends in a line end also fits the last line when only that line end is missing. */
function lastLineCount(text: string, oldText: string): number {
  const body = oldText.slice(0, -1);
  return oldText.endsWith("\n") && body !== "" && `\n${text}`.endsWith(`\n${body}`) ? 1 : 0;
}

Deno.test("2000 random edits of files with mixed line ends keep the end of every line that stays", () => {
  const random = makeRandom(99);
  for (let round = 0; round < 2000; round++) {
    const ends = Array.from({ length: 2 + random.below(12) }, () => random.pick(["\n", "\r\n"]));
    const lines = ends.map((end, number) => ({ text: `line ${number} ${random.pick(["é", "x", ""])}`, end }));
    const first = random.below(lines.length), last = first + random.below(lines.length - first);
    const oldLines: string[] = [],
      newLines: string[] = [],
      after = lines.slice(0, first).map(({ text, end }) => text + end);
    let style = "";
    for (let at = first; at <= last;) {
      const kind = random.pick(["keep", "change", "delete"]);
      const until = Math.min(last, at + random.below(3));
      let end = style;
      for (; at <= until; at++) {
        const line = lines[at];
        assert(line !== undefined);
        oldLines.push(line.text);
        end = line.end;
        if (kind === "delete") continue;
        const text = kind === "keep" ? line.text : `changed ${at}`;
        newLines.push(text);
        after.push(text + line.end);
        style = line.end;
      }
      // New lines stand behind lines that stay or change and take their end; then a line that stays parts the stretches.
      const separator = lines[at];
      if (kind !== "delete" && random.chance(0.5)) {
        newLines.push(`new ${at}`);
        after.push(`new ${at}${end}`);
      }
      if (at <= last && separator !== undefined) {
        oldLines.push(separator.text);
        newLines.push(separator.text);
        after.push(separator.text + separator.end);
        style = separator.end;
        at++;
      }
    }
    after.push(...lines.slice(last + 1).map(({ text, end }) => text + end));
    const oldText = oldLines.map((line) => `${line}\n`).join(""),
      newText = newLines.map((line) => `${line}\n`).join("");
    if (oldText === newText) continue;
    const result = edit(new TextEncoder().encode(lines.map(({ text, end }) => text + end).join("")), oldText, newText);
    assert.equal(new TextDecoder().decode(result.bytes), after.join(""), JSON.stringify({ lines, oldText, newText }));
  }
});

Deno.test("2000 random edits of Latin-1 files leave every other byte alone", () => {
  const random = makeRandom(7);
  for (let done = 0; done < 2000;) {
    const binary = Array.from(
      { length: 5 + random.below(60) },
      () => random.pick(["a", "b", "c ", "\n", "\xe9", "\xff", "caf\xe9", "\x80", "=", "\xc3"]),
    ).join("");
    const start = random.below(binary.length);
    const oldText = binary.slice(start, start + 1 + random.below(6));
    // deno-lint-ignore no-control-regex -- the class is "anything but ASCII"
    if (/[^\x00-\x7f]/.test(oldText) || binary.startsWith("\xff\xfe")) continue;
    const newText = `${random.pick(["", "new", "x\ny", "$&"])}${done}`;
    const result = edit(toBytes(binary), oldText, newText);
    assert.equal(toBinary(result.bytes), binary.split(oldText).join(newText), JSON.stringify({ binary, oldText }));
    done++;
  }
});

Deno.test("1500 diffs written with LF apply to files with other line ends and encodings", () => {
  const random = makeRandom(5);
  for (let done = 0; done < 1500;) {
    const coding = random.pick(CODINGS), end = random.pick(["\n", "\r\n", "\r"]);
    const text = randomText(random, coding.pieces, 60, 0.4);
    const at = random.below(text.length + 1);
    const change = {
      start: at,
      end: Math.min(text.length, at + random.below(8)),
      insert: randomText(random, coding.pieces, 5, 0.4),
    };
    const wanted = applyEdits(text, [change]);
    const isStyled = (part: string) => end === "\n" || part.includes("\n");
    if (text.startsWith("\ufeff") || wanted.startsWith("\ufeff")) continue; // a byte order mark
    if (!text.isWellFormed() || !wanted.isWellFormed() || text === wanted || !isStyled(text) || !isStyled(wanted)) {
      continue;
    }
    const diff = formatDiff(text, [change], "a/f", "b/f");
    const inFile = (part: string) => toBytes(coding.mark + coding.encode(part.replaceAll("\n", end)));
    const file = decodeFile(inFile(text), "f");
    const [patch] = parseDiff(diff);
    const result = applyHunks(file, patch?.hunks ?? [], "f");
    assert(result.ok, `${JSON.stringify({ text, wanted, end })}\n${diff}`);
    assert.deepEqual(
      encodeFile({ ...file, text: result.text }),
      inFile(wanted),
      `${JSON.stringify({ text, wanted, end })}\n${diff}`,
    );
    done++;
  }
});
