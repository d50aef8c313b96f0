/** Packages made around a stand-in for the executable: their content, and that they are reproducible. @module */
import assert from "node:assert/strict";
import { exists, ROOT, sha256 } from "../../scripts/project.ts";
import type { Built } from "../../scripts/release/built.ts";
import { type Common, commonFiles } from "../../scripts/release/common_files.ts";
import { makeDeb } from "../../scripts/release/deb.ts";
import { makeBundle } from "../../scripts/release/mcpb.ts";
import { makeNpmPackage } from "../../scripts/release/npm.ts";
import { runTool } from "../../scripts/release/run_tool.ts";
import { makeServerJson } from "../../scripts/release/server_json.ts";
import { makeTarball } from "../../scripts/release/tarball.ts";
import { VERSION } from "../../src/core/version.ts";
import { tempTree } from "../support/temp_tree.ts";

const TIME = 1_790_000_000;
const PLACE = { owner: "someone", name: "hands", url: "https://github.com/someone/hands" };

/** Answers as the executable does when it is asked for help and completions. */
const STAND_IN = `#!/bin/sh
case "$*" in
  "--help") printf 'Usage: llmc-mcp [options]\\n\\nCommands:\\n  serve [options]  Serve.\\n\\nExamples:\\n  llmc-mcp serve\\n' ;;
  "serve --help") printf 'Usage: llmc-mcp serve\\n\\n.starts with a dot\\n' ;;
  "completion bash") echo 'complete -W serve llmc-mcp' ;;
  *) exit 64 ;;
esac
`;

interface Made {
  readonly paths: readonly string[];
  readonly common: Common;
}

async function makeAll(dir: string): Promise<Made> {
  const binary = `${dir}/stand-in`;
  await Deno.writeTextFile(binary, STAND_IN);
  await Deno.chmod(binary, 0o755);
  const built: Built = { arch: "x86_64", binary, workDir: `${dir}/work`, outDir: `${dir}/out`, time: TIME };
  await Deno.mkdir(built.outDir, { recursive: true });
  const common = await commonFiles("x86_64", binary, "0".repeat(64), TIME);
  const bundle = await makeBundle(built, common);
  const paths = [bundle, await makeTarball(built, common), await makeDeb(built, common)];
  return {
    common,
    paths: [...paths, await makeNpmPackage([built], common), await makeServerJson(PLACE, [bundle], built.outDir)],
  };
}

Deno.test("packages", async (t) => {
  await using tree = await tempTree({ "one/": "", "two/": "" });
  const one = await makeAll(tree.path("one"));

  await t.step("equal sources give equal packages, at another time and place", async () => {
    const two = await makeAll(tree.path("two"));
    for (const [index, path] of one.paths.entries()) {
      const other = two.paths[index] ?? "";
      assert.equal(await sha256(await Deno.readFile(other)), await sha256(await Deno.readFile(path)), path);
    }
  });

  const [bundle = "", tarball = "", deb = "", npm = ""] = one.paths;

  await t.step("the archive's files are root's, and only the executable is executable", async () => {
    const lines = (await runTool("tar", ["--numeric-owner", "-tvzf", tarball])).trim().split("\n");
    for (const line of lines) assert.match(line, / 0\/0 /);
    const executables = lines.filter((line) => /^-..x/.test(line));
    assert.equal(executables.length, 1);
    assert.match(executables[0] ?? "", new RegExp(`llmc-mcp-${VERSION}-linux-x86_64/llmc-mcp$`));
  });

  await t.step("the Debian package has three members in the order that dpkg wants", async () => {
    const text = new TextDecoder("latin1").decode(await Deno.readFile(deb));
    assert.ok(text.startsWith("!<arch>\ndebian-binary   "));
    const names = [...text.matchAll(/([a-z][a-z.-]+) +1790000000 +0 +0 +100644 +\d+ *`\n/g)].map(([, name]) => name);
    assert.deepEqual(names, ["debian-binary", "control.tar.gz", "data.tar.gz"]);
    if (!await exists("/usr/bin/dpkg-deb")) return;
    assert.match(await runTool("dpkg-deb", ["--field", deb]), /^Recommends: bubblewrap, git, ripgrep$/m);
    assert.match(
      await runTool("dpkg-deb", ["--contents", deb]),
      /\.\/usr\/share\/bash-completion\/completions\/llmc-mcp\n/,
    );
  });

  await t.step("the npm package names every file that it has", async () => {
    const names = (await runTool("tar", ["-tzf", npm])).trim().split("\n").filter((name) => !name.endsWith("/"));
    const expected = [
      "LICENSE",
      "README.md",
      "THIRD_PARTY_NOTICES",
      "bin/llmc-mcp",
      "lib/linux-x64/llmc-mcp",
      "package.json",
    ];
    assert.deepEqual(names, expected.map((name) => `package/${name}`));
  });

  await t.step("server.json has the hash of the bundle", async () => {
    const [path = ""] = one.paths.slice(-1);
    const { packages, version } = JSON.parse(await Deno.readTextFile(path));
    assert.equal(packages[0].fileSha256, await sha256(await Deno.readFile(bundle)));
    assert.equal(packages[0].version, VERSION);
    assert.equal(version, VERSION);
    assert.ok(packages[0].identifier.endsWith(`/v${VERSION}/llmc-mcp-${VERSION}-linux-x86_64.mcpb`));
  });

  await t.step("the manual page has every command, and no line that troff would take for a request of its own", () => {
    const { manPage } = one.common;
    assert.match(manPage, /^\.SS "llmc-mcp serve"$/m);
    assert.match(manPage, /^\\&\.starts with a dot$/m);
    const requests = [...manPage.matchAll(/^\.(\w+)/gm)].map(([, name]) => name ?? "");
    const known = ["TH", "SH", "SS", "B", "I", "BR", "TP", "nf", "fi", "ft"];
    assert.deepEqual(requests.filter((name) => !known.includes(name)), []);
  });

  await t.step("only shells that the program completes for get a script", () => {
    assert.deepEqual(Object.keys(one.common.completions), ["bash"]);
  });
});

Deno.test("the launcher of the npm package is a script that any shell takes", async () => {
  await runTool("sh", ["-n", `${ROOT}/packaging/npm/launcher.sh`]);
  for (const name of ["postinst", "prerm", "postrm"]) await runTool("sh", ["-n", `${ROOT}/packaging/deb/${name}`]);
});
