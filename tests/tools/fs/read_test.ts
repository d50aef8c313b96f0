import assert from "node:assert/strict";
import { estimateTokens } from "../../../src/core/tokens.ts";
import { fsRead } from "../../../src/tools/fs/read.ts";
import { handleRead } from "../../../src/tools/handle/read.ts";
import { look, OWNER } from "../look.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join("\n") + "\n";

Deno.test("linux_fs_read returns a small file as its text and nothing else", async () => {
  await using app = await look({ "src/a.ts": "const a = 1;\nexport { a };\n" });
  const { result, text } = await app.call(fsRead, { path: "src/a.ts" });
  assert.equal(text, "const a = 1;\nexport { a };");
  assert.deepEqual(result, {
    content: "const a = 1;\nexport { a };",
    handle: null,
    meta: {
      path: "src/a.ts",
      total_lines: 2,
      truncated: false,
      total_lines_estimated: false,
      offset_lines: 0,
      returned_lines: 2,
      size_bytes: 27,
      encoding: "utf-8",
      line_ends: "lf",
    },
  });
});

Deno.test("linux_fs_read returns a handle when lines remain, and the handle goes on where the text ends", async () => {
  await using app = await look({ "a.txt": numbered(450) });
  const { result, text } = await app.call(fsRead, { path: "a.txt" });
  assert.equal(result.meta.truncated, true);
  assert.match(result.handle ?? "", /^H_file_/);
  assert.equal(
    text.split("\n").at(-1),
    `[a.txt lines 1-200 of 450 · rest: linux_handle_read ${result.handle} offset 200]`,
  );
  const rest = await app.call(handleRead, { handle: result.handle ?? "", offset: 200, limit: 300 });
  assert.equal(`${result.content}\n${rest.result.content}\n`, numbered(450));
  assert.equal(rest.result.more, false);
});

Deno.test("linux_fs_read takes a window, and the end with a negative offset", async () => {
  await using app = await look({ "a.txt": numbered(450) });
  const middle = await app.call(fsRead, { path: "a.txt", offset_lines: 440, max_lines: 5 });
  assert.equal(middle.result.content.split("\n")[0], "line 440");
  assert.match(middle.text, /\[a\.txt lines 441-445 of 450 · rest: .* offset 445\]$/);
  const tail = await app.call(fsRead, { path: "a.txt", offset_lines: -2 });
  assert.equal(tail.text, "line 448\nline 449\n[a.txt lines 449-450 of 450]");
  assert.equal(tail.result.handle, null);
  const beyond = await app.call(fsRead, { path: "a.txt", offset_lines: 900 });
  assert.equal(beyond.text, "[a.txt has 450 lines, none from 900 on]");
});

Deno.test("linux_fs_read says that a file is empty", async () => {
  await using app = await look({ "a.txt": "", "b.txt": "\ufeff" });
  assert.equal((await app.call(fsRead, { path: "a.txt" })).text, "[a.txt is empty]");
  assert.equal((await app.call(fsRead, { path: "b.txt" })).text, "[b.txt is empty]");
});

Deno.test("linux_fs_read stays within the operator's token budget", async () => {
  await using app = await look({ "a.txt": "one two three four five six seven\n".repeat(2000) }, {
    settings: { "mcp.tools.result_tokens": 500 },
  });
  const { result, text } = await app.call(fsRead, { path: "a.txt", max_lines: 2000 });
  assert.ok(estimateTokens(text) <= 500, String(estimateTokens(text)));
  assert.ok(result.meta.returned_lines > 30);
  assert.match(text, new RegExp(`rest: .* offset ${result.meta.returned_lines}\\]$`));
});

