import assert from "node:assert/strict";
import { OpsError } from "../../src/core/error.ts";
import { makePathGuard, type PathGuard } from "../../src/roots/path_guard.ts";
import { tempTree } from "../support/temp_tree.ts";

/** The code and the text of the refusal. */
async function refused(asked: Promise<string>): Promise<string> {
  const error = await asked.then((path) => path, (reason) => reason);
  assert.ok(error instanceof OpsError, `admitted: ${error}`);
  return `${error.code}: ${error.message} ${error.hint}`;
}

/** A root with files and links, something beside it, and a folder of the server's own in it. */
async function guarded() {
  const tree = await tempTree({
    "root/a.txt": "a",
    "root/sub/b.txt": "b",
    "root/own/key": "k",
    "root/own-not/c.txt": "c",
    "root-beside/d.txt": "d",
    "outside/secret": "s",
  });
  const root = tree.path("root");
  const links = { in: "sub/b.txt", out: "../outside/secret", "out-dir": "../outside", absolute: `${root}/sub` };
  for (const [name, target] of Object.entries(links)) await Deno.symlink(target, `${root}/${name}`);
  const guard = makePathGuard({ roots: [root], homeDir: `${root}/sub`, protectedPaths: [`${root}/own`] });
  return { tree, root, guard, [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose]() };
}

Deno.test("guard: what is typed becomes a real path in the root", async () => {
  await using place = await guarded();
  const { guard, root } = place;
  for (
    const [typed, expected] of [
      ["a.txt", "a.txt"],
      ["./sub//b.txt", "sub/b.txt"],
      ["sub/../a.txt", "a.txt"],
      ["sub/.", "sub"],
      [`${root}/a.txt`, "a.txt"],
      ["~/b.txt", "sub/b.txt"],
      ["~", "sub"],
      ["in", "sub/b.txt"],
      ["absolute/b.txt", "sub/b.txt"],
      ["own-not/c.txt", "own-not/c.txt"],
    ] as const
  ) {
    assert.equal(await guard.existing(typed), `${root}/${expected}`, typed);
    assert.equal(await guard.target(typed), `${root}/${expected}`, typed);
  }
  for (const typed of [".", "", "/", "sub/.."].filter((each) => each !== "/")) {
    assert.equal(await guard.existing(typed), root, typed);
  }
  assert.equal(guard.roots[0], root);
});

Deno.test("guard: what lies outside is refused, also through links, and also when it does not exist", async () => {
  await using place = await guarded();
  const { guard, root, tree } = place;
  const outside = [
    "..",
    "../outside/secret",
    "out",
    "out-dir",
    "out-dir/secret",
    "out-dir/missing",
    `${root}-beside/d.txt`,
    `${root}-beside`,
    "/",
    "/etc/passwd",
    "/missing/x",
    tree.path("outside/secret/below"),
    `${"../".repeat(40)}etc/passwd`,
  ];
  for (const typed of outside) {
    for (const ask of [guard.existing, guard.target]) {
      const text = await refused(ask(typed));
      assert.match(text, /^INVALID_PATH: '.*' is outside the allowed roots Allowed: /, typed);
      assert.ok(text.endsWith(`Allowed: ${root}`), text);
    }
  }
  assert.match(await refused(guard.entry("out-dir/secret")), /outside/);
  assert.match(await refused(guard.entry("/")), /outside/);
  assert.match(await refused(guard.entry("..")), /outside/);
});

Deno.test("guard: an entry is itself, not what it links to", async () => {
  await using place = await guarded();
  const { guard, root } = place;
  assert.equal(await guard.entry("out"), `${root}/out`);
  assert.equal(await guard.entry("absolute/b.txt"), `${root}/sub/b.txt`);
  assert.equal(await guard.entry("new/deep"), `${root}/new/deep`);
  assert.equal(await guard.removable("out"), `${root}/out`);
  assert.equal(await guard.removable("sub"), `${root}/sub`);
});

