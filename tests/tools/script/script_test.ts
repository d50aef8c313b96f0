/** Scripts over tools: what they can do, and attacks on what holds them. @module */
import assert from "node:assert/strict";
import { loadO200k } from "../../../bench/tokens/tokenizers.ts";
import { makeTestApp, type TestApp } from "../../support/app.ts";
import { eventually } from "../../support/eventually.ts";

const FILES = { "a.txt": "hello\nworld\n", "src/b.js": "x();\n" };

/** As many scripts as may run at a time. */
const AT_ONCE = 4;

/** Text of the answer. */
async function textOf(test: TestApp, code: string): Promise<string> {
  return (await test.call("script", { code })).text;
}

Deno.test("a script calls tools and answers with what it prints alone", async () => {
  await using test = await makeTestApp({ files: FILES });
  const code = `
    const { content } = await fs.read("a.txt");
    fs.write("c.txt", content.toUpperCase());
    const { exit_code, stdout } = run("cat c.txt; exit 3");
    print(exit_code, stdout);
    print(search.content("x\\\\(", { root: "src" }).hits.map(({ path }) => path));
    print({ type: fs.stat({ path: "src" }).type });`;
  assert.equal(await textOf(test, code), '3 HELLO\nWORLD\n[\n "src/b.js"\n]\n{\n "type": "dir"\n}');
  assert.equal(await textOf(test, 'fs.stat("a.txt")'), "[nothing was printed · 1 calls]");
});

Deno.test("the error of a script names its line, and what was printed before it is there", async () => {
  await using test = await makeTestApp({ files: FILES });
  const cases: [string, RegExp][] = [
    ['print("before");\nfs.read("/etc/passwd");', /^\[Error: INVALID_PATH: .*outside.* · line 2 · 1 calls\]\nbefore$/],
    ["let a = 1;\n\nlet b = ;", /SyntaxError: .* · line 3 · 0 calls/],
    ["function f() {\n  missing();\n}\nf();", /ReferenceError: 'missing' is not defined · line 2/],
    ["await Promise.reject(new TypeError('no'))", /TypeError: no · line 1/],
    ['fs.read("a.txt", 2, 3)', /TypeError: arguments: path, then an object/],
    ["throw { a: 1 }", /thrown: \{"a":1\}/],
    ["await new Promise(() => {})", /waits for something that never comes/],
  ];
  for (const [code, expected] of cases) {
    const answer = await test.call("script", { code });
    assert.match(answer.text, expected);
    assert.ok(answer.failed);
  }
  assert.match(await textOf(test, 'try { fs.read("none") } catch (e) { print(e.message) }'), /^NOT_FOUND/);
});

Deno.test("each call of a script takes the way of any call: policy, approvals, record and undo", async (t) => {
  await t.step("record and undo", async () => {
    await using test = await makeTestApp({ files: FILES });
    await textOf(test, 'fs.write("a.txt", "other"); fs.stat("a.txt")');
    const { records } = await test.result("linux_mcp_recent_calls", {});
    const names = Object(records).map(({ tool }: { tool: string }) => tool);
    assert.deepEqual(names, ["script", "linux_fs_stat", "linux_fs_write"]);
    await test.result("linux_fs_undo");
    assert.equal(await Deno.readTextFile(`${test.root}/a.txt`), FILES["a.txt"]);
  });
  await t.step("read-only mode", async () => {
    await using test = await makeTestApp({ files: FILES, settings: { "mcp.read_only": true } });
    assert.match(
      await textOf(test, 'print(fs.read("a.txt").meta.total_lines)\nfs.write("a.txt", "")'),
      /not a function · line 2[^]*\n2$/,
    );
    assert.equal(await Deno.readTextFile(`${test.root}/a.txt`), FILES["a.txt"]);
  });
  await t.step("approvals", async () => {
    await using test = await makeTestApp({ files: FILES, settings: { "mcp.approvals.require": ["destroy"] } });
    const allowed = { consent: "allowed" as const }; // of the script, which is not that of its calls
    const { text } = await test.call("script", { code: 'fs.delete("a.txt")' }, allowed);
    assert.match(text, /APPROVAL_/);
    assert.equal(await Deno.readTextFile(`${test.root}/a.txt`), FILES["a.txt"]);
  });
  await t.step("the operator's switch", async () => {
    await using test = await makeTestApp({ settings: { "mcp.tools.enable_script": false } });
    assert.match(await textOf(test, "print(1)"), /FEATURE_DISABLED.*enable_script/);
    assert.doesNotMatch(test.app.catalog.shortList(new Set()).at(-1)?.summary ?? "", /script/);
  });
});

