/** Writes files that are expensive to read: huge, one line, a million lines, nearly alike. @module */

const MIB = 1024 * 1024;

/** Files by name, each with its text. */
const TEXTS: Readonly<Record<string, () => string>> = {
  "one_line.txt": () => "x".repeat(11 * MIB),
  "words_line.txt": () => "word ".repeat(2 * MIB),
  "million.txt": () => "a\n".repeat(1_000_000),
  "empty_lines.txt": () => "\n".repeat(1_000_000),
  "dashes.txt": () => "-".repeat(120_000),
  "near.txt": () => fill(2 * MIB, (line) => `the same line with a number ${line % 7} at the end of it`),
  "same.txt": () => fill(2 * MIB, () => "the same line"),
  "wide.txt": () => fill(MIB, (line) => `«ä» “${line % 7}” – \u{1f600} ﬁ Ａ`),
  "long_lines.txt": () => fill(2 * MIB, (line) => `${line % 3}${"ab".repeat(30_000)}`),
  "log.txt": () =>
    fill(
      12 * MIB,
      (line) => `2026-01-01T00:00:${pad(line % 60)}.${line % 1000}Z ERROR a${line} failed: b${line % 977}`,
    ),
  "lines.log": () =>
    fill(3 * MIB, (line) => `2026-01-01 00:00:${pad(line % 60)} ERROR [t${line}] ${hex(line)} ${hex(line * 7)} failed`),
  "grep.txt": () =>
    fill(4 * MIB, (line) => `src/d${line % 997}/f${line % 7919}.ts:${line}:  const x${line} = "a:b:${line}";`),
  "colons.txt": () => fill(2 * MIB, () => `${":1:".repeat(300)}`),
  "deep.json": () => `${"[".repeat(200_000)}${"]".repeat(200_000)}`,
  "wide.json": () => `[${Array.from({ length: 200_000 }, (_, at) => `{"k${at}":${at},"v":"${hex(at)}"}`).join()}]`,
  "lines.json": () =>
    fill(4 * MIB, (line) => `{"level":"error","time":"${line}","msg":"m${line}","k${line % 3000}":1}`),
  "open.json": () => `{"a":${"[".repeat(3_000_000)}`,
  "patch.diff": () => hunks(60_000),
  "listing.txt": () => fill(4 * MIB, (line) => `-rw-r--r-- 1 root root ${line} Jan  1 00:00 file ${line}.txt`),
  "tree.txt": () => fill(2 * MIB, (line) => `${"│   ".repeat(line % 60)}├── f${line}`),
  "find.txt": () => fill(4 * MIB, (line) => `./d${line % 50_000}/e${line % 13}/f${line}`),
  "table.txt": () =>
    fill(3 * MIB, (line) => `${line}  ${" ".repeat(line % 90)}a${line}   b${line % 17}  ${"c".repeat(line % 50)}`),
  "tests.txt": () =>
    fill(3 * MIB, (line) => `tests/t${line}.py::test_${line} ${line % 2 ? "FAILED" : "PASSED"} [ ${line % 100}%]`),
  "jest.txt": () =>
    fill(
      2 * MIB,
      (line) => `  ● suite ${line} › does ${line}\n\n    expect(a).toBe(b)\n      at f${line} (src/a.ts:${line}:1)`,
    ),
  "gcc.txt": () =>
    fill(
      3 * MIB,
      (line) => `src/a${line % 991}.c:${line}:5: error: 'x${line}' undeclared (first use in this function)`,
    ),
  "spaces.txt": () => `${" ".repeat(5 * MIB)}x\n`,
  "carriage.txt": () => "progress 12%\r".repeat(500_000),
  "escapes.txt": () => "\x1b[31mx\x1b[0m\x1b]0;t\x07".repeat(300_000),
  "open_escapes.txt": () => "\x1b]".repeat(1_000_000),
  "backspaces.txt": () => "ab\b\b".repeat(1_000_000),
  "secrets.txt": () =>
    fill(4 * MIB, (line) => `password=${"a".repeat(line % 300)} token: ${"-_".repeat(100)} AKIA${"A".repeat(16)}`),
  "spaces.env": () => fill(250_000, () => `a=${" ".repeat(4000)}x\npassword=x${" ".repeat(4000)}x`),
  "commas.env": () => fill(250_000, () => `password=${",".repeat(4000)}x`),
  "values.env": () => fill(120_000, (line) => `password${line}=${"a".repeat(50 + line % 100)}Zq9${line}`),
  "names.env": () => fill(120_000, (line) => `aaa${line}_password=abcdefg`),
  "keys.env": () => "AKIAIOSFODNN7EXAMPLF ".repeat(12_000),
  "keys.txt": () => fill(2 * MIB, () => "-----BEGIN PRIVATE KEY-----"),
  "git_log.txt": () =>
    fill(3 * MIB, (line) => `commit ${hex(line).repeat(5)}\nAuthor: a <a@b>\nDate:   x\n\n    m${line}\n`),
};

/** Writes every file into a folder. */
export async function writeHostileFiles(folder: string): Promise<void> {
  for (const [name, text] of Object.entries(TEXTS)) await Deno.writeTextFile(`${folder}/${name}`, text());
}

/** Their names. */
export const HOSTILE_FILES: readonly string[] = Object.keys(TEXTS);
/** Those that were the worst of their kind. */
export const HOSTILE_FILES_IN_SHORT: readonly string[] = [
  "one_line",
  "million",
  "dashes",
  "wide",
  "backspaces",
  "open_escapes",
  "log",
  "secrets",
  "keys",
]
  .map((name) => `${name}.txt`).concat("lines.log", "open.json", "patch.diff", "values.env");

/** Makes a folder of so many empty files. */
export function writeManyNames(folder: string, count: number): void {
  Deno.mkdirSync(folder);
  for (let number = 0; number < count; number++) Deno.writeFileSync(`${folder}/name_${number}.txt`, new Uint8Array());
}

/** Lines up to a size. */
function fill(bytes: number, line: (number: number) => string): string {
  const lines: string[] = [];
  for (let length = 0; length < bytes; length += (lines.at(-1)?.length ?? 0) + 1) lines.push(line(lines.length));
  return `${lines.join("\n")}\n`;
}

/** A diff whose hunks fit nowhere exactly, and nearly everywhere. */
export function hunks(count: number, file = "near.txt", numbered = true): string {
  const all = Array.from({ length: count }, (_, at) => {
    const head = numbered ? `@@ -${at * 9 + 1},3 +${at * 9 + 1},3 @@` : "@@";
    const line = (number: number) => `the same line with a number ${number % 7} at the end of it`;
    return `${head}\n ${line(at)}\n-${line(at + 1)}x\n+new ${at}\n ${line(at + 2)}\n`;
  });
  return `--- a/${file}\n+++ b/${file}\n${all.join("")}`;
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}

function hex(number: number): string {
  return (Math.imul(number, 2654435761) >>> 0).toString(16).padStart(8, "0");
}
