/** Names and texts that differ invisibly, and names that are not UTF-8. @module */
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
  assert.match(
    await peer.call("linux_fs_read", { path: "a\u202fb.txt" }),
    /^NOT_FOUND.*2 names look like it: a(?: b\.txt, a\\u00a0|\\u00a0b\.txt, a )b\.txt/,
  );
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

Deno.test("a block with a character of no width in it is found, and one beside it stays", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "foo\u200bbar\u200b = 1\nthe next\u200b line is long enough\n" });
  await using peer = await StdioPeer.open(sandbox);
  await peer.call("linux_fs_patch_block", { path: "a.txt", old_text: "foobar", new_text: "baz" });
  assert.match(await Deno.readTextFile(`${sandbox.root}/a.txt`), /^baz\u200b = 1\n/);
  const old_text = "the next line is long and enough\n";
  const answer = await peer.call("linux_fs_patch_block", { path: "a.txt", old_text, new_text: "x" });
  assert.match(answer, /next\\u\{200b\}|\\u200b|\{\+\\u\{200b\}\+\}/, answer);
});

Deno.test("every name that a listing shows in quotes is read, stated, searched, edited, moved and deleted so", async () => {
  const names = ["tab\tname", 'quo"te', "back\\slash", " edge ", "esc\x1b[31m", "line\nend", "\u202ertl"];
  await using sandbox = await Sandbox.make(Object.fromEntries(names.map((name) => [`d/${name}`, "content\n"])));
  await using peer = await StdioPeer.open(sandbox);
  const shown = (await peer.call("linux_fs_list", { path: "d" })).split("\n").filter((line) => line.startsWith('"'));
  assert.equal(shown.length, names.length);
  for (const name of shown) {
    for (const path of [`d/${name}`, `"d/${name.slice(1)}`]) {
      assert.match(await peer.call("linux_fs_read", { path }), /^content/, path);
      assert.match(await peer.call("linux_fs_stat", { path }), /"type":"file"/, path);
      assert.match(await peer.call("linux_search_content", { pattern: "content", root: path }), /1 hit/, path);
    }
    const path = `d/${name}`;
    await peer.call("linux_fs_patch_block", { path, old_text: "content", new_text: "other" });
    await peer.call("linux_fs_write", { path, content: "more\n", mode: "append" });
    assert.match(await peer.call("linux_fs_read", { path }), /^other\nmore/, path);
    assert.match(await peer.call("linux_fs_move", { source: path, target: "moved" }), /moved/, path);
    assert.equal(await Deno.readTextFile(`${sandbox.root}/moved`), "other\nmore\n");
    await peer.call("linux_fs_write", { path: "moved", content: "back" });
    await Deno.rename(`${sandbox.root}/moved`, `${sandbox.root}/d/${JSON.parse(name)}`);
    assert.match(await peer.call("linux_fs_delete", { path }), /deleted/, path);
  }
  assert.deepEqual(await Array.fromAsync(Deno.readDir(`${sandbox.root}/d`)), []);
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
