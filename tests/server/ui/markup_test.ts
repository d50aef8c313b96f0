import assert from "node:assert/strict";
import { markup } from "../../../src/server/ui/markup.ts";

Deno.test("whatever is put into a template is text, in lists and in templates inside as well", () => {
  const name = `<b a="1" c='2'>&`, shown = "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;";
  assert.equal(String(markup`<p title="${name}">${name}</p>`), `<p title="${shown}">${shown}</p>`);
  assert.equal(String(markup`${[name, [name, markup`<i>${name}</i>`]]}`), `${shown}${shown}<i>${shown}</i>`);
  assert.equal(String(markup`${0}${null}${undefined}${false}${""}`), "0");
});
