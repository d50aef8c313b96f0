import assert from "node:assert/strict";
import { markup, visible } from "../../../src/server/ui/markup.ts";

Deno.test("whatever is put into a template is text, in lists and in templates inside as well", () => {
  const name = `<b a="1" c='2'>&`, shown = "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;";
  assert.equal(String(markup`<p title="${name}">${name}</p>`), `<p title="${shown}">${shown}</p>`);
  assert.equal(String(markup`${[name, [name, markup`<i>${name}</i>`]]}`), `${shown}${shown}<i>${shown}</i>`);
  assert.equal(String(markup`${0}${null}${undefined}${false}${""}`), "0");
});

Deno.test("text of others shows what would hide, reorder or end something; lines and other alphabets stay", () => {
  assert.equal(visible("a\tb\nc é 漢字 🙂 עברית"), "a\tb\nc é 漢字 🙂 עברית");
  assert.equal(visible("\0\x1b[31m\x7f\x9b"), "\\u{0}\\u{1b}[31m\\u{7f}\\u{9b}");
  assert.equal(visible("a\u202eb\u2066c\u200dd\u00ade\ufeff"), "a\\u{202e}b\\u{2066}c\\u{200d}d\\u{ad}e\\u{feff}");
  assert.equal(visible("x\u{e0041}y"), "x\\u{e0041}y");
  assert.equal(visible("\ud800"), "\ufffd");
});
