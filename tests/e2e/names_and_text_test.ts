/** Names and texts that differ in what cannot be seen, are not UTF-8, or are in an older encoding. @module */
import assert from "node:assert/strict";
import { Sandbox } from "../support/binary.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

const NAMES = [
  ["Lebenslauf fu\u0308r Zoe\u0308.txt", "Lebenslauf für Zoë.txt"],
  ["Screenshot at 2.40\u202fPM.txt", "Screenshot at 2.40 PM.txt"],
  ["Rapport\u00a0final.txt", "Rapport final.txt"],
  ["Capture d\u2019écran.txt", "Capture d'écran.txt"],
  ["Bericht 2020\u20132024.txt", "Bericht 2020-2024.txt"],
] as const;

Deno.test("the only file that looks like the one that was asked for is read, found, stated, moved and deleted", async () => {
  for (const [real, asked] of NAMES) {
    await using sandbox = await Sandbox.make({ [`dir\u00a0x/${real}`]: "content\n" });
    await using peer = await StdioPeer.open(sandbox);
    const path = `dir x/${asked}`;
    assert.match(await peer.call("linux_fs_read", { path }), /^content/, asked);
    assert.match(await peer.call("linux_search_files", { pattern: asked.slice(0, -4) }), /\.txt/, asked);
    assert.match(await peer.call("linux_fs_stat", { path }), /"type":"file"/, asked);
    assert.match(await peer.call("linux_fs_patch_block", { path, old_text: "content", new_text: "other" }), /^patched/);
    assert.match(await peer.call("linux_fs_move", { source: path, target: "plain.txt" }), /plain\.txt/, asked);
    assert.equal(await Deno.readTextFile(`${sandbox.root}/plain.txt`), "other\n");
  }
});

Deno.test("an exact name wins over one that looks like it, and of two that look alike none is taken", async () => {
  await using sandbox = await Sandbox.make({ "a b.txt": "plain\n", "a\u00a0b.txt": "no-break\n" });
  await using peer = await StdioPeer.open(sandbox);
  assert.match(await peer.call("linux_fs_read", { path: "a b.txt" }), /^plain/);
  assert.match(await peer.call("linux_fs_read", { path: "a\u202fb.txt" }), /^NOT_FOUND/);
});

Deno.test("a block is found by how it looks where that is unique, and the rest of the file stays as it is", async () => {
  const before = "say \u201chello\u201d, Zoe\u0308\u00a0K.\nsecond \u2013 line\nthird\n";
  await using sandbox = await Sandbox.make({ "a.txt": before });
  await using peer = await StdioPeer.open(sandbox);
  const patch = (old_text: string, new_text: string) =>
    peer.call("linux_fs_patch_block", { path: "a.txt", old_text, new_text });
  assert.match(await patch('"hello", Zoë K.', "bye"), /^patched/);
  assert.match(await patch("second - line", "2nd"), /^patched/);
  assert.equal(await Deno.readTextFile(`${sandbox.root}/a.txt`), "say bye\n2nd\nthird\n");
});

Deno.test("a block that differs in what cannot be seen, and more, is shown with escapes where it does", async () => {
  await using sandbox = await Sandbox.make({
    "a.txt": "first line with a\u00a0blank and more words\nsecond line here\n",
  });
  await using peer = await StdioPeer.open(sandbox);
  const old_text = "first line with a blank and more words\nsecond line there\n";
  const answer = await peer.call("linux_fs_patch_block", { path: "a.txt", old_text, new_text: "x" });
  assert.match(answer, /\{- -\}\{\+\\u00a0\+\}/);
});

Deno.test("a name that is not UTF-8 is read as listed; nothing says that it does not exist or makes a second file", async () => {
  await using sandbox = await Sandbox.make({});
  const make = "import os; open(os.fsencode('.') + b'/caf\\xe9.txt', 'w').write('one\\n')";
  const { success } = await new Deno.Command("python3", { args: ["-c", make], cwd: sandbox.root }).output();
  assert.ok(success);
  await using peer = await StdioPeer.open(sandbox);
  const [listed = ""] = (await peer.call("linux_fs_list", {})).split("\n");
  for (const path of [listed.trim(), listed.trim().replaceAll('"', "")]) {
    assert.match(await peer.call("linux_fs_read", { path }), /^one/);
    const calls: [string, Record<string, unknown>][] = [
      ["linux_fs_stat", { path }],
      ["linux_fs_patch_block", { path, old_text: "one", new_text: "two" }],
      ["linux_fs_move", { source: path, target: "b.txt" }],
      ["linux_fs_delete", { path }],
      ["linux_search_content", { pattern: "one", root: path }],
      ["linux_fs_write", { path, content: "x" }],
      ["linux_fs_write", { path, content: "x", mode: "append" }],
      ["linux_fs_write", { path, content: "x", mode: "create" }],
    ];
    for (const [name, args] of calls) assert.match(await peer.call(name, args), /not UTF-8/, name);
  }
  const { stdout } = await new Deno.Command("ls", { args: ["-1"], cwd: sandbox.root }).output();
  assert.equal(stdout.filter((byte) => byte === 10).length, 1);
});

