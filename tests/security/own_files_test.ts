/** Attempts of started programs to reach the server's own files. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, TEST_BINARY } from "../support/binary.ts";
import { LANDLOCK, LEVEL, needing, ROOT_USER } from "../support/needs.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

/** What an operator decided. */
const CONFIGURED = "[mcp.tools]\nread_timeout = 9\n";
/** What an operator keeps from programs. */
const SECRET = "a-secret-of-the-operator\n";

/** A home directory that is a root, with the data directory and the configuration where they usually are. */
async function homeAsRoot() {
  const sandbox = await Sandbox.make();
  const home = sandbox.root;
  const env = {
    ...sandbox.env,
    HOME: home,
    XDG_STATE_HOME: `${home}/.local/state`,
    XDG_CONFIG_HOME: `${home}/.config`,
  };
  const call = async (level: string, name: string, args: Record<string, unknown>) => {
    const pairs = Object.entries(args).map(([key, value]) =>
      `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`
    );
    const { stdout } = await runBinary(["tool", name, ...pairs, "--json", "--root", home], {
      env: { ...env, LLMC_TEST_LEVEL: level },
      binary: TEST_BINARY,
      cwd: sandbox.dir,
    });
    return JSON.parse(stdout);
  };
  return { sandbox, home, call };
}

/** Renames each pair, and says of each whether it worked. */
const RENAMES = `
import os, sys
for pair in sys.argv[1:]:
    old, new = pair.split(":")
    try:
        os.rename(old, new)
        print("renamed", old)
    except OSError as error:
        print("refused", old)
`;

const moveAway = "a program cannot move away the folders that hold the data directory and the configuration";
Deno.test(needing(moveAway, ...LEVEL.full), async () => {
  const { sandbox, home, call } = await homeAsRoot();
  await using _ = sandbox;
  await call("full", "linux_fs_list", { path: "." });
  const pairs = [".local/state/llmc-mcp:a", ".local/state:b", ".local:c", ".config/llmc:d", ".config:e"];
  const { stdout } = await call("full", "run_cmd", { argv: ["python3", "-c", RENAMES, ...pairs] });
  assert.equal(stdout, pairs.map((pair) => `refused ${pair.split(":")[0]}\n`).join(""));
  const names = await Array.fromAsync(Deno.readDir(home), ({ name }) => name);
  assert.deepEqual(names.sort(), [".config", ".local"]);
});

/** Writes a configuration, and reads what lies beside it. */
const PLANT = `
import os
os.makedirs(".config/llmc", exist_ok=True)
try:
    open(".config/llmc/llmc.toml", "w").write("[mcp]")
    print("written")
except OSError as error:
    print("refused")
try:
    print(open(".config/llmc/token").read())
except OSError as error:
    pass
`;

const leaveBehind =
  "a program cannot leave a configuration for the next start, nor read or change the one that is there";
Deno.test(needing(leaveBehind, ...LEVEL.full), async () => {
  const { sandbox, home, call } = await homeAsRoot();
  await using _ = sandbox;
  const plant = { argv: ["python3", "-c", PLANT] };
  assert.equal((await call("full", "run_cmd", plant)).stdout, "written\n", "into a folder of the program's own");
  await assert.rejects(Deno.stat(`${home}/.config/llmc/llmc.toml`), Deno.errors.NotFound);
  await Deno.writeTextFile(`${home}/.config/llmc/llmc.toml`, "[mcp.tools]\nread_timeout = 9\n");
  await Deno.writeTextFile(`${home}/.config/llmc/token`, "a-secret-of-the-operator\n", { mode: 0o600 });
  assert.equal((await call("full", "run_cmd", plant)).stdout, "refused\n");
  assert.equal(await Deno.readTextFile(`${home}/.config/llmc/llmc.toml`), "[mcp.tools]\nread_timeout = 9\n");
  const written = await call("full", "linux_fs_write", { path: ".config/llmc/llmc.toml", content: "[mcp]\n" });
  assert.equal(written.code, "INVALID_PATH");
});

