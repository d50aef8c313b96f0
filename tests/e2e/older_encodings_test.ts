/** Text in encodings other than UTF-8: shown decoded, found, and written in the encoding of its file or not at all. @module */
import assert from "node:assert/strict";
import { Sandbox } from "../support/binary.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

/** Python's name of an encoding, how a read names it, a text in it, a word of its language, and one it cannot store. */
const TEXTS: readonly (readonly [codec: string, title: string, text: string, word: string, strange: string])[] = [
  ["shift_jis", "Shift-JIS", "設定ファイルの説明", "日本", "é"],
  ["euc_jp", "EUC-JP", "設定ファイルの説明", "日本", "한"],
  ["gbk", "GBK", "配置文件的说明中文内容", "中文", "é한"],
  ["big5", "Big5", "設定檔說明中文內容", "十年", "한"],
  ["euc_kr", "EUC-KR", "설정 파일 설명 한국어", "한국", "é"],
  ["tis_620", "TIS-620", "ตั้งค่าเซิร์ฟเวอร์ของระบบ", "ใช่", "日"],
  ["cp1251", "Windows-1251", "Тёмная тема, Рёбра", "да", "é"],
  ["koi8_r", "KOI8-R", "Настройка сервера", "да", "é"],
  ["cp1253", "Windows-1253", "Ρυθμίσεις διακομιστή", "ναι", "日"],
  [
    "latin_1",
    "Windows-1252",
    "Ceci décrit le contenu du fichier à régler, une fenêtre a été ouverte déjà là",
    "été",
    "日",
  ],
  ["utf_16", "UTF-16LE", "Настройка сервера", "да 😀", ""],
  ["utf_32", "UTF-32LE", "Настройка сервера", "да 😀", ""],
  ["utf_8_sig", "BOM", "Настройка сервера", "да 😀", ""],
];

/** Bytes that Python makes of texts. */
async function encode(texts: readonly (readonly [codec: string, text: string])[]): Promise<Uint8Array<ArrayBuffer>[]> {
  const code = "import sys, json\nfor c, t in json.load(sys.stdin): print(t.encode(c).hex())";
  const child = new Deno.Command("python3", { args: ["-c", code], stdin: "piped", stdout: "piped" }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(texts)));
  await writer.close();
  const { stdout } = await child.output();
  return new TextDecoder().decode(stdout).trim().split("\n").map((hex) => Uint8Array.fromHex(hex));
}

const around = (text: string, middle: string) => `# ${text}\r\n${middle}\r\n# ${text}\r\n`;
const diffOf = (word: string) => `--- a/f.ini\n+++ b/f.ini\n@@ -2,1 +2,1 @@\n-port=80\n+port=80 ${word}\n`;

for (const [codec, title, text, word, strange] of TEXTS) {
  Deno.test(`${codec}: every way of writing keeps it, and a read shows and names it`, async () => {
    await using sandbox = await Sandbox.make({});
    await using peer = await StdioPeer.open(sandbox);
    const path = `${sandbox.root}/f.ini`, wide = codec.startsWith("utf_1") || codec.startsWith("utf_3");
    const [before, after, ascii, appended, rewritten, folded] = await encode([
      [codec, around(text, "port=80")],
      [codec, around(text, `port=80 ${word}`)],
      [codec, around(text, "port=8080")],
      [codec, `${around(text, "port=80")}${word}\n`],
      [codec, `${word} port\n`],
      [codec, around(text, "port=80").replace(text, word)],
    ]);
    assert.ok(before && after && ascii && appended && rewritten && folded);
    const from = { path: "f.ini", old_text: "port=80" };
    const ways: [string, Record<string, unknown>, Uint8Array][] = [
      ["linux_fs_patch_block", { ...from, new_text: `port=80 ${word}` }, after],
      ["linux_fs_patch_block", { ...from, new_text: "port=8080" }, ascii],
      ["linux_fs_patch_block", { path: "f.ini", old_text: `# ${text}\nport`, new_text: `# ${word}\nport` }, folded],
      ["linux_fs_apply_diff", { diff_text: diffOf(word) }, after],
      ["linux_fs_write", { path: "f.ini", content: `${word}\n`, mode: "append" }, appended],
      ["linux_fs_write", { path: "f.ini", content: `${word} port\n` }, rewritten],
    ];
    for (const [name, args, expected] of ways) {
      await Deno.writeFile(path, before);
      const answer = await peer.call(name, args);
      assert.deepEqual(await Deno.readFile(path), expected, `${name} ${JSON.stringify(args)}: ${answer}`);
    }
    await Deno.writeFile(path, before);
    const read = await peer.call("linux_fs_read", { path: "f.ini" });
    assert.match(read, new RegExp(`^# ${text}\nport=80\n# ${text}\n.*${title}`), read);
    if (!wide && codec !== "utf_8_sig") assert.match(read, new RegExp(`${title}, ${before.length} bytes`));
    for (const pattern of [text, "port=80"]) {
      const found = await peer.call("linux_search_content", { pattern, context_lines: 1 });
      assert.match(found, new RegExp(text), `${pattern}: ${found}`);
    }
    if (strange === "") return;
    for (const [name, args] of ways.map(([name, args]) => [name, args] as const)) {
      const asked = Object.fromEntries(
        Object.entries(args).map(([key, value]) => [
          key,
          key === "old_text" || typeof value !== "string" ? value : value.replaceAll(word, word + strange),
        ]),
      );
      if (JSON.stringify(asked) === JSON.stringify(args)) continue;
      await Deno.writeFile(path, before);
      const refusal = await peer.call(name, asked);
      assert.match(
        refusal,
        new RegExp(`^INVALID_ARGUMENT.*cannot store '[${strange}]' \\(U\\+`),
        `${name}: ${refusal}`,
      );
      assert.deepEqual(await Deno.readFile(path), before, name);
    }
  });
}

