/** Every step of every change fails once: the tree must be as before or as wanted, and never hold anything else. */
import assert from "node:assert/strict";
import { OpsError } from "../../../src/core/error.ts";
import { type Changes, makeWriter, type Step } from "../../../src/sys/writer/writer.ts";
import { failingDisk, type Fault, NEEDS_SPACE } from "../../support/failing_disk.ts";
import { type TempTree, tempTree } from "../../support/temp_tree.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

interface Scenario {
  readonly files: Readonly<Record<string, string>>;
  /** Further set-up. */
  readonly prepare?: (tree: TempTree) => Promise<void>;
  readonly change: (files: Changes, tree: TempTree) => Promise<unknown>;
  readonly backupsBeside?: boolean;
}

/** The data directory is the server's own: only what it holds for good counts, and only after a failure. */
const visible = (snapshot: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(snapshot).filter(([name]) => !/^data(\/|$)/.test(name)));
const backedUp = (snapshot: Readonly<Record<string, string>>) =>
  Object.entries(snapshot).filter(([name, what]) => name.startsWith("data/") && !what.startsWith("dir"));

async function attempt({ files, prepare, change, backupsBeside = false }: Scenario, fault: Fault | undefined) {
  await using tree = await tempTree({ "data/": "", ...files });
  await prepare?.(tree);
  const { ops, calls } = failingDisk(fault);
  const writer = makeWriter({ kept: [tree.root], dataDir: tree.path("data"), backupsBeside, ops });
  const before = await tree.snapshot();
  const error: unknown = await writer.change([tree.root], (held) => change(held, tree)).then(
    () => null,
    (error) => error,
  );
  return { before, after: await tree.snapshot(), error, calls };
}

/** Fails every call in turn, once per kind of error. */
async function failEverywhere(scenario: Scenario): Promise<void> {
  const good = await attempt(scenario, undefined);
  assert.equal(good.error, null);
  const faults = good.calls.flatMap((name, index): Fault[] => [
    ...["EIO", "EACCES"].map((errno) => ({ at: index + 1, errno })),
    ...(["rename", "link"].includes(name)
      ? [{ at: index + 1, errno: "EXDEV" }, { at: index + 1, errno: "EPERM" }]
      : []),
    ...(NEEDS_SPACE.includes(name) ? [{ at: index + 1, errno: "ENOSPC", sticky: true }] : []),
  ]);
  let failures = 0;
  for (const fault of faults) {
    const { before, after, error } = await attempt(scenario, fault);
    const where = `${fault.errno} at call ${fault.at} (${good.calls[fault.at - 1]})`;
    if (error === null) {
      assert.deepEqual(visible(after), visible(good.after), where);
      continue;
    }
    failures++;
    assert(error instanceof OpsError, `${where}: ${error}`);
    assert.deepEqual(visible(after), visible(before), where);
    assert.deepEqual(backedUp(after), [], where);
  }
  assert(failures > 5, "the faults must have been felt");
}

Deno.test("write leaves the old or the new content whichever step fails", () =>
  failEverywhere({
    files: { "a": "the old content" },
    change: (files, tree) => files.write(tree.path("a"), bytes("new")),
  }));

Deno.test("write in place leaves the old or the new content whichever step fails, longer and shorter", async () => {
  for (const content of ["short", "a very much longer content than the old one was"]) {
    await failEverywhere({
      files: { "a": "the old content" },
      prepare: (tree) => Deno.link(tree.path("a"), tree.path("b")),
      change: (files, tree) => files.write(tree.path("a"), bytes(content)),
    });
  }
});

Deno.test("create and append leave all or nothing whichever step fails", async () => {
  await failEverywhere({ files: {}, change: (files, tree) => files.create(tree.path("a"), bytes("new content")) });
  await failEverywhere({ files: {}, change: (files, tree) => files.write(tree.path("a"), bytes("new content")) });
  await failEverywhere({ files: {}, change: (files, tree) => files.append(tree.path("a"), bytes("new content")) });
  await failEverywhere({
    files: { "a": "old" },
    change: (files, tree) => files.append(tree.path("a"), bytes("new content")),
  });
});

Deno.test("makeDirectories leaves all or none whichever step fails", () =>
  failEverywhere({ files: {}, change: (files, tree) => files.makeDirectories(tree.path("x/y/z")) }));

Deno.test("move leaves the entry at one of its two places whichever step fails", async () => {
  await failEverywhere({
    files: { "a": "content" },
    change: (files, tree) => files.move(tree.path("a"), tree.path("b")),
  });
  await failEverywhere({
    files: { "a": "content", "b": "old" },
    change: (files, tree) => files.move(tree.path("a"), tree.path("b"), { overwrite: true }),
  });
  await failEverywhere({ files: { "d/a": "1" }, change: (files, tree) => files.move(tree.path("d"), tree.path("e")) });
});

