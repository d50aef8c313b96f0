/** The documented errors of each tool match the errors of the modules that it uses. @module */
import assert from "node:assert/strict";
import { ROOT } from "../../scripts/project.ts";
import { TOOL_ERRORS } from "../../scripts/tool_errors.ts";
import { tools } from "../../src/tools/catalog.ts";

/** What stands behind the services of a tool's context, whichever a tool uses. */
const FOLDERS = [
  "src/call",
  "src/exec",
  "src/roots",
  "src/sys",
  "src/store",
  "src/code_search",
  "src/sandbox",
  "src/core",
];

Deno.test("every documented error is one of a tool that there is, and something throws it", async () => {
  const names = new Set(tools.map(({ name }) => name));
  const shared = (await Promise.all(FOLDERS.map(readAll))).join("\n");
  const ofTools = await readAll("src/tools");
  for (const [tool, codes] of Object.entries(TOOL_ERRORS)) {
    assert.ok(names.has(tool), `there is no tool ${tool}`);
    assert.equal(new Set(codes).size, codes.length, `${tool} names an error twice`);
    for (const code of codes) assert.ok(`${shared}${ofTools}`.includes(`"${code}"`), `nothing throws ${code}`);
  }
});

async function readAll(folder: string): Promise<string> {
  const texts: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${ROOT}/${folder}`)) {
    const path = `${folder}/${name}`;
    texts.push(isDirectory ? await readAll(path) : await Deno.readTextFile(`${ROOT}/${path}`));
  }
  return texts.filter((text) => !text.includes("export const ERRORS =")).join("\n");
}
