import assert from "node:assert/strict";
import type { Assets } from "../../src/sys/assets.ts";
import { extractBinary } from "../../src/sys/extract.ts";
import { eventually } from "../support/eventually.ts";

const SCRIPT = new TextEncoder().encode("#!/bin/sh\necho hello\n");
const SHA256 = new Uint8Array(await crypto.subtle.digest("SHA-256", SCRIPT)).toHex();

/** Assets that hold one program and count how often its bytes are read. */
function makeProgram(sha256 = SHA256): Assets & { reads: number } {
  return {
    reads: 0,
    list: () => Promise.resolve({ hello: { sha256, sizeBytes: SCRIPT.length } }),
    read() {
      this.reads++;
      return Promise.resolve(SCRIPT.slice());
    },
  };
}

async function withCache(body: (dir: string) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir();
  try {
    await body(`${home}/cache/llmc/bin`);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** Extracts the program; fails when there is none. */
async function extract(assets: Assets, dir: string): Promise<string> {
  const path = await extractBinary(assets, "hello", dir);
  assert.ok(path !== null);
  return path;
}

/** Names of the files in a folder. */
function names(dir: string): string[] {
  return Array.from(Deno.readDirSync(dir), ({ name }) => name);
}

Deno.test("extractBinary makes a program that starts, in a folder for its user alone", async () => {
  await withCache(async (dir) => {
    const path = await extract(makeProgram(), dir);
    // What was written here may for a moment be open in a child of another test.
    const { stdout } = await eventually(() => new Deno.Command(path).output());
    assert.equal(new TextDecoder().decode(stdout), "hello\n");
    const mode = async (name: string) => ((await Deno.stat(name)).mode ?? 0) & 0o777;
    assert.equal(await mode(dir), 0o700);
    assert.equal(await mode(path), 0o700);
    assert.deepEqual(names(dir), [`hello-${SHA256.slice(0, 16)}`]);
  });
});

Deno.test("extractBinary leaves an intact file alone", async () => {
  await withCache(async (dir) => {
    const assets = makeProgram();
    assert.equal(await extract(assets, dir), await extract(assets, dir));
    assert.equal(assets.reads, 1);
  });
});

const DAMAGE: Readonly<Record<string, (path: string) => Promise<void>>> = {
  "was cut short": (path) => Deno.truncate(path, 5),
  "cannot be started": (path) => Deno.chmod(path, 0o644),
  "can be written by others": (path) => Deno.chmod(path, 0o777),
  "is a link": async (path) => {
    await Deno.rename(path, `${path}.elsewhere`);
    await Deno.symlink(`${path}.elsewhere`, path);
  },
};

for (const [name, damage] of Object.entries(DAMAGE)) {
  Deno.test(`extractBinary replaces a file that ${name}`, async () => {
    await withCache(async (dir) => {
      const path = await extract(makeProgram(), dir);
      await damage(path);
      assert.equal(await extract(makeProgram(), dir), path);
      const { isFile, mode } = await Deno.lstat(path);
      assert.ok(isFile);
      assert.equal((mode ?? 0) & 0o777, 0o700);
      assert.deepEqual(await Deno.readFile(path), SCRIPT);
    });
  });
}

Deno.test("extractBinary refuses a folder that others can write, or that is a link", async () => {
  await withCache(async (dir) => {
    await Deno.mkdir(dir, { recursive: true });
    await Deno.chmod(dir, 0o777);
    await assert.rejects(extractBinary(makeProgram(), "hello", dir), /can be written by others; run: chmod 700/);
    await Deno.chmod(dir, 0o700);
    await Deno.symlink(dir, `${dir}-link`);
    await assert.rejects(extractBinary(makeProgram(), "hello", `${dir}-link`), /is not a folder of this user/);
  });
});

Deno.test("extractBinary refuses bytes that are not those of the build and leaves nothing behind", async () => {
  await withCache(async (dir) => {
    await assert.rejects(extractBinary(makeProgram("f".repeat(64)), "hello", dir), /is damaged/);
    assert.deepEqual(names(dir), []);
  });
});

Deno.test("extractBinary serves many starts at once", async () => {
  await withCache(async (dir) => {
    const paths = await Promise.all(Array.from({ length: 8 }, () => extract(makeProgram(), dir)));
    assert.equal(new Set(paths).size, 1);
    assert.equal(names(dir).length, 1);
  });
});

Deno.test("extractBinary knows nothing of an asset that was not built in", async () => {
  await withCache(async (dir) => assert.equal(await extractBinary(makeProgram(), "other", dir), null));
});
