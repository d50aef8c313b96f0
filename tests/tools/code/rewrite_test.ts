/** `code_rewrite` through the real pipeline: shapes that fit, what is refused, and that one undo takes it back. */
import assert from "node:assert/strict";
import { codeRewrite } from "../../../src/tools/code/rewrite.ts";
import { fsUndo } from "../../../src/tools/undo/undo.ts";
import { look } from "../look.ts";

const FILES = {
  "a.ts":
    "check(a.b,  undefined);\r\ncheck(\r\n  f(1, 2),\r\n  undefined,\r\n);\r\ncheck(a, null); // check(x, undefined)\r\n",
  "src/b.ts": "if (x) check(y, undefined);\nother.check(y, undefined);\n",
  "c.py": "check(a, undefined)\n",
};

Deno.test("code_rewrite changes code of a shape in all files of the language, and is undone as one", async () => {
  await using app = await look(FILES);
  const args = {
    pattern: "check($A, undefined)",
    replacement: "ok($A === undefined)",
    language: "typescript",
  } as const;
  const { text } = await app.call(codeRewrite, args);
  assert.equal(text, "changed 2 places in 2 files\na.ts 1\nsrc/b.ts 1");
  assert.equal(
    await Deno.readTextFile(`${app.root}/a.ts`),
    FILES["a.ts"].replace("check(a.b,  undefined)", "ok(a.b === undefined)"),
  );
  assert.equal(
    await Deno.readTextFile(`${app.root}/src/b.ts`),
    "if (x) ok(y === undefined);\nother.check(y, undefined);\n",
  );
  assert.equal(await Deno.readTextFile(`${app.root}/c.py`), FILES["c.py"]);
  await app.call(fsUndo, {});
  assert.equal(await Deno.readTextFile(`${app.root}/a.ts`), FILES["a.ts"]);
});

Deno.test("code_rewrite takes any number of arguments, repeated variables, a path and a dry run", async () => {
  await using app = await look({
    "a.py": "log(1, 2)\nlog()\nlog('a', k=v)\n",
    "b/c.py": "log(3)\n",
    "d.go": "package d\n\nfunc f() {\n\tif x != nil {\n\t\tg(x, x)\n\t\tg(x, y)\n\t}\n}\n",
  });
  await app.call(codeRewrite, {
    pattern: "log($$$ARGS)",
    replacement: "logger.info($$$ARGS)",
    language: "python",
    path: "a.py",
  });
  assert.equal(
    await Deno.readTextFile(`${app.root}/a.py`),
    "logger.info(1, 2)\nlogger.info()\nlogger.info('a', k=v)\n",
  );
  assert.equal(await Deno.readTextFile(`${app.root}/b/c.py`), "log(3)\n");
  const { text } = await app.call(codeRewrite, {
    pattern: "g($X, $X)",
    replacement: "h($X)",
    language: "go",
    dry_run: true,
  });
  assert.match(text, /^would change 1 place in 1 file\nd\.go 1\n[^]*-\t\tg\(x, x\)\n\+\t\th\(x\)/);
});

Deno.test("code_rewrite refuses what is no code, unknown variables and patterns without a word, and changes nothing", async () => {
  await using app = await look(FILES);
  const rewrite = (pattern: string, replacement: string) =>
    app.call(codeRewrite, { pattern, replacement, language: "typescript" });
  await assert.rejects(rewrite("check($A,, ;", "x"), /the pattern is not typescript code/);
  await assert.rejects(rewrite("check($A, undefined)", "ok($B)"), /the pattern has no \$B/);
  await assert.rejects(rewrite("$A + $B", "$B + $A"), /no word of its own/);
  await assert.rejects(rewrite("nowhere($A)", "x"), /no typescript code fits the pattern/);
  assert.equal(await Deno.readTextFile(`${app.root}/a.ts`), FILES["a.ts"]);
});