Deno.test("nothing of the runtime or the host can be reached from a script", async () => {
  await using test = await makeTestApp({ files: FILES });
  const names = "Deno fetch require process host WebAssembly Worker XMLHttpRequest self window global importScripts";
  const attempts: [string, RegExp][] = [
    [`print(${names.split(" ").map((name) => `typeof ${name}`).join(", ")})`, /^(undefined ?)+$/],
    ['await import("node:fs")', /could not load module/],
    ['import fs from "https://127.0.0.1/x.js"', /could not load module/],
    ["print(Function('return this')() === globalThis, typeof Function('return Deno') )", /^true function$/],
    ["print(eval('typeof Deno'), (0, eval)('typeof fetch'))", /^undefined undefined$/],
    [
      "print(print.constructor('return typeof Deno')(), fs.read.constructor('return typeof process')())",
      /^undefined undefined$/,
    ],
    ["print(Object.getOwnPropertyNames(import.meta))", /^\[\]$/],
    ['try { print(null.x) } catch (e) { print(e.constructor.constructor("return typeof Deno")()) }', /^undefined$/],
    // the host's function, looked for by every name through what the API leaves behind
    ["print(Reflect.ownKeys(globalThis).filter((name) => /host|call/i.test(String(name))).length)", /^0$/],
    [
      "JSON.stringify = () => '{}'; JSON.parse = () => ({ value: { content: 'mine' } }); print(fs.read('a.txt').content)",
      /^hello\nworld$/,
    ],
    ["Array.prototype.slice = null; Object.prototype.error = 'x'; print(typeof fs)", /^object$/],
    ["script({ code: 'print(1)' })", /'script' is not defined/],
    ["more({ tool: 'script', arguments: { code: '' } })", /'more' is not defined/],
  ];
  for (const [code, expected] of attempts) assert.match(await textOf(test, code), expected, code);
});

Deno.test("a prototype that a script changes is not changed on the other side, and what it sends is plain data", async () => {
  await using test = await makeTestApp({ files: FILES });
  const code = `
    Object.prototype.polluted = true;
    Array.prototype.toJSON = () => ["replaced"];
    const trap = { path: "a.txt", __proto__: { encoding: "utf-8" }, toString() { for (;;); } };
    print(fs.read(trap).content);
    try { fs.read(JSON.parse('{"path": "a.txt", "__proto__": {"x": 1}, "constructor": {"prototype": {"y": 1}}}')) } catch (e) { print(e.message.slice(0, 16)) }`;
  assert.match(await textOf(test, code), /^hello\nworld\nINVALID_ARGUMENT/);
  assert.ok(!("polluted" in {}) && !("x" in {}) && !("y" in {}));
});

Deno.test("a script that computes, recurses, allocates, prints or calls without end is ended, and the server goes on", async () => {
  await using test = await makeTestApp({ files: FILES });
  const attempts: [string, RegExp][] = [
    ["for (;;);", /computed for too long/],
    ["const f = () => Promise.resolve().then(f); await f();", /computed for too long/],
    ["for (;;) { try { for (;;); } catch {} }", /computed for too long/],
    ["/(a+)+$/.test('a'.repeat(60) + 'b')", /too long/],
    ["(function f() { f(); })()", /Maximum call stack size exceeded/],
    ["let s = 'x'; for (;;) s += s;", /string too long|memory/],
    ["new Uint8Array(1e9)", /out of memory/],
    ["const kept = []; for (;;) kept.push(new Array(1e5).fill(1));", /memory/],
    ["for (;;) print('x'.repeat(10_000));", /more than 262144 characters were printed/],
    ["for (let i = 0; i < 500; i++) fs.stat('a.txt');", /more than 200 calls · line 1/],
    ["fs.write('big', 'x'.repeat(2_000_000))", /arguments of 2\d+ characters/],
  ];
  for (let at = 0; at < attempts.length; at += AT_ONCE) {
    const together = attempts.slice(at, at + AT_ONCE).map(async ([code, expected]) =>
      assert.match(await textOf(test, code), expected, code)
    );
    await Promise.all(together);
  }
  assert.equal(await textOf(test, "print(1)"), "1");
});

Deno.test("a script that is cancelled ends with the call that it waits for, and calls nothing more", async () => {
  await using test = await makeTestApp({ files: FILES });
  const stop = new AbortController();
  const code = 'run("touch started; sleep 30"); run("touch after");';
  const running = test.call("script", { code }, { signal: stop.signal });
  await eventually(() => assert.ok(Deno.statSync(`${test.root}/started`)));
  stop.abort();
  const { text } = await running;
  assert.match(text, /cancelled|TIMEOUT/);
  assert.throws(() => Deno.statSync(`${test.root}/after`));
  const { records } = await test.result("linux_mcp_recent_calls", {});
  assert.equal(Object(records).filter(({ tool }: { tool: string }) => tool === "run_cmd").length, 1);
});

Deno.test("the description of the functions is made from the tools, in 500 tokens", async () => {
  const count = await loadO200k();
  await using test = await makeTestApp();
  const { text } = await test.call("more", { group: "script" });
  assert.ok(count(text) <= 500, `${count(text)} tokens`);
  for (const { name, passesOn } of test.app.catalog.reachable()) {
    const path = name === "run_cmd" ? "run" : name.replace(/^linux_/, "").replace("_", ".");
    assert.equal(text.includes(`\n${path}(`), !passesOn, name);
  }
});