const steps = (tree: TempTree): readonly Step[] => [
  { do: "write", path: tree.path("plain"), data: bytes("plain, changed") },
  { do: "write", path: tree.path("linked"), data: bytes("linked, changed and longer than before") },
  { do: "create", path: tree.path("deep/er/new"), data: bytes("new"), mode: 0o755 },
  { do: "move", source: tree.path("moved"), path: tree.path("other/moved") },
  { do: "move", source: tree.path("rewritten"), path: tree.path("other/rewritten"), data: bytes("rewritten, changed") },
  { do: "remove", path: tree.path("gone") },
  { do: "mode", path: tree.path("script"), mode: 0o755 },
];

const several = {
  plain: "plain",
  linked: "linked",
  moved: "moved",
  rewritten: "rewritten",
  gone: "gone",
  script: "script",
};

Deno.test("commit does all steps or none whichever step fails", () =>
  failEverywhere({
    files: several,
    prepare: (tree) => Deno.link(tree.path("linked"), tree.path("linked2")),
    change: (files, tree) => files.commit(steps(tree)),
  }));

Deno.test("commit with backups beside the files does all steps or none whichever step fails", () =>
  failEverywhere({
    files: several,
    prepare: (tree) => Deno.link(tree.path("linked"), tree.path("linked2")),
    change: (files, tree) => files.commit(steps(tree)),
    backupsBeside: true,
  }));

Deno.test("commit does all steps or none where there are no hard links", async () => {
  for (let at = 1; at < 60; at++) {
    const scenario: Scenario = { files: several, change: (files, tree) => files.commit(steps(tree)) };
    await using tree = await tempTree({ "data/": "", ...several });
    const { ops } = failingDisk({ at, errno: "EIO", only: ["rename", "remove", "write", "grow", "create", "chmod"] });
    const link = () => Promise.reject(Object.assign(new Error("no links"), { code: "EPERM" }));
    const writer = makeWriter({ kept: [], dataDir: tree.path("data"), backupsBeside: false, ops: { ...ops, link } });
    const before = await tree.snapshot();
    const error = await writer.change([tree.root], (held) => scenario.change(held, tree)).then(
      () => null,
      (error) => error,
    );
    if (error !== null) assert.deepEqual(visible(await tree.snapshot()), visible(before), `call ${at}`);
  }
});

Deno.test("commit keeps the old contents of what it changes", async () => {
  await using tree = await tempTree({ "data/": "", ...several });
  const writer = makeWriter({ kept: [], dataDir: tree.path("data"), backupsBeside: false });
  const { backups } = await writer.change([tree.root], (files) => files.commit(steps(tree)));
  const kept = await Promise.all(backups.map((path) => Deno.readTextFile(path)));
  assert.deepEqual(kept.sort(), ["gone", "linked", "plain", "rewritten"]);
  for (const path of backups) assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
});

Deno.test("what cannot be put back is said, with the place of the backups", async () => {
  await using tree = await tempTree({ "data/": "", a: "a", b: "b" });
  const { ops } = failingDisk();
  let renames = 0;
  // The second exchange fails, and from then on every rename does.
  const rename = (from: string, to: string) =>
    ++renames > 1 ? Promise.reject(Object.assign(new Error("broken"), { code: "EIO" })) : ops.rename(from, to);
  const writer = makeWriter({ kept: [], dataDir: tree.path("data"), backupsBeside: false, ops: { ...ops, rename } });
  const commit = writer.change([tree.root], (files) =>
    files.commit([
      { do: "write", path: tree.path("a"), data: bytes("changed") },
      { do: "write", path: tree.path("b"), data: bytes("changed") },
    ]));
  await assert.rejects(commit, (error: OpsError) => {
    assert.equal(error.code, "WRITE_FAILED");
    assert.match(error.message, /not everything could be put back/);
    assert.match(error.hint, /data\/backups\//);
    return true;
  });
});

Deno.test("a full disk, a used up quota, a read-only file system and a refusal are named", async () => {
  const cases = {
    ENOSPC: /disk is full/,
    EDQUOT: /quota/,
    EROFS: /read-only/,
    EACCES: /cannot be changed/,
    EAGAIN: /try again/,
    ENXIO: /pipe/,
  };
  for (const [errno, message] of Object.entries(cases)) {
    const scenario: Scenario = { files: {}, change: (files, tree) => files.write(tree.path("a"), bytes("new")) };
    const { error } = await attempt(scenario, { at: 1, errno, only: ["create"] });
    assert.match(String(error), message);
  }
});