Deno.test("linux_fs_read tells encoding, byte order mark and line ends in a few words", async () => {
  const latin1 = Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 10);
  const wide = Uint8Array.of(0xff, 0xfe, 0x68, 0, 0x69, 0, 10, 0);
  await using app = await look({ "crlf.txt": "\ufeffa\r\nb\r\n", "latin.txt": latin1, "wide.txt": wide });
  assert.equal(
    (await app.call(fsRead, { path: "crlf.txt" })).text,
    "a\nb\n[crlf.txt lines 1-2 of 2 · BOM · crlf line ends]",
  );
  assert.equal(
    (await app.call(fsRead, { path: "latin.txt" })).text,
    "caf\ufffd\n[latin.txt lines 1-1 of 1 · not UTF-8, shown with U+FFFD]",
  );
  assert.equal(
    (await app.call(fsRead, { path: "wide.txt" })).text,
    "hi\n[wide.txt lines 1-1 of 1 · UTF-16LE, 8 bytes · BOM]",
  );
});

Deno.test("linux_fs_read keeps a handle's lines like the window's in CRLF and UTF-16 files", async () => {
  const text = numbered(300).replaceAll("\n", "\r\n");
  const wide = new Uint8Array(2 + text.length * 2), view = new DataView(wide.buffer);
  view.setUint16(0, 0xfeff, true);
  for (let at = 0; at < text.length; at++) view.setUint16(2 + 2 * at, text.charCodeAt(at), true);
  await using app = await look({ "crlf.txt": text, "wide.txt": wide });
  for (const path of ["crlf.txt", "wide.txt"]) {
    const { result } = await app.call(fsRead, { path });
    const rest = await app.call(handleRead, { handle: result.handle ?? "", offset: 298 });
    assert.equal(rest.result.content, "line 298\nline 299", path);
  }
});

Deno.test("linux_fs_read cuts a long line and offers the whole by handle", async () => {
  await using app = await look({ "a.json": `{"a":"${"x".repeat(3_000_000)}"}` });
  const { result, text } = await app.call(fsRead, { path: "a.json" });
  assert.equal(result.meta.cut_lines, 1);
  assert.ok(text.length < 2_300);
  assert.match(text, /1 long line cut · rest: linux_handle_read H_file_\S+ unit bytes\]$/);
  const part = await app.call(handleRead, { handle: result.handle ?? "", unit: "bytes", offset: 2_999_000, limit: 5 });
  assert.equal(part.result.content, "xxxxx");
});

Deno.test("linux_fs_read reads a large file on from where it lies", async () => {
  await using app = await look({ "big.log": numbered(200_000) });
  const { result } = await app.call(fsRead, { path: "big.log", max_lines: 10 });
  const next = await app.call(handleRead, { handle: result.handle ?? "", offset: 10, limit: 2 });
  assert.equal(next.result.content, "line 10\nline 11");
  assert.equal(next.result.stale, false);
  await Deno.writeTextFile(`${app.root}/big.log`, "appended\n", { append: true });
  const later = await app.call(handleRead, { handle: result.handle ?? "", offset: -1 });
  assert.equal(later.result.content, "appended");
  assert.equal(later.result.stale, true);
  assert.match(later.text, /stale: the file has changed since/);
});

