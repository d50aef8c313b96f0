/** Every link inside the project leads somewhere. @module */
import assert from "node:assert/strict";
import { exists, ROOT } from "../../scripts/project.ts";
import { anchors, links, listDocuments } from "./read_documents.ts";

Deno.test("every link between documents leads to a file and a heading that is there", async () => {
  const broken: string[] = [];
  for (const document of await listDocuments()) {
    const text = await Deno.readTextFile(`${ROOT}/${document}`);
    for (const target of links(text)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? document : new URL(path, `file:///${document}`).pathname.slice(1);
      if (!await exists(`${ROOT}/${file}`)) broken.push(`${document}: ${target} is not there`);
      else if (anchor !== undefined && !anchors(await Deno.readTextFile(`${ROOT}/${file}`)).has(anchor)) {
        broken.push(`${document}: ${target} has no such heading`);
      }
    }
  }
  assert.deepEqual(broken, []);
});

Deno.test("the README is short", async () => {
  const lines = (await Deno.readTextFile(`${ROOT}/README.md`)).trimEnd().split("\n").length;
  assert.ok(lines <= 70, `${lines} lines`);
});