Deno.test("what the server keeps lies under a name that nobody can guess, and only that is granted", async () => {
  await using sandbox = await Sandbox.make();
  const options = { env: sandbox.env };
  await runBinary(["tool", "linux_fs_list", "path=.", "--root", sandbox.root], options);
  const store = await sandbox.storeDir();
  assert.match(store, /\/store-[0-9a-f]{32}$/);
  await runBinary(["tool", "linux_fs_list", "path=.", "--root", sandbox.root], options);
  assert.equal(await sandbox.storeDir(), store, "the next start finds it again");
  assert.ok((await Deno.stat(`${store}/llmc.db`)).isFile);
});

Deno.test(needing("a program that only Landlock holds has no powers of root", ROOT_USER, LANDLOCK), async () => {
  const { sandbox, call } = await homeAsRoot();
  await using _ = sandbox;
  const { stdout, confinement } = await call("landlock", "run_cmd", {
    argv: ["python3", "-c", "print(open('/proc/self/status').read())"],
  });
  assert.equal(confinement, "landlock");
  assert.match(stdout, /CapPrm:\s+0+$/m);
  assert.match(stdout, /CapEff:\s+0+$/m);
  assert.match(stdout, /NoNewPrivs:\s+1$/m);
});

/** Prints the operator's token. */
const LOOK = `
try:
    print(open("keys/token").read(), end="")
except PermissionError:
    pass
`;

/** Tries to put another token in the place of the operator's. */
const CHANGES = `
import os
open("own/other", "w").write("mine")
def attempt(change):
    try:
        change()
        print("changed")
    except OSError:
        print("refused")
attempt(lambda: os.remove("keys/token"))
attempt(lambda: os.replace("own/other", "keys/token"))
attempt(lambda: open("keys/token", "r+"))
`;

for (const level of ["full", "bwrap", "landlock"] as const) {
  Deno.test(
    needing(`no program reads or replaces the token in a root at level ${level}`, ...LEVEL[level]),
    async () => {
      await using sandbox = await Sandbox.make({ "keys/token": SECRET, "own/a": "a" });
      await Deno.chmod(`${sandbox.root}/keys/token`, 0o600);
      const args = ["--set", `mcp.auth.token_file=${sandbox.root}/keys/token`, "--root", sandbox.root];
      const run = async (program: string, ...words: string[]) => {
        const argv = JSON.stringify(["python3", "-c", program, ...words]);
        const { stdout } = await runBinary(["tool", "run_cmd", `argv=${argv}`, "--json", ...args], {
          env: { ...sandbox.env, LLMC_TEST_LEVEL: level },
          binary: TEST_BINARY,
        });
        return JSON.parse(stdout).stdout;
      };
      assert.equal(await run(LOOK), "");
      assert.equal(await run(RENAMES, "keys/token:away", "keys:away"), "refused keys/token\nrefused keys\n");
      assert.equal(await run(CHANGES), "refused\nrefused\nrefused\n");
      assert.equal(await Deno.readTextFile(`${sandbox.root}/keys/token`), SECRET);
    },
  );
}

Deno.test("a link to the token inside a root is refused, because a program could replace it", async () => {
  await using sandbox = await Sandbox.make();
  await Deno.writeTextFile(`${sandbox.dir}/token`, SECRET, { mode: 0o600 });
  await Deno.symlink(`${sandbox.dir}/token`, `${sandbox.root}/token`);
  const args = ["tool", "linux_fs_list", "path=.", "--root", sandbox.root];
  const token = ["--set", `mcp.auth.token_file=${sandbox.root}/token`];
  const { code, stderr } = await runBinary([...args, ...token], { env: sandbox.env });
  assert.equal(code, 78);
  assert.match(stderr, /mcp\.auth\.token_file.*token is a link inside a root.*name the file itself/s);
});

