/** Handling of missing programs by `make test`. @module */
import assert from "node:assert/strict";
import { ROOT } from "../../scripts/project.ts";
import { tempTree } from "../support/temp_tree.ts";

/** Programs that the tests cannot do without, and some that they can. */
const NEEDED = ["git", "ps", "python3", "openssl", "script", "setsid"], WANTED = ["bwrap", "node", "curl", "sqlite3"];

/** Runs the script on a machine that has some programs only, with a package manager that notes what it is asked for. */
async function deps(programs: readonly string[], { uid = 1000, installs = true } = {}) {
  await using tree = await tempTree({
    "bin/id": `#!/bin/sh\necho ${uid}\n`,
    "bin/apt-get": `#!/bin/sh\necho "$@" >>"\${0%/*}/../asked"\n${installs ? "" : "exit 100\n"}`,
    ...Object.fromEntries(programs.map((program) => [`bin/${program}`, "#!/bin/sh\n"])),
  });
  for await (const { name } of Deno.readDir(tree.path("bin"))) await Deno.chmod(tree.path(`bin/${name}`), 0o755);
  const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
    args: [`${ROOT}/scripts/deps.sh`],
    clearEnv: true,
    env: { PATH: tree.path("bin") },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder(), asked = await Deno.readTextFile(tree.path("asked")).catch(() => "");
  assert.equal(decoder.decode(stdout), "");
  return { code, stderr: decoder.decode(stderr), asked };
}

Deno.test("deps names the one command that installs what is missing, and the tests go on", async () => {
  const { code, stderr, asked } = await deps([...NEEDED, ...WANTED]);
  assert.equal(code, 0);
  assert.match(stderr, /^deps: not installed: chromium zsh fish/);
  assert.equal([...stderr.matchAll(/sudo apt-get install -y chromium zsh fish/g)].length, 1, stderr);
  assert.equal(asked, "", "an ordinary user installs nothing");
});

Deno.test("deps fails where no tests could run", async () => {
  const { code, stderr } = await deps(NEEDED.filter((name) => name !== "python3"));
  assert.equal(code, 1);
  assert.match(stderr, /sudo apt-get install -y python3 bubblewrap/);
  assert.match(stderr, /\ndeps: the tests cannot run without: python3\n$/);
});

Deno.test("deps installs what is missing as root, and goes on where that fails", async () => {
  for (const installs of [true, false]) {
    const { code, stderr, asked } = await deps([...NEEDED, ...WANTED], { uid: 0, installs });
    assert.equal(code, 0);
    assert.match(asked, /^install .* chromium zsh fish/);
    assert.equal(stderr.includes("could not be installed"), !installs, stderr);
  }
});
