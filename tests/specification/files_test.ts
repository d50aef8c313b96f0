/** Phase L1 (files), row by row. @module */
import assert from "node:assert/strict";
import { specification } from "./table.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");
const FILES = {
  "small.txt": "alpha\nbeta\n",
  "big.txt": numbered(3_000),
  "src/a.py": "def a():\n    return 1  # TODO\n",
  "src/b.txt": "TODO later\n",
  ".hidden": "x\n",
  ...Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`many/f${at}.txt`, `needle ${at}\n`])),
};
type Entry = { readonly path: string; readonly type: string };

/** Why a number beyond its bound is not refused. */
const CLAMPED = "the bound is used and the answer says so, which saves the second call";

specification("Phase L1: files", { files: FILES }, [
  ["001-R1", "fs_read reads a file in the roots", async ({ ok }) => {
    assert.equal((await ok("linux.fs_read", { path: "small.txt" })).content, "alpha\nbeta");
  }],
  ["001-R2", "offset_lines and max_lines", async ({ ok }) => {
    const { content } = await ok("linux.fs_read", { path: "big.txt", offset_lines: 10, max_lines: 2 });
    assert.equal(content, "line 11\nline 12");
  }],
  ["001-R2a", "max_lines is 1 to 2000, else INVALID_ARGUMENT", async ({ ok }) => {
    const { meta, warnings } = await ok("linux.fs_read", { path: "big.txt", max_lines: 0 });
    assert.deepEqual([meta.returned_lines, warnings], [1, ["max_lines: 1 in place of 0, its bound"]]);
  }, CLAMPED],
  ["001-R2b", "max_lines 2000 gives 2000 lines", async ({ ok }) => {
    const { meta, handle } = await ok("linux.fs_read", { path: "big.txt", max_lines: 2_000 });
    assert.deepEqual([meta.returned_lines < 2_000, meta.truncated, typeof handle], [true, true, "string"]);
  }, "mcp.tools.result_tokens bounds every result; returned_lines says how many there are, a handle has the rest"],
  ["001-R2c", "a negative offset counts from the end", async ({ ok }) => {
    assert.equal((await ok("linux.fs_read", { path: "big.txt", offset_lines: -1 })).content, "line 3000");
  }],
  ["001-R3", "a handle for the rest", async ({ ok }) => {
    const { handle, meta } = await ok("linux.fs_read", { path: "big.txt" });
    const { content } = await ok("linux.handle_read", { handle, offset: meta.returned_lines, limit: 1 });
    assert.equal(content.trim(), `line ${meta.returned_lines + 1}`);
  }],
  ["001-4.1", "content, handle, and meta with path, total_lines, truncated", async ({ ok }) => {
    const { meta: { path, total_lines, truncated }, handle } = await ok("linux.fs_read", { path: "small.txt" });
    assert.deepEqual([path, total_lines, truncated, handle], ["small.txt", 2, false, null]);
  }],
  ["001-4.1-path", "meta.path is absolute", async ({ sandbox, ok }) => {
    assert.equal((await ok("linux.fs_read", { path: `${sandbox.root}/small.txt` })).meta.path, "small.txt");
  }, "a path from the root costs fewer tokens, and every tool takes it"],
  ["001-4.1-lean", "over MCP the same structure", async ({ text }) => {
    assert.equal(await text("linux.fs_read", { path: "small.txt" }), "alpha\nbeta");
  }, "compact text is the purpose of the product; result_format=json and POST /tool give the structure"],
  ["001-4.1-large", "OUTPUT_TOO_LARGE for a file over 10 MB", async ({ sandbox, ok }) => {
    await sandbox.write("huge.txt", "one line of a huge file\n".repeat(500_000));
    const { content } = await ok("linux.fs_read", { path: "huge.txt", offset_lines: 400_000, max_lines: 1 });
    assert.equal(content, "one line of a huge file");
  }, "a window of a file of any size is read at once, so there is nothing to refuse"],
  ["001-4.1-err", "outside the roots", async ({ refused }) => {
    assert.equal(await refused("linux.fs_read", { path: "/etc/passwd" }), "INVALID_PATH");
  }],
  ["001-4.1-err2", "not there", async ({ refused }) => {
    assert.equal(await refused("linux.fs_read", { path: "nope" }), "NOT_FOUND");
  }],
  ["001-R4", "fs_write rewrites and appends", async ({ ok }) => {
    await ok("linux.fs_write", { path: "w.txt", content: "a" });
    await ok("linux.fs_write", { path: "w.txt", content: "b", mode: "append" });
    assert.equal((await ok("linux.fs_read", { path: "w.txt" })).content, "ab");
  }],
  ["001-R4a", "fs_write refuses another mode", async ({ refused }) => {
    assert.equal(await refused("linux.fs_write", { path: "w.txt", content: "a", mode: "bogus" }), "INVALID_ARGUMENT");
  }],
  ["001-R5", "expected_sha256 that does not fit", async ({ refused }) => {
    const call = { path: "small.txt", content: "x", expected_sha256: "0".repeat(64) };
    assert.equal(await refused("linux.fs_write", call), "SHA_MISMATCH");
  }],
  ["001-R5a", "expected_sha256 that fits", async ({ ok }) => {
    const { new_sha256: expected_sha256 } = await ok("linux.fs_write", { path: "h.txt", content: "1" });
    assert.equal((await ok("linux.fs_write", { path: "h.txt", content: "2", expected_sha256 })).bytes_written, 1);
  }],
  ["001-R5b", "expected_sha256 is not looked at for a new file, nor when it is null", async ({ ok }) => {
    await ok("linux.fs_write", { path: "h2.txt", content: "1", expected_sha256: "0".repeat(64) });
    assert.ok(await ok("linux.fs_write", { path: "h2.txt", content: "2", expected_sha256: null }));
  }],
  ["001-R6", "bytes_written and new_sha256", async ({ ok }) => {
    const { bytes_written, new_sha256 } = await ok("linux.fs_write", { path: "w2.txt", content: "abc" });
    assert.deepEqual([bytes_written, new_sha256.length], [3, 64]);
  }],
  ["001-4.2-atomic", "a file is replaced as a whole, by another inode", async ({ sandbox, ok }) => {
    const inode = async () => (await Deno.stat(`${sandbox.root}/w2.txt`)).ino;
    const before = await inode();
    await ok("linux.fs_write", { path: "w2.txt", content: "abcd" });
    assert.notEqual(await inode(), before);
  }],
  [
    "001-4.2-err",
    "WRITE_FAILED when the file system refuses",
    async ({ refused }) => {
      assert.equal(await refused("linux.fs_write", { path: "x".repeat(300), content: "a" }), "INVALID_PATH");
    },
    "a name that no file system takes is the fault of the path; a full disk is WRITE_FAILED (tests/e2e/full_disk_test.ts)",
  ],
  ["001-R7", "fs_list by glob", async ({ ok }) => {
    const { entries } = await ok("linux.fs_list", { path: ".", glob: "*.py" });
    assert.deepEqual(entries.filter(({ type }: Entry) => type === "file").map(({ path }: Entry) => path), ["src/a.py"]);
  }],
  ["001-R7a", "depth is 0 to 10, else INVALID_ARGUMENT", async ({ ok }) => {
    const { warnings } = await ok("linux.fs_list", { path: "src", depth: 11 });
    assert.deepEqual(warnings, ["depth: 10 in place of 11, its bound"]);
  }, CLAMPED],
  ["001-R7c", "depth 2 is the default", async ({ ok }) => {
    await ok("linux.fs_mkdirs", { path: "deep/a/b/c" });
    const paths = async (args: object) => (await ok("linux.fs_list", { path: "deep", ...args })).entries.length;
    assert.deepEqual([await paths({ depth: 1 }), await paths({}), await paths({ depth: 3 })], [1, 2, 3]);
  }],
  ["001-4.3-shape", "an entry has path, type, size_bytes, mtime_iso", async ({ ok }) => {
    const { entries: [{ path, type, size_bytes, mtime_iso }] } = await ok("linux.fs_list", { path: "src" });
    assert.deepEqual([path, type, size_bytes, Number.isNaN(Date.parse(mtime_iso))], ["src/a.py", "file", 30, false]);
  }],
  ["001-4.3-lean", "over MCP the same entries", async ({ text }) => {
    assert.match(await text("linux.fs_list", { path: "src" }), /^a\.py$/m);
  }, "a tree of names is what a model needs most; linux_fs_stat has sizes and times"],
  ["001-R7b", "hidden files on request", async ({ ok }) => {
    const names = async (include_hidden: boolean) =>
      (await ok("linux.fs_list", { path: ".", max_depth: 1, include_hidden })).entries.map(({ path }: Entry) => path);
    assert.deepEqual([(await names(false)).includes(".hidden"), (await names(true)).includes(".hidden")], [
      false,
      true,
    ]);
  }],
  ["001-R8", "more than 500 entries: truncated, with a handle to all of them", async ({ ok, rest }) => {
    const { body } = await rest("/tool", { session_id: "s", name: "linux.fs_list", args: { path: "many" } });
    assert.deepEqual([body.entries.length, body.truncated, typeof body.handle], [500, true, "string"]);
    assert.ok(await ok("linux.fs_list", { path: "many" }), "and the answer over MCP is JSON");
  }],
  ["001-4.3-err", "a file is not a directory", async ({ refused }) => {
    assert.equal(await refused("linux.fs_list", { path: "small.txt" }), "NOT_A_DIRECTORY");
  }],
  ["001-R9", "fs_move inside the roots", async ({ ok }) => {
    await ok("linux.fs_write", { path: "m.txt", content: "m" });
    assert.equal((await ok("linux.fs_move", { source: "m.txt", target: "n.txt" })).ok, true);
  }],
  ["001-R9b", "fs_move does not leave the roots", async ({ refused }) => {
    assert.equal(await refused("linux.fs_move", { source: "small.txt", target: "/tmp/x" }), "INVALID_PATH");
  }],
  ["001-R9c", "fs_move of what is not there", async ({ refused }) => {
    assert.equal(await refused("linux.fs_move", { source: "nope", target: "nope2" }), "NOT_FOUND");
  }],
  ["001-R9d", "fs_move replaces an existing target, as shutil.move", async ({ refused }) => {
    assert.equal(await refused("linux.fs_move", { source: "small.txt", target: "big.txt" }), "INVALID_ARGUMENT");
  }, "nothing is lost by mistake: overwrite says that it is meant"],
  ["001-R10", "fs_delete of a folder needs recursive", async ({ refused }) => {
    assert.equal(await refused("linux.fs_delete", { path: "src" }), "IS_DIRECTORY");
  }],
  ["001-R10a", "fs_delete of a folder with recursive", async ({ ok }) => {
    await ok("linux.fs_write", { path: "gone/a/b.txt", content: "" });
    assert.equal((await ok("linux.fs_delete", { path: "gone", recursive: true })).ok, true);
  }],
  ["001-R10c", "fs_delete of /", async ({ refused }) => {
    assert.equal(await refused("linux.fs_delete", { path: "/", recursive: true }), "INVALID_PATH");
  }],
  ["001-R10b", "the root itself is not deleted, and the refusal says what it is", async ({ text }) => {
    assert.match(
      await text("linux.fs_delete", { path: ".", recursive: true }),
      /^INVALID_PATH: .* cannot be moved or deleted/,
    );
  }],
  ["001-R11", "fs_mkdirs", async ({ ok }) => {
    assert.equal((await ok("linux.fs_mkdirs", { path: "d/e/f" })).ok, true);
  }],
  ["001-R11a", "fs_mkdirs of a folder that exists: fine, unless exist_ok is false", async ({ ok, refused }) => {
    await ok("linux.fs_mkdirs", { path: "d/e/f" });
    assert.equal(await refused("linux.fs_mkdirs", { path: "d/e/f", exist_ok: false }), "INVALID_ARGUMENT");
  }],
  ["001-NFR-safe", "a link that leads out is not followed", async ({ sandbox, refused }) => {
    await Deno.symlink("/etc", `${sandbox.root}/out`);
    assert.equal(await refused("linux.fs_read", { path: "out/passwd" }), "INVALID_PATH");
  }],
  ["001-NFR-safe2", "nor is one written through", async ({ refused }) => {
    assert.equal(await refused("linux.fs_write", { path: "out/new", content: "" }), "INVALID_PATH");
  }],
  ["001-NFR-safe3", "a device is not read", async ({ refused }) => {
    assert.equal(await refused("linux.fs_read", { path: "/dev/zero" }), "INVALID_PATH");
  }],
  ["001-NFR-lat", "a read, a list and a write answer within half a second", async ({ ok }) => {
    const { tools } = await ok("linux.mcp_usage_stats");
    const slow = ["linux_fs_read", "linux_fs_list", "linux_fs_write"].filter((name) => !(tools[name].p50_ms < 500));
    assert.deepEqual(slow, []);
  }],
  ["001-3.1d", "~ is the home directory", async ({ refused }) => {
    assert.equal(await refused("linux.fs_list", { path: "~" }), "INVALID_PATH");
  }],
]);
