/** Attempts to leave the roots through the executable, at every level of confinement. @module */
import assert from "node:assert/strict";
import { startStdio } from "../../bench/security/stdio_server.ts";
import { runBinary, Sandbox, TEST_BINARY } from "../support/binary.ts";
import { BUBBLEWRAP, LEVEL, needing } from "../support/needs.ts";

const SECRET = "canary-7f3a";

/** A root with links that point outside, and a secret beside it. */
async function trap(): Promise<Sandbox> {
  const sandbox = await Sandbox.make({ "inside.txt": "inside\n" });
  await Deno.writeTextFile(`${sandbox.dir}/secret.txt`, `${SECRET}\n`);
  await Deno.mkdir(`${sandbox.dir}/outside`);
  await Deno.writeTextFile(`${sandbox.dir}/outside/secret.txt`, `${SECRET}\n`);
  await Deno.symlink(`${sandbox.dir}/secret.txt`, `${sandbox.root}/link.txt`);
  await Deno.symlink(`${sandbox.dir}/outside`, `${sandbox.root}/linkdir`);
  await Deno.symlink(`${sandbox.dir}/not-yet.txt`, `${sandbox.root}/dangling.txt`);
  return sandbox;
}

function tool(sandbox: Sandbox, level: string, name: string, args: Record<string, unknown>) {
  const pairs = Object.entries(args).map(([key, value]) =>
    `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`
  );
  return runBinary(["tool", name, ...pairs, "--json", "--root", sandbox.root], {
    env: { ...sandbox.env, LLMC_TEST_LEVEL: level },
    binary: TEST_BINARY,
  });
}

for (const level of ["full", "landlock"] as const) {
  Deno.test(needing(`a shell sees nothing outside the root at level ${level}`, ...LEVEL[level]), async () => {
    await using sandbox = await trap();
    await Deno.mkdir(`${sandbox.env.HOME}/.ssh`);
    await Deno.writeTextFile(`${sandbox.env.HOME}/.ssh/id_rsa`, SECRET);
    const places = `/etc/shadow ${sandbox.env.HOME}/.ssh/id_rsa ../secret.txt link.txt linkdir/secret.txt`;
    // Through a variable, so that it is the kernel that has to refuse, not the gate.
    const script = `for f in ${places}; do cat "$f"; done; d=..; ls "$d"; d=${sandbox.dir}/outside; ls "$d"; echo done`;
    const { stdout } = await tool(sandbox, level, "run_cmd", { argv: ["bash", "-c", script] });
    const result = JSON.parse(stdout);
    assert.match(result.stdout, /done/, stdout);
    assert.equal(result.confinement, level === "full" ? "bwrap" : "landlock");
    for (const leaked of [SECRET, "root:", "outside\n", "secret.txt\n"]) {
      assert.ok(!result.stdout.includes(leaked), `${leaked} in ${result.stdout}`);
    }
  });
}

for (const level of ["full", "landlock", "bwrap", "none"] as const) {
  Deno.test(needing(`no tool follows a link out of the root at level ${level}`, ...LEVEL[level]), async () => {
    await using sandbox = await trap();
    const attempts: [string, Record<string, unknown>][] = [
      ["linux_fs_read", { path: "link.txt" }],
      ["linux_fs_read", { path: "linkdir/secret.txt" }],
      ["linux_fs_read", { path: `${sandbox.dir}/secret.txt` }],
      ["linux_fs_read", { path: "../secret.txt" }],
      ["linux_fs_list", { path: "linkdir" }],
      ["linux_fs_list", { path: ".." }],
      ["linux_fs_write", { path: "link.txt", content: "overwritten" }],
      ["linux_fs_write", { path: "linkdir/new.txt", content: "made" }],
      ["linux_fs_write", { path: "dangling.txt", content: "made" }],
      ["linux_search_content", { root: "linkdir", pattern: SECRET }],
      ["linux_search_content", { root: "..", pattern: SECRET }],
    ];
    await using server = await startStdio({
      program: TEST_BINARY,
      args: ["stdio", "--root", sandbox.root],
      env: { ...sandbox.env, LLMC_TEST_LEVEL: level },
    });
    for (const [name, args] of attempts) {
      const { isError, text } = await server.call(name, args);
      assert.ok(isError && text.startsWith("INVALID_PATH: "), `${name} ${JSON.stringify(args)}: ${text}`);
    }
    const { text } = await server.call("linux_search_content", { root: ".", pattern: SECRET });
    assert.match(text, /^\[no hits for /, "a search of the root does not follow links");
    assert.equal(await Deno.readTextFile(`${sandbox.dir}/secret.txt`), `${SECRET}\n`);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(`${sandbox.dir}/outside`), ({ name }) => name), ["secret.txt"]);
    await assert.rejects(Deno.lstat(`${sandbox.dir}/not-yet.txt`), Deno.errors.NotFound);
  });
}

Deno.test(
  needing("a home directory as root keeps the server's own files from tools and children", BUBBLEWRAP),
  async () => {
    await using sandbox = await Sandbox.make();
    const home = sandbox.root, state = `${home}/.local/state`;
    const env = { ...sandbox.env, HOME: home, XDG_STATE_HOME: state };
    const call = (name: string, ...pairs: string[]) =>
      runBinary(["tool", name, ...pairs, "--json", "--root", home], { env });
    assert.equal((await call("linux_fs_list", "path=.")).code, 0);
    const names = await Array.fromAsync(Deno.readDir(`${state}/llmc-mcp`), ({ name }) => name);
    const store = names.find((name) => name.startsWith("store-"));
    const database = `${state}/llmc-mcp/${store}/llmc.db`;
    await Deno.stat(database);
    for (const path of [database, `${state}/llmc-mcp`]) {
      const refused = await call("linux_fs_read", `path=${path}`);
      assert.equal(JSON.parse(refused.stdout).code, "INVALID_PATH", refused.stdout);
    }
    const child = JSON.parse((await call("run_cmd", `command=ls -A ${state}/llmc-mcp`)).stdout);
    assert.equal(child.stdout, "bin\nhome\n", "of the data directory children see their own home and programs");
  },
);
