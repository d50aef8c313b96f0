/** Builds from copies of the sources: identical bytes in every location, and no leftovers after a failure. @module */
import assert from "node:assert/strict";
import { exists, ROOT, sha256 } from "../../scripts/project.ts";
import { vendor } from "../../scripts/vendor.ts";
import { type TempTree, tempTree } from "../support/temp_tree.ts";

const SOURCES = ["main.ts", "deno.json", "deno.lock", "schemas", "scripts", "src"];

/** A bubblewrap that is installed and does not work, as where user namespaces are forbidden. */
const FAILING_BWRAP = "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n";

/** The sources, with what was downloaded and compressed before, and a folder with the programs that a build may find. */
async function copySources(programs: Readonly<Record<string, string>>, project = "project"): Promise<TempTree> {
  const tree = await tempTree({ "bin/": "", [`${project}/dist/`]: "" });
  const args = ["-r", ...SOURCES.map((name) => `${ROOT}/${name}`), tree.path(project)];
  assert.ok((await new Deno.Command("cp", { args }).output()).success);
  await vendor();
  await Deno.symlink(`${ROOT}/assets`, tree.path(`${project}/assets`));
  await Deno.mkdir(`${ROOT}/dist/packed`, { recursive: true });
  await Deno.symlink(`${ROOT}/dist/packed`, tree.path(`${project}/dist/packed`));
  if (await exists(`${ROOT}/.deno`)) await Deno.symlink(`${ROOT}/.deno`, tree.path(`${project}/.deno`));
  for (const [name, text] of Object.entries(programs)) {
    await Deno.writeTextFile(tree.path(`bin/${name}`), text, { mode: 0o755 });
  }
  return tree;
}

async function build(
  tree: TempTree,
  project: string,
  env: Record<string, string> = {},
): Promise<{ code: number; stderr: string }> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "build"],
    cwd: tree.path(project),
    env: { PATH: tree.path("bin"), ...env },
    stdin: "null",
  }).output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

Deno.test("builds of equal sources are equal, at another depth, without bubblewrap and with one that fails", async () => {
  await using without = await copySources({});
  // The path from here to Deno's own folder, where packages are, is another one.
  await using failing = await copySources({ bwrap: FAILING_BWRAP }, "further/down/project");
  const copies = [[without, "project"], [failing, "further/down/project"]] as const;
  const hashes = await Promise.all(copies.map(async ([tree, project]) => {
    const { code, stderr } = await build(tree, project);
    assert.equal(code, 0, stderr);
    assert.deepEqual(await namesIn(tree.path(`${project}/dist`)), ["llmc-mcp", "packed"]);
    return await sha256(await Deno.readFile(tree.path(`${project}/dist/llmc-mcp`)));
  }));
  assert.equal(hashes[0], hashes[1]);
});

Deno.test("modules for another processor are bundled to the same files at another depth", async () => {
  await using near = await copySources({});
  await using far = await copySources({}, "further/down/project");
  const copies = [[near, "project"], [far, "further/down/project"]] as const;
  const bundles = await Promise.all(copies.map(async ([tree, project]) => {
    const code =
      `import { bundleModules } from "./scripts/bundle.ts"; await bundleModules(Deno.cwd() + "/dist/modules");`;
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", code],
      cwd: tree.path(project),
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    const dir = tree.path(`${project}/dist/modules`);
    return await Promise.all(
      (await namesIn(dir)).map(async (name) => [name, await Deno.readTextFile(`${dir}/${name}`)]),
    );
  }));
  assert.ok((bundles[0]?.length ?? 0) > 5);
  assert.ok(JSON.stringify(bundles[0]) === JSON.stringify(bundles[1]), "they differ"); // too long for a diff
});

async function namesIn(dir: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(dir))).map(({ name }) => name).sort();
}

Deno.test("a build that fails says why in one line, leaves nothing behind and keeps the executable that was there", async () => {
  await using tree = await copySources({});
  await Deno.writeTextFile(tree.path("project/dist/llmc-mcp"), "an earlier one");
  const { code, stderr } = await build(tree, "project", { DENORT_BIN: "/nonexistent/denort" });
  assert.equal(code, 1);
  assert.match(stderr, /^build: cannot compile: [^\n]*Could not find denort at '\/nonexistent\/denort'[^\n]*\n$/);
  assert.deepEqual(await namesIn(tree.path("project/dist")), ["llmc-mcp", "packed"]);
  assert.equal(await Deno.readTextFile(tree.path("project/dist/llmc-mcp")), "an earlier one");
});
