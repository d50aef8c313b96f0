import assert from "node:assert/strict";
import { type Assets, assetsOver, makeAssets, serveAssets } from "../../src/sys/assets.ts";

const MANIFEST = { "rg": { sha256: "00", sizeBytes: 3 }, "grammars/bash.grammar": { sha256: "01", sizeBytes: 2 } };

async function pack(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))).bytes();
}

/** Runs `body` with assets in a folder of their own. */
async function withAssets(body: (assets: Assets) => Promise<void>, packed = false): Promise<void> {
  const dir = await Deno.makeTempDir();
  const place = async (name: string, bytes: Uint8Array<ArrayBuffer>) =>
    await Deno.writeFile(`${dir}/${name}${packed ? ".gz" : ""}`, packed ? await pack(bytes) : bytes);
  try {
    await Deno.mkdir(`${dir}/grammars`);
    await Deno.writeTextFile(`${dir}/manifest.json`, JSON.stringify(MANIFEST));
    await place("rg", new Uint8Array([1, 2, 3]));
    await place("grammars/bash.grammar", new Uint8Array([4, 5]));
    await body(makeAssets(dir, packed));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** The same as they lie in the executable. */
const withPackedAssets: typeof withAssets = (body) => withAssets(body, true);

/** Runs `body` with the same assets as a narrowed worker would have them. */
async function withLentAssets(body: (assets: Assets) => Promise<void>): Promise<void> {
  await withAssets(async (assets) => {
    const { port1, port2 } = new MessageChannel();
    serveAssets(port1, assets);
    try {
      await body(assetsOver(port2));
    } finally {
      port1.close();
      port2.close();
    }
  });
}

const WAYS = {
  "makeAssets": withAssets,
  "makeAssets, packed,": withPackedAssets,
  "assetsOver": withLentAssets,
};

for (const [how, withThem] of Object.entries(WAYS)) {
  Deno.test(`${how} lists what was vendored and reads it, in folders too`, async () => {
    await withThem(async (assets) => {
      assert.deepEqual(await assets.list(), MANIFEST);
      const [rg, bash] = await Promise.all([assets.read("rg"), assets.read("grammars/bash.grammar")]);
      assert.deepEqual([...rg], [1, 2, 3]);
      assert.deepEqual([...bash], [4, 5]);
      assert.deepEqual([...await assets.read("rg")], [1, 2, 3], "a second read must find the bytes again");
    });
  });

  Deno.test(`${how} refuses names that lead elsewhere, and says how to get a missing asset`, async () => {
    await withThem(async (assets) => {
      for (const name of ["../secret", "/etc/passwd", "grammars/../../x", ".", "", "a//b", "a/./b"]) {
        await assert.rejects(assets.read(name), /is not the name of an asset/, name);
      }
      await assert.rejects(assets.read("nothing"), /no asset 'nothing'; run: deno task vendor/);
    });
  });
}

Deno.test("makeAssets lists nothing where nothing was vendored", async () => {
  assert.deepEqual(await makeAssets("/nonexistent").list(), {});
});