Deno.test("guard: roots, what holds one, and what holds the server's files cannot be removed", async () => {
  await using tree = await tempTree({ "root/inner/x": "x", "root/own/key": "k", "root/plain/y": "y" });
  const root = tree.path("root");
  const guard = makePathGuard({
    roots: [root, `${root}/inner/deep`],
    homeDir: "/",
    protectedPaths: [`${root}/own/state`],
  });
  for (const typed of [".", "inner", "inner/deep", "own"]) {
    assert.match(await refused(guard.removable(typed)), /INVALID_PATH: '.*' cannot be moved or deleted/, typed);
  }
  for (const typed of ["plain", "inner/x", "own/key", "inner/deep/er"]) {
    assert.equal(await guard.removable(typed), `${root}/${typed}`);
  }
  assert.match(await refused(guard.removable("own/state")), /belongs to this server/);
});

Deno.test("guard: the server's own files are closed, by whatever name", async () => {
  await using place = await guarded();
  const { guard, root } = place;
  await Deno.symlink("own", `${root}/by-link`);
  for (const typed of ["own", "own/key", "own/new", "by-link/key", "by-link/new", `${root}/own`]) {
    assert.match(await refused(guard.target(typed)), /^INVALID_PATH: '.*' belongs to this server/, typed);
  }
  assert.match(await refused(guard.existing("own/key")), /belongs to this server/);
  assert.match(await refused(guard.entry("own/key")), /belongs to this server/);
});

Deno.test("guard: what the kernel computes is no file, not even under the root /", async () => {
  const guard = makePathGuard({ roots: ["/"], homeDir: "/root", protectedPaths: [] });
  for (
    const typed of ["/proc", "/proc/self/status", "/sys", "/sys/kernel", "/dev", "/dev/null", "proc/self", "/dev/new"]
  ) {
    assert.match(await refused(guard.target(typed)), /^INVALID_PATH: '.*' is not in a regular file system/, typed);
  }
  assert.equal(await guard.target("/procedure"), "/procedure");
  assert.equal(await guard.target("/"), "/");
  assert.equal(await guard.entry("/"), "/");
  assert.equal(await guard.entry("/etc"), "/etc");
  assert.match(await refused(guard.removable("/")), /cannot be moved/);
  assert.equal(guard.display("/etc"), "/etc");
});

Deno.test("guard: what is not there, is a file, loops or may not be reached has a code of its own", async () => {
  await using place = await guarded();
  const { guard, root } = place;
  await Deno.symlink("loop", `${root}/loop`);
  await Deno.symlink("not/there", `${root}/dangling`);
  assert.match(await refused(guard.existing("missing")), /^NOT_FOUND: 'missing' does not exist/);
  assert.match(await refused(guard.existing("missing/deep")), /^NOT_FOUND/);
  assert.match(await refused(guard.existing("dangling")), /^NOT_FOUND/);
  assert.match(await refused(guard.existing("a.txt/below")), /^NOT_A_DIRECTORY: a part of 'a.txt\/below' is a file/);
  assert.match(await refused(guard.target("a.txt/below")), /^NOT_A_DIRECTORY/);
  for (const ask of [guard.existing, guard.target]) {
    assert.match(await refused(ask("loop")), /^INVALID_PATH: 'loop' is a symbolic link loop/);
  }
  assert.match(await refused(guard.existing("a\0b")), /^INVALID_PATH: the path contains a NUL byte/);
});

Deno.test("guard: a link to nothing is followed to where a write would land", async () => {
  await using place = await guarded();
  const { guard, root, tree } = place;
  await Deno.symlink("sub/new", `${root}/to-new`);
  await Deno.symlink(`${root}/sub/other`, `${root}/to-other`);
  await Deno.symlink("to-new", `${root}/twice`);
  await Deno.symlink("../new", `${root}/sub/up`);
  await Deno.symlink(tree.path("outside/new"), `${root}/to-outside`);
  await Deno.symlink("../outside/new", `${root}/to-beside`);
  assert.equal(await guard.target("to-new"), `${root}/sub/new`);
  assert.equal(await guard.target("to-other"), `${root}/sub/other`);
  assert.equal(await guard.target("twice"), `${root}/sub/new`);
  assert.equal(await guard.target("sub/up"), `${root}/new`);
  assert.equal(await guard.target("to-new/below"), `${root}/sub/new/below`);
  for (const typed of ["to-outside", "to-beside"]) {
    for (const ask of [guard.existing, guard.target]) assert.match(await refused(ask(typed)), /outside/, typed);
    assert.equal(await guard.entry(typed), `${root}/${typed}`);
  }
});

