import assert from "node:assert/strict";
import { readRegularSync } from "../../../src/sys/files/open_file.ts";
import { type PageRequest, readPage, type TextPage } from "../../../src/sys/files/read_page.ts";
import { readText } from "../../../src/sys/files/read_text.ts";
import { eventually } from "../../support/eventually.ts";
import { tempTree } from "../../support/temp_tree.ts";
import { needing, ORDINARY_USER } from "../../support/needs.ts";

const NEVER = new AbortController().signal;

async function withFile(content: Uint8Array | string, test: (path: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  try {
    await Deno.writeFile(`${dir}/file`, bytes);
    await test(await Deno.realPath(`${dir}/file`));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function page(path: string, request: Partial<PageRequest> = {}): Promise<TextPage> {
  const result = await readPage(path, path, { offset: 0, maxLines: 200, maxTokens: 1e9, ...request }, NEVER);
  assert.ok(result.text);
  return result;
}

/** Memory of this thread; that of the process is also of the tests beside this one. */
function held(): number {
  const { heapTotal, external } = Deno.memoryUsage();
  return heapTotal + external;
}

const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `line ${index + from}`);

Deno.test("readPage returns the window and the exact number of lines", async () => {
  await withFile(numbered(1000).join("\n") + "\n", async (path) => {
    const { lines, offset, totalLines, totalEstimated, more } = await page(path, { offset: 10, maxLines: 5 });
    assert.deepEqual({ lines, offset, totalLines, totalEstimated, more }, {
      lines: numbered(5, 10),
      offset: 10,
      totalLines: 1000,
      totalEstimated: false,
      more: true,
    });
    assert.equal((await page(path, { offset: 995 })).more, false);
    assert.deepEqual((await page(path, { offset: 2000 })).lines, []);
  });
});

Deno.test("readPage counts from the end with a negative offset", async () => {
  await withFile(numbered(30_000).join("\n"), async (path) => {
    const last = await page(path, { offset: -3 });
    assert.deepEqual(last.lines, numbered(3, 29_997));
    assert.equal(last.offset, 29_997);
    assert.equal(last.more, false);
    const first = await page(path, { offset: -25_000, maxLines: 2 });
    assert.deepEqual(first.lines, numbered(2, 5_000));
    assert.equal(first.more, true);
    const all = await page(path, { offset: -90_000, maxLines: 1 });
    assert.deepEqual([all.lines, all.offset, all.totalLines], [["line 0"], 0, 30_000]);
  });
});

Deno.test("readPage reads an empty file as no lines", async () => {
  await withFile("", async (path) => {
    for (const offset of [0, -5]) {
      const { lines, totalLines, more } = await page(path, { offset });
      assert.deepEqual({ lines, totalLines, more }, { lines: [], totalLines: 0, more: false });
    }
  });
});

Deno.test("readPage keeps characters whole across the borders of its chunks", async () => {
  const text = "漢字かな交じり文😀".repeat(40_000); // one line of 1 MB: every chunk border falls into a character
  const lines = text.match(/.{50}/gu) ?? [];
  await withFile(lines.join("\n"), async (path) => {
    const { lines: read, encoding } = await page(path, { maxLines: 1e6 });
    assert.deepEqual(read, lines);
    assert.equal(encoding, "utf-8");
  });
});

Deno.test("readPage cuts a single line of 3 MB at 2,000 characters with a mark", async () => {
  await withFile(`{"a":"${"x".repeat(3_000_000)}"}`, async (path) => {
    const { lines, cutLines, totalLines, more } = await page(path);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /^\{"a":"x+…\[\+\d+\]$/);
    assert.deepEqual({ cutLines, totalLines, more }, { cutLines: 1, totalLines: 1, more: false });
  });
});

Deno.test("readPage decodes UTF-16 with a byte order mark, from both ends", async () => {
  const text = numbered(5000).map((line) => `${line} é😀`).join("\r\n") + "\r\n";
  for (const [encoding, isLittle] of [["utf-16le", true], ["utf-16be", false]] as const) {
    const bytes = new Uint8Array(2 + text.length * 2), view = new DataView(bytes.buffer);
    view.setUint16(0, 0xfeff, isLittle);
    for (let at = 0; at < text.length; at++) view.setUint16(2 + 2 * at, text.charCodeAt(at), isLittle);
    await withFile(bytes, async (path) => {
      const head = await page(path, { maxLines: 1 }), tail = await page(path, { offset: -1 });
      assert.deepEqual([head.lines, head.encoding, head.hasBom, head.lineEnds], [
        ["line 0 é😀"],
        encoding,
        true,
        "crlf",
      ]);
      assert.deepEqual([tail.lines, tail.offset, tail.totalLines], [["line 4999 é😀"], 4999, 5000]);
    });
  }
});

Deno.test("readPage keeps byte order marks and carriage returns out of the text and says so", async () => {
  await withFile("\ufeffone\r\ntwo\r\n", async (path) => {
    const { lines, hasBom, lineEnds, encoding } = await page(path);
    assert.deepEqual({ lines, hasBom, lineEnds, encoding }, {
      lines: ["one", "two"],
      hasBom: true,
      lineEnds: "crlf",
      encoding: "utf-8",
    });
    assert.deepEqual((await page(path, { offset: -2 })).lines, ["one", "two"]);
  });
  await withFile("old\rmac\r", async (path) => {
    assert.deepEqual((await page(path)).lines, ["old", "mac"]);
    assert.deepEqual((await page(path, { offset: -1 })).lines, ["mac"]);
  });
});

Deno.test("readPage shows Latin-1 with U+FFFD and says so, also where only a later line has it", async () => {
  const late = new TextEncoder().encode(numbered(20_000).join("\n") + "\ncaf?\n");
  late[late.length - 2] = 0xe9;
  await withFile(late, async (path) => {
    const { lines, encoding } = await page(path, { offset: -1 });
    assert.deepEqual({ lines, encoding }, { lines: ["caf\ufffd"], encoding: "8-bit" });
    assert.equal((await page(path)).encoding, "utf-8");
  });
});

Deno.test("readPage answers for a binary file with type, size and hash", async () => {
  await withFile(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 0x1a, 10, 0, 0), async (path) => {
    const result = await readPage(path, path, { offset: 0, maxLines: 9, maxTokens: 99 }, NEVER);
    assert.ok(!result.text);
    assert.equal(result.type, "image/png");
    assert.equal(result.sha256, "3d5ccb0cef4d3fd8b2474faf2038fbbb654c5c4e992aef8df4a48e8a3372d362");
    assert.equal(result.sizeBytes, 10);
  });
});

Deno.test("readPage reads a sparse 5 GB file from both ends without loading it", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const path = `${dir}/huge.log`;
    const size = 5 * 1024 ** 3;
    {
      using file = await Deno.open(path, { create: true, write: true });
      const block = new TextEncoder().encode(numbered(12_000).map((line) => line.padEnd(39)).join("\n") + "\n");
      await file.write(block);
      await file.truncate(size);
      await file.seek(size - block.length, Deno.SeekMode.Start);
      await file.write(block);
    }
    const before = held();
    const head = await page(path, { offset: 5, maxLines: 3 });
    assert.deepEqual(head.lines.map((line) => line.trim()), numbered(3, 5));
    assert.equal(head.totalEstimated, true);
    assert.equal(Math.abs(head.totalLines / (size / 40) - 1) < 0.01, true, String(head.totalLines));
    const tail = await page(path, { offset: -2 });
    assert.deepEqual(tail.lines.map((line) => line.trim()), numbered(2, 11_998));
    assert.deepEqual([tail.offset, tail.more, tail.totalEstimated], [-2, false, true]);
    assert.ok(held() - before < 64 * 1024 ** 2);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("readPage does not disturb who waits at the other end of a pipe", async () => {
  await using tree = await tempTree({});
  const path = tree.path("pipe");
  assert.ok((await new Deno.Command("mkfifo", { args: [path] }).output()).success);
  const writer = new Deno.Command("sh", { args: ["-c", 'echo "for somebody else" >"$0"', path] }).spawn();
  // A shell that sleeps has nothing else to wait for.
  await eventually(async () => assert.match(await Deno.readTextFile(`/proc/${writer.pid}/stat`), /^\d+ \(sh\) S/));
  await assert.rejects(page(path), { code: "INVALID_PATH" });
  assert.equal(readRegularSync(path, 10), undefined);
  assert.equal(await Deno.readTextFile(path), "for somebody else\n");
  assert.ok((await writer.status).success);
});

Deno.test("readPage refuses what is no regular file, without waiting for it", async () => {
  const dir = await Deno.makeTempDir();
  const listener = Deno.listen({ transport: "unix", path: `${dir}/socket` });
  try {
    await new Deno.Command("mkfifo", { args: [`${dir}/pipe`] }).output();
    await assert.rejects(page(`${dir}/pipe`), { code: "INVALID_PATH", message: /named pipe/ });
    await assert.rejects(page(`${dir}/socket`), { code: "INVALID_PATH", message: /socket/ });
    await assert.rejects(page("/dev/null"), { code: "INVALID_PATH", message: /char device/ });
    await assert.rejects(page(dir), { code: "IS_DIRECTORY", hint: /linux_fs_list/ });
    await assert.rejects(page(`${dir}/missing`), { code: "NOT_FOUND" });
  } finally {
    listener.close();
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test({
  ...needing("readPage says when the operating system refuses", ORDINARY_USER),
  fn: () =>
    withFile("secret", async (path) => {
      await Deno.chmod(path, 0);
      await assert.rejects(page(path), { code: "PERMISSION_DENIED" });
    }),
});

Deno.test("readPage goes on when the file is removed while it is read, and stops when told to", async () => {
  await withFile(numbered(200_000).join("\n"), async (path) => {
    const reading = page(path, { offset: 199_999 }).then(({ lines }) => lines, (error) => error.code);
    const [outcome] = await Promise.all([reading, Deno.remove(path)]);
    assert.ok(outcome === "NOT_FOUND" || outcome[0] === "line 199999", String(outcome));
  });
  await withFile(numbered(200_000).join("\n"), async (path) => {
    const stop = new AbortController();
    const reading = readPage(path, path, { offset: 199_999, maxLines: 1, maxTokens: 9 }, stop.signal);
    stop.abort(new Error("enough"));
    await assert.rejects(reading, { message: "enough" });
  });
});

Deno.test("readText reads a whole file, or its start at a line end", async () => {
  await withFile("\ufeffone\r\ntwo\rthree", async (path) => {
    assert.deepEqual(
      (({ text, truncated }) => ({ text, truncated }))(await readText(path, path, 100, NEVER)),
      { text: "one\r\ntwo\rthree", truncated: false },
    );
  });
  await withFile("first line\nsecond line\n", async (path) => {
    const { text, truncated } = await readText(path, path, 15, NEVER);
    assert.deepEqual({ text, truncated }, { text: "first line\n", truncated: true });
  });
  await withFile("é".repeat(50), async (path) => {
    assert.equal((await readText(path, path, 15, NEVER)).text, "é".repeat(7));
  });
  await withFile("a\0b", async (path) => assert.equal((await readText(path, path, 15, NEVER)).text, null));
});