/** "настройка: да" and the like, in encodings that are not UTF-8, with bytes that form UTF-8 pairs by chance. */
const OLDER: Readonly<Record<string, readonly number[]>> = {
  "windows-1251": [0xd0, 0xb8, 0xe1, 0xf0, 0xe0, 0xa8, 0xeb, 0xea, 0xe0],
  "shift_jis": [0x90, 0xdd, 0x92, 0xe8, 0x83, 0x74, 0x83, 0x40],
  "gbk": [0xc5, 0xe4, 0xd6, 0xc3, 0xce, 0xc4, 0xbc, 0xfe, 0xb5, 0xc4],
  "tis-620": [0xb5, 0xd1, 0xe9, 0xa7, 0xa4, 0xe8, 0xd2, 0xe0, 0xab],
};

Deno.test("text beyond ASCII is never written as UTF-8 into an older encoding, by any way of writing", async () => {
  await using sandbox = await Sandbox.make({});
  await using peer = await StdioPeer.open(sandbox);
  const path = `${sandbox.root}/f.ini`, encoder = new TextEncoder();
  for (const [encoding, text] of Object.entries(OLDER)) {
    const before = Uint8Array.of(...text, 13, 10, ...encoder.encode("port=80\r\n"), ...text, 13, 10);
    const ways: [string, Record<string, unknown>][] = [
      ["linux_fs_patch_block", { path: "f.ini", old_text: "port=80", new_text: "port=80 да日" }],
      ["linux_fs_apply_diff", { diff_text: "--- a/f.ini\n+++ b/f.ini\n@@ -2,1 +2,1 @@\n-port=80\n+port=80 да日\n" }],
      ["linux_fs_write", { path: "f.ini", content: "да日\n", mode: "append" }],
      ["linux_fs_write", { path: "f.ini", content: "да日\n" }],
    ];
    for (const [name, args] of ways) {
      await Deno.writeFile(path, before);
      assert.match(await peer.call(name, args), /is not UTF-8/, `${encoding} ${name}`);
      assert.deepEqual(await Deno.readFile(path), before, `${encoding} ${name}`);
    }
    await peer.call("linux_fs_patch_block", { path: "f.ini", old_text: "port=80", new_text: "port=8080" });
    const after = Uint8Array.of(...text, 13, 10, ...encoder.encode("port=8080\r\n"), ...text, 13, 10);
    assert.deepEqual(await Deno.readFile(path), after);
  }
});

Deno.test("a rewrite keeps UTF-16 and a byte order mark", async () => {
  await using sandbox = await Sandbox.make({});
  await using peer = await StdioPeer.open(sandbox);
  await Deno.writeFile(`${sandbox.root}/wide.txt`, Uint8Array.of(0xff, 0xfe, 0x61, 0));
  await Deno.writeFile(`${sandbox.root}/marked.txt`, Uint8Array.of(0xef, 0xbb, 0xbf, 0x61));
  for (const path of ["wide.txt", "marked.txt"]) await peer.call("linux_fs_write", { path, content: "é" });
  assert.deepEqual([...await Deno.readFile(`${sandbox.root}/wide.txt`)], [0xff, 0xfe, 0xe9, 0]);
  assert.deepEqual([...await Deno.readFile(`${sandbox.root}/marked.txt`)], [0xef, 0xbb, 0xbf, 0xc3, 0xa9]);
});

Deno.test("a root can be stated, its deletion is refused for what it is, and memory is a figure", async () => {
  await using sandbox = await Sandbox.make({});
  await using peer = await StdioPeer.open(sandbox);
  for (const path of [".", sandbox.root]) {
    assert.match(await peer.call("linux_fs_stat", { path }), /"type":"dir"/);
    const refusal = await peer.call("linux_fs_delete", { path, recursive: true });
    assert.match(refusal, /cannot be moved or deleted/);
    assert.doesNotMatch(refusal, /outside/);
  }
  const { gauges } = JSON.parse(await peer.call("get_metrics"));
  assert.ok(gauges.memory_bytes > 10_000_000, `${gauges.memory_bytes}`);
});
