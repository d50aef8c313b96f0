/** The commands of docs/install.md, in a bare Debian system with a release in a folder. @module */
import assert from "node:assert/strict";
import { ROOT } from "../../scripts/project.ts";
import { VERSION } from "../../src/core/version.ts";
import { DebianRoot } from "./debian_root.ts";
import { output, PACKAGES, RELEASE_DIR, released } from "./released.ts";

Deno.test("the lines of docs/install.md download, check and install a release (needs root)", async (t) => {
  const blocks = await shellBlocks();
  const [naming = ""] = blocks;
  assert.ok(naming.includes(`V=${VERSION}\n`), "the page names this version");
  const prepare = naming.replace(/^RELEASE=\S+/m, "RELEASE=file:///release");
  assert.notEqual(prepare, naming);
  const lineFor = (text: string) => {
    const block = blocks.find((lines) => lines.includes(text));
    assert.ok(block, text);
    return `cd /tmp\n${prepare}\n${block.replaceAll("sudo ", "")}`;
  };
  await using root = await DebianRoot.make();
  await root.sh("mkdir /release");
  for (const path of [released("tarball"), released("deb"), `${RELEASE_DIR}/SHA256SUMS`]) {
    await output("cp", [path, `${root.dir}/release/`]);
  }

  await t.step("the archive", async () => {
    await root.sh(lineFor(".tar.gz && "));
    assert.equal((await root.sh("/usr/local/bin/llmc-mcp version")).trim(), VERSION);
    await root.sh("rm /usr/local/bin/llmc-mcp");
  });

  await t.step("the Debian package", async () => {
    await root.sh(`apt-get update -qq\n${lineFor("apt-get install")}`);
    assert.equal((await root.sh("/usr/bin/llmc-mcp version")).trim(), VERSION);
  });

  await t.step("a file that differs from its checksum is not installed", async () => {
    await root.sh(`rm -f /tmp/llmc-mcp*; printf x >>/release/${PACKAGES.tarball}`);
    await assert.rejects(root.sh(lineFor(".tar.gz && ")), /did NOT match/);
    await root.sh("test ! -e /usr/local/bin/llmc-mcp");
  });
});

/** Content of the shell examples, in order. */
async function shellBlocks(): Promise<string[]> {
  const page = await Deno.readTextFile(`${ROOT}/docs/install.md`);
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines]) => lines ?? "");
}