Deno.test("linux_fs_read says what a binary file is", async () => {
  await using app = await look({ "logo.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 0x1a, 10, 0, 0) });
  const { result, text } = await app.call(fsRead, { path: "logo.png" });
  assert.match(text, /^\[logo\.png is not text: image\/png, 10 \(10 bytes\) · sha256 [0-9a-f]{64}\]$/);
  assert.deepEqual([result.content, result.meta.encoding, result.meta.type], ["", "binary", "image/png"]);
});

Deno.test("linux_fs_read refuses directories, pipes, what is outside and what is not there, each with its own code", async () => {
  await using app = await look({ "dir/": "", "data/key": "x" }, { dataInRoot: true });
  await new Deno.Command("mkfifo", { args: [`${app.root}/pipe`] }).output();
  await Deno.symlink("/etc/passwd", `${app.root}/link`);
  const code = async (path: string) => await app.call(fsRead, { path }).then(() => "read", (error) => error.code);
  assert.equal(await code("dir"), "IS_DIRECTORY");
  assert.equal(await code("pipe"), "INVALID_PATH");
  assert.equal(await code("link"), "INVALID_PATH");
  assert.equal(await code("/etc/passwd"), "INVALID_PATH");
  assert.equal(await code("data/key"), "INVALID_PATH");
  assert.equal(await code("missing"), "NOT_FOUND");
});

Deno.test("linux_fs_read reads names with line ends, quotes and 255 bytes", async () => {
  const names = ['new\nline "q"', "é".repeat(127) + "x", "-rf", " lead"];
  await using app = await look(Object.fromEntries(names.map((name) => [name, `in ${name.length}`])));
  for (const path of names) assert.equal((await app.call(fsRead, { path })).result.content, `in ${path.length}`);
});

Deno.test("linux_fs_read reads a name that is not UTF-8 by the form in which it is listed", async () => {
  await using app = await look({ "sub/bXY.txt": "another\n", "lit\\xff": "literal" });
  const shell = `printf 'one\\r\\ntw\\351\\n\\nlast' > "$(printf 'sub/b\\351\\377.txt')"; : > "$(printf 'empty\\377')"`;
  await new Deno.Command("sh", { args: ["-c", shell], cwd: app.root }).output();
  for (
    const path of [
      'sub/"b\\xe9\\xff.txt"',
      "sub/b\\xe9\\xff.txt",
      '"sub/b\\xe9\\xff.txt"',
      `${app.root}/sub/b\\xe9\\xff.txt`,
    ]
  ) {
    assert.equal((await app.call(fsRead, { path })).result.content, "one\ntw\ufffd\n\nlast", path);
  }
  const { result } = await app.call(fsRead, { path: "sub/b\\xe9\\xff.txt", offset_lines: -3, max_lines: 1 });
  assert.deepEqual([result.content, result.meta.total_lines, result.meta.truncated], ["tw\ufffd", 4, true]);
  assert.match((await app.call(fsRead, { path: "empty\\xff" })).text, /is empty/);
  assert.equal((await app.call(fsRead, { path: "lit\\xff" })).text, "literal");
  await assert.rejects(app.call(fsRead, { path: "none\\xff" }), { code: "NOT_FOUND" });
  await assert.rejects(app.call(fsRead, { path: "../none\\xff" }), { code: "INVALID_PATH" });
});

Deno.test("linux_fs_read still answers when the rest cannot be kept", async () => {
  const justSmallEnoughToCopy = numbered(100_000).slice(0, 1024 * 1024);
  await using app = await look({ "a.txt": justSmallEnoughToCopy }, {
    settings: { "mcp.handles.max_bytes": 1024 * 1024 },
  });
  const { result, text } = await app.call(fsRead, { path: "a.txt" });
  assert.deepEqual([result.handle, result.meta.truncated], [null, true]);
  assert.match(
    text,
    /\[a\.txt lines 1-200 of \d+ · next: offset_lines 200\]\n\[what is not shown was not stored: .+\]$/,
  );
});

Deno.test("linux_fs_read copies a file once for all who page through it, until the file changes", async () => {
  await using app = await look({ "a.txt": numbered(450) });
  const read = async (offset_lines = 0) =>
    (await app.call(fsRead, { path: "a.txt", offset_lines })).result.handle ?? "";
  const line = async (handle: string) => (await app.call(handleRead, { handle, offset: 300, limit: 1 })).result.content;
  const { ctime } = await Deno.stat(`${app.root}/a.txt`);
  assert.ok(ctime);
  {
    using _then = setClock(() => ctime.getTime());
    const sudden = await read();
    assert.notEqual(await read(100), sudden, "what was written just now may be written again unseen");
  }
  const now = Date.now;
  using _ahead = setClock(() => now() + 10_000);
  const first = await read();
  assert.equal(await read(100), first);
  assert.equal(app.handles.usage().handles, 3);
  await Deno.writeTextFile(`${app.root}/a.txt`, numbered(450).replace("line 300", "another"));
  const second = await read();
  assert.notEqual(second, first);
  assert.equal(await line(second), "another");
  app.handles.remove(second, OWNER);
  assert.notEqual(await read(), second, "one that was removed is no handle");
});

/** Another time for this thread. */
function setClock(now: () => number): Disposable {
  const real = Date.now;
  Date.now = now;
  return { [Symbol.dispose]: () => void (Date.now = real) };
}