Deno.test("guard: as many links to nothing are followed as the kernel follows", async () => {
  await using place = await guarded();
  const { guard, root } = place;
  const chain = async (name: string, links: number) => {
    for (let index = 0; index < links; index++) {
      await Deno.symlink(index + 1 < links ? `${name}${index + 1}` : `${name}-end`, `${root}/${name}${index}`);
    }
  };
  await chain("fits", 40);
  await chain("long", 41);
  assert.equal(await guard.target("fits0"), `${root}/fits-end`);
  assert.equal(await guard.target("fits0/x"), `${root}/fits-end/x`);
  assert.equal(await guard.entry("fits0/x"), `${root}/fits-end/x`);
  assert.match(await refused(guard.target("long0")), /^INVALID_PATH: 'long0' is a symbolic link loop/);
});

Deno.test("guard: a path has at most 4,096 bytes, a name at most 255, counted as the kernel counts", async () => {
  await using place = await guarded();
  const { guard, root } = place;
  for (const name of ["x".repeat(255), "ä".repeat(127)]) {
    assert.equal(await guard.target(name), `${root}/${name}`);
    assert.match(await refused(guard.existing(name)), /^NOT_FOUND/);
  }
  for (const name of ["x".repeat(256), "ä".repeat(128), `sub/${"😀".repeat(64)}`]) {
    assert.match(await refused(guard.target(name)), /^INVALID_PATH: '.*…' is too long .*255/);
  }
  const long = (bytes: number) => `x/${"y/".repeat(bytes)}`.slice(0, bytes - root.length - 2) + "z";
  assert.equal(`${root}/${long(4096)}`.length, 4096);
  assert.match(await refused(guard.target(long(4097))), /^INVALID_PATH: '.*…' is too long .*4096/);
  assert.match(await refused(guard.existing(long(4096))), /^NOT_FOUND/);
  // What a link leads to is measured by the kernel.
  await Deno.symlink("n".repeat(300), `${root}/to-long`);
  assert.match(
    await refused(guard.existing("to-long")),
    /^INVALID_PATH: 'to-long…' is too long A path has at most 4096/,
  );
});

Deno.test("guard: paths are shown from the only root, else whole", () => {
  const one = makePathGuard({ roots: ["/data"], homeDir: "/h", protectedPaths: [] });
  const two = makePathGuard({ roots: ["/data", "/more"], homeDir: "/h", protectedPaths: [] });
  const all = makePathGuard({ roots: ["/"], homeDir: "/h", protectedPaths: [] });
  const none = makePathGuard({ roots: [], homeDir: "/h", protectedPaths: [] });
  assert.deepEqual(["/data", "/data/a/b", "/data2/a", "/x"].map(one.display), [".", "a/b", "/data2/a", "/x"]);
  for (const guard of [two, all, none]) {
    assert.deepEqual(["/data", "/data/a"].map(guard.display), ["/data", "/data/a"]);
  }
});

Deno.test("guard: without roots nothing is allowed, and of many roots five are named", async () => {
  const ask = (guard: PathGuard) => refused(guard.target("/nowhere"));
  assert.match(
    await ask(makePathGuard({ roots: [], homeDir: "/h", protectedPaths: [] })),
    /^INVALID_PATH: no allowed roots are set .*--root DIR/,
  );
  const named = (count: number) =>
    ask(makePathGuard({
      roots: Array.from({ length: count }, (_, index) => `/r${index}`),
      homeDir: "/h",
      protectedPaths: [],
    }));
  assert.ok((await named(5)).endsWith("Allowed: /r0, /r1, /r2, /r3, /r4"));
  assert.ok((await named(7)).endsWith("Allowed: /r0, /r1, /r2, /r3, /r4, and 2 more"));
});

Deno.test({
  name: "guard: what the server's own permissions do not hold is denied, not missing",
  permissions: { read: ["/usr"] },
  async fn() {
    const guard = makePathGuard({ roots: ["/etc"], homeDir: "/h", protectedPaths: [] });
    assert.match(await refused(guard.existing("passwd")), /^PERMISSION_DENIED: '\/etc\/passwd' cannot be reached/);
    assert.match(await refused(guard.target("passwd")), /^PERMISSION_DENIED/);
  },
});

