/** Stored results remain available: large ones, over expiry, eviction and restarts. @module */
import assert from "node:assert/strict";
import { openSqlite } from "../../src/sys/database.ts";
import { runBinary, Sandbox } from "../support/binary.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

const HANDLE = /H_[a-z0-9]+_\w+/;
const ROUNDS = 4, PUTS_PER_ROUND = 2_500;
/** Holds some 1,800 copies of the small file: every round evicts. */
const MAX_BYTES = 64 * 1024 * 1024;
const SET = ["--set", `mcp.handles.max_bytes=${MAX_BYTES}`];

/** A file of 31 KB whose reading leaves a rest. */
const text = (number: number): string => `version ${number}\n` + `${"x".repeat(60)}\n`.repeat(510);

async function read(peer: StdioPeer, path: string): Promise<string> {
  return await peer.call("linux_fs_read", { path, max_lines: 2 });
}

function expireAll(path: string): number {
  const database = openSqlite(path);
  try {
    return Number(database.prepare("update handles set expires_ms = 1").run().changes);
  } finally {
    database.close();
  }
}

Deno.test("10,000 results are stored across expiry, eviction and restarts, and each can be read", async () => {
  await using sandbox = await Sandbox.make({ "large.txt": `${"y".repeat(99)}\n`.repeat(45_000) });
  let puts = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const peer = await StdioPeer.open(sandbox, { args: SET });
    for (let number = 0; number < PUTS_PER_ROUND; number++) {
      await Deno.writeTextFile(`${sandbox.root}/small.txt`, text(puts++));
      const answer = await read(peer, "small.txt");
      const handle = answer.match(HANDLE)?.[0];
      assert.ok(handle !== undefined, `put ${puts}: ${answer}`);
      if (number % 100 !== 0) continue;
      const again = await peer.call("linux_handle_read", { handle, offset: 0, limit: 1 });
      assert.match(again, new RegExp(`^version ${puts - 1}\n`));
    }
    // A large result pushes out some 140 small ones at once.
    const large = await read(peer, "large.txt");
    const handle = large.match(HANDLE)?.[0];
    assert.ok(handle !== undefined, large);
    assert.match(await peer.call("linux_handle_read", { handle, offset: -1, limit: 1 }), /^y{99}\n/);
    await peer[Symbol.asyncDispose]();
    assert.doesNotMatch(peer.stderr(), /cannot be (?:stored|written)|could not/);
    const expired = expireAll(`${await sandbox.storeDir()}/llmc.db`);
    assert.ok(expired > 1_000, `${expired}`);
  }
  assert.equal(puts, ROUNDS * PUTS_PER_ROUND);
});

Deno.test("a listing that many results were evicted for has a handle that can be read", async () => {
  const files = Object.fromEntries(Array.from({ length: 700 }, (_, number) => [`folder/file-${number}.txt`, ""]));
  await using sandbox = await Sandbox.make(files);
  await using peer = await StdioPeer.open(sandbox, { args: ["--set", "mcp.handles.max_bytes=1048576"] });
  for (let number = 0; number < 100; number++) {
    await Deno.writeTextFile(`${sandbox.root}/small.txt`, text(number));
    await read(peer, "small.txt");
  }
  const handle = (await peer.call("linux_fs_list", { path: "folder", max_entries: 5 })).match(HANDLE)?.[0];
  assert.ok(handle !== undefined);
  assert.match(await peer.call("linux_handle_read", { handle, limit: 1 }), /file-0\.txt\n\[lines 1-1 of 700/);
});

Deno.test("a result that cannot be stored is told in the answer, logged, counted, and shown by doctor", async () => {
  await using sandbox = await Sandbox.make();
  const peer = await StdioPeer.open(sandbox);
  await Deno.writeTextFile(`${sandbox.root}/small.txt`, text(0));
  assert.match(await read(peer, "small.txt"), HANDLE);
  const path = `${await sandbox.storeDir()}/llmc.db`;
  const database = openSqlite(path);
  database.exec("create trigger refuse before insert on handles begin select raise(abort, 'the disk is full'); end");
  await Deno.writeTextFile(`${sandbox.root}/small.txt`, text(1));
  const answer = await read(peer, "small.txt");
  assert.match(answer, /^version 1\n/);
  assert.match(answer, /\[what is not shown was not stored: .*the disk is full\]$/);
  const metrics = JSON.parse(await peer.call("get_metrics", {}));
  assert.equal(metrics.store_failures, 1);
  const args = ["doctor", "--json", "--root", sandbox.root, "--set", "mcp.server.port=0"];
  const doctor = async () => {
    const { stdout } = await runBinary(args, { env: sandbox.env, cwd: `${sandbox.dir}/home` });
    const findings: { name: string; state: string; detail: string }[] = JSON.parse(stdout).findings;
    return findings.filter(({ name }) => name === "handles").map(({ state, detail }) => `${state}: ${detail}`);
  };
  assert.match((await doctor()).join("\n"), /^bad: no result can be stored: .*the disk is full/);
  database.exec("drop trigger refuse");
  database.close();
  assert.match(
    (await doctor()).join("\n"),
    /^ok: \d+ stored.*\nwarn: results could not be stored: \d+ until .*the disk is full/,
  );
  await peer[Symbol.asyncDispose]();
  assert.match(peer.stderr(), /results cannot be stored, 1 lost so far: .*the disk is full/);
});
