import assert from "node:assert/strict";
import { OpsError } from "../../../src/core/error.ts";
import { estimateTokens } from "../../../src/core/tokens.ts";
import { BUILD_FILES } from "../../../src/tools/onboarding/build_files.ts";
import { countLanguages } from "../../../src/tools/onboarding/languages.ts";
import { flowBench } from "./support.ts";

const REPO = {
  "README.md": "<img src=logo>\n\n# Widget maker\n\nMakes widgets.\n",
  "AGENTS.md": "# Rules\n",
  "package.json": '{"name": "w", "scripts": {"test": "node --test", "build": "tsc"}}',
  "Makefile": "all: build\n\n.PHONY: all\nbuild/out.o: x\n\tcc\nbuild: x\n\t@true\nCC := gcc\n%.o: %.c\n",
  "src/main.ts": "export {}\n",
  "src/widget.ts": "export {}\n",
  "lib/tool.py": "pass\n",
  ".gitignore": "dist/\n",
  "dist/main.js": "ignored",
};

Deno.test("explain_repo names languages, commands, guides and a place to start", async () => {
  await using bench = await flowBench({ files: REPO });
  await new Deno.Command("git", { args: ["init", "-q"], cwd: bench.root }).output();
  const report = await bench.run("explain_repo");
  assert.equal(report.step("Listed"), "lib/ src/ AGENTS.md Makefile README.md package.json");
  assert.match(report.step("Counted files"), /^7 files: TypeScript 2, Python 1, Markdown 2, JSON\/YAML\/TOML 1$/);
  assert.equal(report.step("Read build files"), "Makefile (make all|build), package.json (npm run test|build)");
  assert.equal(report.step("Looked for guides"), "AGENTS.md, README.md; README: Widget maker");
  assert.equal(report.step("Asked the code index"), "the index cannot be opened");
  assert.equal(report.summary, "Mostly TypeScript, 7 files. Start with AGENTS.md, README.md.");
  assert.ok(estimateTokens(report.text) < 250);
});

Deno.test("explain_repo tells what the code index knows of an indexed folder", async () => {
  const bootload = {
    entry_points: ["src/main.ts"],
    modules: [{ path: "src", about: "widgets" }, { path: "lib", about: "" }],
    hot_files: ["src/widget.ts"],
    last_commits: ["Make widgets round", "Begin"],
  };
  await using bench = await flowBench({ files: REPO, indexed: { root: "", bootload } });
  const report = await bench.run("explain_repo");
  assert.equal(report.step("Asked the code index for modules"), "src (widgets), lib");
  assert.equal(report.step("Found entry points"), "src/main.ts");
  assert.equal(report.step("Found the files"), "src/widget.ts");
  assert.equal(report.step("Read the latest commits"), "Make widgets round; Begin");
  assert.match(report.summary, /Start with AGENTS\.md, README\.md, src\/main\.ts\.$/);
  assert.ok(report.steps.length <= 10);
});

Deno.test("explain_repo looks at the folder that is named, and does not tell of another one's index", async () => {
  await using bench = await flowBench({
    files: { "one/a.go": "", "two/b.rs": "" },
    indexed: { root: "two", bootload: {} },
  });
  const report = await bench.run("explain_repo", { path: "one" });
  assert.equal(report.step("Listed one"), "a.go");
  assert.equal(report.step("Asked the code index"), "this folder is not indexed");
  assert.match(report.summary, /^Mostly Go, 1 files/);
  await assert.rejects(
    bench.run("explain_repo", { path: "/etc" }),
    (error: unknown) => error instanceof OpsError && error.code === "INVALID_PATH",
  );
  await assert.rejects(
    bench.run("explain_repo", { path: "one/a.go" }),
    (error: unknown) => error instanceof OpsError && error.code === "NOT_A_DIRECTORY",
  );
});

Deno.test("explain_repo reads no build file through a link that leaves the roots", async () => {
  await using bench = await flowBench({ files: { "a.ts": "" } });
  const outside = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(outside, '{"scripts": {"stolen": "x"}}');
    await Deno.symlink(outside, `${bench.root}/package.json`);
    const { text } = await bench.run("explain_repo");
    assert.ok(!text.includes("stolen"), text);
  } finally {
    await Deno.remove(outside);
  }
});

Deno.test("explain_repo of an empty folder says that there is nothing", async () => {
  await using bench = await flowBench();
  const report = await bench.run("explain_repo");
  assert.equal(report.summary, "No source code, 0 files. There is no guide to start with.");
  assert.equal(report.step("Read build files"), "none at the top");
});

Deno.test("commands of build files are read, broken ones give none", () => {
  const commands = (name: string, text: string) => BUILD_FILES.find((file) => file.name === name)?.commands(text);
  assert.deepEqual(commands("deno.json", '{"tasks": {"dev": "x", "test": "y"}}'), ["dev", "test"]);
  assert.deepEqual(commands("package.json", "{broken"), []);
  assert.deepEqual(commands("package.json", '{"scripts": 3}'), []);
  assert.deepEqual(commands("package.json", "[]"), []);
  assert.deepEqual(commands("Makefile", "test check: x\nrun:\n\techo a:b\nrun: again\nX = y:z\n"), ["test", "run"]);
});

Deno.test("countLanguages puts code before prose", () => {
  assert.deepEqual(countLanguages(["a.md", "b.md", "c.rs", "d", "e.unknown", "F.RS", "x.json"]), [
    ["Rust", 2],
    ["Markdown", 2],
    ["JSON/YAML/TOML", 1],
  ]);
});