/** Every way to change what decides about the server, or what it starts; then what a user of the folder expects to work. */
const OVERWRITE = `
import os, sys, glob, shutil
def attempt(name, change):
    try:
        change()
        print("CHANGED", name)
    except OSError:
        pass
for path in sys.argv[1:]:
    parent = os.path.dirname(path)
    for mode in ["w", "a", "r+"]: attempt(f"open {mode} {path}", lambda: open(path, mode).write("x"))
    attempt(f"truncate {path}", lambda: os.truncate(path, 0))
    attempt(f"remove {path}", lambda: os.remove(path))
    attempt(f"replace {path}", lambda: os.replace("projects/evil", path))
    attempt(f"link over {path}", lambda: os.link("projects/evil", path + ".new"))
    attempt(f"rename {path}", lambda: os.rename(path, "projects/stolen"))
    while parent not in ("", "."):
        attempt(f"rename {parent}", lambda: os.rename(parent, "projects/stolen"))
        parent = os.path.dirname(parent)
for path in glob.glob(".local/state/llmc-mcp/**", recursive=True, include_hidden=True):
    if os.path.isfile(path) and not path.startswith(".local/state/llmc-mcp/home"):
        attempt(f"write {path}", lambda: open(path, "r+b").write(b"x"))
open("projects/new", "w").write("made")
os.makedirs("projects/a/b"); os.rename("projects/a", "projects/c"); os.rename("projects/new", "other/moved")
open("plain.txt", "a").write("more")
print(open("other/moved").read(), open("plain.txt").read())
`;

for (const level of ["full", "bwrap", "landlock"] as const) {
  const name = `no program overwrites the configuration, or a program that the server runs, at level ${level}`;
  Deno.test(needing(name, ...LEVEL[level]), async () => {
    const { sandbox, home, call } = await homeAsRoot();
    await using _ = sandbox;
    const files = { "projects/evil": "x", "other/a": "a", "plain.txt": "plain ", ".config/llmc/llmc.toml": CONFIGURED };
    for (const [path, text] of Object.entries(files)) await sandbox.write(path, text);
    const argv = ["python3", "-c", OVERWRITE, ".config/llmc/llmc.toml"];
    await call(level, "linux_fs_list", { path: "." }); // puts the programs there that the server runs
    const { stdout, stderr } = await call(level, "run_cmd", { argv });
    assert.equal(stdout, "made plain more\n", stderr);
    assert.equal(await Deno.readTextFile(`${home}/.config/llmc/llmc.toml`), CONFIGURED);
  });
}

Deno.test(needing("the operator's --config in a root is not overwritten at level landlock", LANDLOCK), async () => {
  await using sandbox = await Sandbox.make({ "etc/llmc.toml": CONFIGURED, "own/a": "a", "notes.txt": "one" });
  const args = ["--config", `${sandbox.root}/etc/llmc.toml`];
  await using peer = await StdioPeer.open(sandbox, { args, binary: TEST_BINARY, env: { LLMC_TEST_LEVEL: "landlock" } });
  const run = (script: string) => peer.call("run_cmd", { argv: ["bash", "-c", script] });
  const attack = "echo x > etc/llmc.toml; rm -f etc/llmc.toml; mv etc own/etc; mv own/a etc/llmc.toml; echo tried";
  assert.match(await run(attack), /tried/);
  assert.equal(await Deno.readTextFile(`${sandbox.root}/etc/llmc.toml`), CONFIGURED);
  // What tools put beside it afterwards is open to programs all the same.
  await peer.call("linux_fs_mkdirs", { path: "made/by/a" });
  await peer.call("linux_fs_write", { path: "made/by/a/tool.txt", content: "hello" });
  await peer.call("linux_fs_write", { path: "notes.txt", content: "two", mode: "rewrite" });
  const answer = await run("cat made/by/a/tool.txt notes.txt && echo more >> made/by/a/tool.txt && echo added");
  assert.match(answer, /hellotwo[^]*added/);
});