Deno.test("guard: a mistyped name is answered with the one that is there, and never with what is hidden", async () => {
  await using tree = await tempTree({
    "src/slow.py": "",
    "src/other.txt": "",
    "lib/deep/util.ts": "",
    "a/x.ts": "",
    "b/x.ts": "",
  });
  const guard = makePathGuard({ roots: [tree.root], homeDir: "/", protectedPaths: [`${tree.root}/src/other.txt`] });
  const hintOf = async (path: string): Promise<string> => {
    const error: unknown = await guard.existing(path).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof OpsError && error.code === "NOT_FOUND", path);
    return error.hint;
  };
  assert.equal(await hintOf("src/slwo.py"), "Did you mean src/slow.py?");
  assert.equal(await hintOf("scr/slow.py"), "Did you mean src/slow.py?");
  assert.equal(await hintOf("lib/dep/util.ts"), "Did you mean lib/deep/util.ts?");
  assert.equal(await hintOf("lib/dep/utli.ts"), "Did you mean lib/deep/util.ts?");
  assert.equal(await hintOf("lib/dep/more"), "Did you mean lib/deep?");
  assert.equal(await hintOf("slow.py"), "Did you mean src/slow.py?");
  assert.equal(await hintOf("elsewhere/deep/util.ts"), "Did you mean lib/deep/util.ts?");
  assert.doesNotMatch(await hintOf("x.ts"), /Did you mean/); // two files have that name
  assert.doesNotMatch(await hintOf("other.txt"), /Did you mean/);
  assert.doesNotMatch(await hintOf("src/othr.txt"), /Did you mean/);
  assert.doesNotMatch(await hintOf("src/nothing-alike"), /Did you mean/);
});

Deno.test("guard: a path in the quotes of a listing is the one that it shows, inside the roots only", async () => {
  await using tree = await tempTree({ "root/tab\tname": "", 'root/d"/ edge ': "", "outside/tab\tname": "" });
  const root = tree.path("root"), guard = makePathGuard({ roots: [root], homeDir: root, protectedPaths: [] });
  await Deno.symlink("../outside", `${root}/link`);
  for (const [typed, real] of [['"tab\\tname"', "tab\tname"], ['"d\\""/" edge "', 'd"/ edge ']] as const) {
    for (const way of ["existing", "target", "entry", "removable"] as const) {
      assert.equal(await guard[way](typed), `${root}/${real}`, `${way} ${typed}`);
    }
  }
  assert.equal(await guard.target('"new\\tname"'), `${root}/"new\\tname"`, "a new file is named as it is typed");
  for (const typed of ['"link/tab\\tname"', `"${tree.path("outside")}/tab\\tname"`]) {
    assert.match(await refused(guard.existing(typed)), /^(?:NOT_FOUND|INVALID_PATH): .*does not exist|outside/);
  }
  assert.match(await refused(guard.existing('"tab\\tnone"')), /^NOT_FOUND/);
});

Deno.test("guard: what looks like the typed name is taken where it is the only one, else all are named", async () => {
  await using tree = await tempTree({
    "root/a\u00a0b/c\u2013d": "",
    "root/two\u00a0x": "",
    "root/two\u202fx": "",
    "root/x\u00a0y/f": "",
    "root/x\u202fy/f": "",
    "root/so\u00adft": "",
  });
  const root = tree.path("root"), guard = makePathGuard({ roots: [root], homeDir: root, protectedPaths: [] });
  for (const way of ["existing", "entry", "removable"] as const) {
    assert.equal(await guard[way]("a b/c-d"), `${root}/a\u00a0b/c\u2013d`);
    assert.equal(await guard[way]("soft"), `${root}/so\u00adft`);
  }
  const named = await refused(guard.existing("two x"));
  assert.match(named, /^NOT_FOUND: 'two x' does not exist 2 names look like it: /);
  assert.deepEqual(named.match(/two\\u\w{4}x/g)?.sort(), ["two\\u00a0x", "two\\u202fx"]);
  assert.match(await refused(guard.existing("x y/f")), /^NOT_FOUND/);
  assert.equal(await guard.entry("two x"), `${root}/two x`, "of two that look like it none is taken");
});

Deno.test("guard: a name that is not UTF-8 is refused with what can be done, whatever is asked", async () => {
  await using place = await guarded();
  for (const way of ["existing", "target", "removable"] as const) {
    assert.match(
      await refused(place.guard[way]('"caf\\xe9.txt"')),
      /^INVALID_PATH: .*is not UTF-8.*rename it first/,
      way,
    );
  }
});
