import assert from "node:assert/strict";
import type { Assets } from "../../../src/sys/assets.ts";
import { findRipgrep } from "../../../src/sys/search/find_ripgrep.ts";
import { writeProgram } from "../write_program.ts";

const NOTHING: Assets = {
  list: () => Promise.resolve({}),
  read: (name) => Promise.reject(new Error(`there is no asset '${name}'`)),
};

/** A program that says which version of ripgrep it is. */
const program = (version: string) => `#!/bin/sh\necho "ripgrep ${version}"\n`;

async function embedding(version: string): Promise<Assets> {
  const bytes = new TextEncoder().encode(program(version));
  const sha256 = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  return {
    list: () => Promise.resolve({ rg: { sha256, sizeBytes: bytes.length } }),
    read: () => Promise.resolve(bytes),
  };
}

/** Runs `body` with a folder for each version in which such an rg is installed. */
async function withInstalled(versions: readonly string[], body: (dirs: string[], cacheDir: string) => Promise<void>) {
  const top = await Deno.makeTempDir();
  try {
    const dirs: string[] = [];
    for (const [index, version] of versions.entries()) {
      const dir = `${top}/${index}`;
      await Deno.mkdir(dir);
      await writeProgram(`${dir}/rg`, program(version));
      dirs.push(dir);
    }
    await body(dirs, `${top}/cache`);
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

Deno.test("findRipgrep takes the first installed one that is new enough and acceptable", async () => {
  await withInstalled(["12.1.1", "14.1.0", "15.0.0"], async (searchPath, cacheDir) => {
    const assets = await embedding("15.9.9");
    const [, middle, last] = searchPath;
    const first = await findRipgrep({ searchPath: ["relative", "/nonexistent", ...searchPath], assets, cacheDir });
    assert.deepEqual(first, { path: `${middle}/rg`, version: "14.1.0", source: "path" });
    const accepts = (path: string) => path !== `${middle}/rg`;
    const second = await findRipgrep({ searchPath, accepts, assets, cacheDir });
    assert.deepEqual(second, { path: `${last}/rg`, version: "15.0.0", source: "path" });
  });
});

Deno.test("findRipgrep extracts the embedded one when none is installed", async () => {
  await withInstalled([], async (searchPath, cacheDir) => {
    const found = await findRipgrep({ searchPath, assets: await embedding("15.9.9"), cacheDir });
    assert.ok(found.path?.startsWith(`${cacheDir}/rg-`));
    assert.deepEqual({ ...found, path: "" }, { path: "", version: "15.9.9", source: "embedded" });
  });
});

Deno.test("findRipgrep gives the reason when there is none at all", async () => {
  await withInstalled(["12.0.0"], async (searchPath, cacheDir) => {
    const none = await findRipgrep({ searchPath, assets: NOTHING, cacheDir });
    assert.deepEqual(none, { path: null, reason: "no rg is installed, and this build carries none" });
    await Deno.mkdir(cacheDir);
    await Deno.chmod(cacheDir, 0o777);
    const refused = await findRipgrep({ searchPath, assets: await embedding("15.0.0"), cacheDir });
    assert.ok(refused.path === null && refused.reason.includes("can be written by others"));
  });
});

Deno.test("findRipgrep waits for one that is still open for writing somewhere", async () => {
  await withInstalled(["15.0.0"], async (searchPath, cacheDir) => {
    const file = await Deno.open(`${searchPath[0]}/rg`, { write: true });
    const finding = findRipgrep({ searchPath, assets: NOTHING, cacheDir });
    await new Promise((resolve) => setTimeout(resolve, 60)); // by now it was refused at least once
    file.close();
    assert.deepEqual(await finding, { path: `${searchPath[0]}/rg`, version: "15.0.0", source: "path" });
  });
});