Deno.test("text whose encoding cannot be told is not guessed at: it is refused, or named by the caller", async () => {
  await using sandbox = await Sandbox.make({});
  await using peer = await StdioPeer.open(sandbox);
  const path = `${sandbox.root}/f.ini`;
  const [before, after] = await encode([["big5", "中文\nport=80\n"], ["big5", "中文\nport=80 十\n"]]);
  assert.ok(before && after);
  await Deno.writeFile(path, before);
  const patch = { path: "f.ini", old_text: "port=80", new_text: "port=80 十" };
  assert.match(await peer.call("linux_fs_patch_block", patch), /^INVALID_ARGUMENT.*is not UTF-8/);
  assert.deepEqual(await Deno.readFile(path), before);
  assert.match(await peer.call("linux_fs_read", { path: "f.ini" }), /\ufffd.*\n.*\n.*not UTF-8/);
  assert.match(await peer.call("linux_fs_read", { path: "f.ini", encoding: "big5" }), /^中文\nport=80\n.*Big5/);
  assert.match(await peer.call("linux_fs_patch_block", { ...patch, encoding: "cp950" }), /^patched/);
  assert.deepEqual(await Deno.readFile(path), after);
  assert.match(await peer.call("linux_fs_read", { path: "f.ini", encoding: "klingon" }), /^INVALID_ARGUMENT.*klingon/);
});

Deno.test("a whole file is converted by writing it with another encoding", async () => {
  await using sandbox = await Sandbox.make({ "f.txt": "Настройка\n" });
  await using peer = await StdioPeer.open(sandbox);
  const [older, wide] = await encode([["koi8_r", "Настройка\n"], ["utf_16", "Настройка\n"]]);
  for (const [encoding, expected] of [["koi8-r", older], ["utf-16", wide], ["utf-8", undefined]] as const) {
    await peer.call("linux_fs_write", { path: "f.txt", content: "Настройка\n", encoding });
    const written = await Deno.readFile(`${sandbox.root}/f.txt`);
    assert.deepEqual(written, expected ?? new TextEncoder().encode("Настройка\n"), encoding);
  }
});

Deno.test("a line that is broken in an older encoding keeps its bytes when another one is changed", async () => {
  await using sandbox = await Sandbox.make({});
  await using peer = await StdioPeer.open(sandbox);
  const path = `${sandbox.root}/f.ini`;
  const [text, word] = await encode([["shift_jis", "設定ファイルの説明\n"], ["shift_jis", "日本"]]);
  assert.ok(text && word);
  const encoder = new TextEncoder(), broken = [0x83, 0x0a];
  await Deno.writeFile(path, Uint8Array.of(...text, ...text, ...broken, ...encoder.encode("port\n")));
  assert.match(
    await peer.call("linux_fs_patch_block", { path: "f.ini", old_text: "port", new_text: "日本", encoding: "sjis" }),
    /^patched/,
  );
  assert.deepEqual(await Deno.readFile(path), Uint8Array.of(...text, ...text, ...broken, ...word, 10));
});

Deno.test("text in UTF-16 and UTF-32 without a byte order mark is read, found beside other text, and edited", async () => {
  await using sandbox = await Sandbox.make({ "plain.txt": "Größe = 1\n", "data.bin": "\0\x01\x02Größe = 1\n" });
  await using peer = await StdioPeer.open(sandbox);
  const codecs = ["utf_16_le", "utf_16_be", "utf_32_le", "utf_32_be"];
  const text = (value: string) => `# Einstellungen\r\nGröße = ${value}\r\n# 設定\r\n`;
  const before = await encode(codecs.map((codec) => [codec, text("1")]));
  const after = await encode(codecs.map((codec) => [codec, text("日2")]));
  for (const [index, codec] of codecs.entries()) {
    await Deno.writeFile(`${sandbox.root}/${codec}.txt`, before[index] ?? new Uint8Array());
  }
  for (const pattern of ["Größe = \\d$", "gr.sse|stellungen", "設定", "= 1"]) {
    const found = await peer.call("linux_search_content", { pattern, file_glob: "utf*.txt" });
    for (const codec of codecs) assert.match(found, new RegExp(`${codec}\\.txt\\n\\d:`), `${pattern}: ${found}`);
  }
  const all = await peer.call("linux_search_content", { pattern: "größe = 1" });
  assert.match(all, /plain\.txt/);
  assert.match(all, /5 hits in 5 files · not searched: 1 binary \(data\.bin\)/);
  for (const [index, codec] of codecs.entries()) {
    const path = `${codec}.txt`;
    assert.match(await peer.call("linux_search_content", { pattern: "Größe", root: path }), /^2:|\n2:/m);
    assert.match(await peer.call("linux_fs_read", { path }), /Größe = 1\n# 設定\n.*UTF-/);
    await peer.call("linux_fs_patch_block", { path, old_text: "Größe = 1", new_text: "Größe = 日2" });
    assert.deepEqual(await Deno.readFile(`${sandbox.root}/${path}`), after[index], codec);
  }
});
