import assert from "node:assert/strict";
import plugin from "../../lint/layers.ts";

/** Messages for a file of src/, as the linter would print them. */
function lint(file: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, `/home/me/src/llmc/src/${file}`, source).map(({ message }) => message);
}

Deno.test("layers lets a folder import itself and what stands before it", () => {
  assert.deepEqual(lint("tools/fs/read.ts", `import "../../core/page.ts"; import "./meta.ts"; import "zod";`), []);
});

Deno.test("layers refuses every form of an import that climbs", () => {
  const forms = [`import "../te/tool.ts";`, `export * from "../te/tool.ts";`, `export { x } from "../te/tool.ts";`];
  for (const form of [...forms, `await import("../te/tool.ts");`]) {
    assert.deepEqual(lint("core/page.ts", form), ["core may not import te"], form);
  }
});

Deno.test("layers refuses folders that are not on the line", () => {
  assert.deepEqual(lint("utils/x.ts", `import "../core/page.ts";`), ["src/utils is not in the layer order"]);
  assert.deepEqual(lint("tools/x.ts", `import "../utils/x.ts";`), ["tools may not import utils"]);
});

Deno.test("platform-at-edges allows Deno and node: at the edges only", () => {
  const source = `import "node:path"; Deno.cwd();`;
  assert.deepEqual(lint("sys/fs.ts", source), []);
  assert.deepEqual(lint("te/exec.ts", source), ["te may not import node:path", "te may not use Deno"]);
});
