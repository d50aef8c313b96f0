import assert from "node:assert/strict";
import { attachPack, type FileToPack } from "../../scripts/attach_pack.ts";
import { type Assets, assetsOver, folderAssets, packedAssets, serveAssets } from "../../src/sys/assets.ts";
import { ELF_HEADER_BYTES } from "../../src/sys/pack.ts";

const RG = new Uint8Array([1, 2, 3]), BASH = new Uint8Array([4, 5]);
const MANIFEST = { "rg": { sha256: "00", sizeBytes: 3 }, "grammars/bash.grammar": { sha256: "01", sizeBytes: 2 } };

async function packed(name: keyof typeof MANIFEST, bytes: Uint8Array<ArrayBuffer>): Promise<FileToPack> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return { name, asset: MANIFEST[name], bytes: await new Response(stream).bytes() };
}

/** Runs `body` with assets in a folder of their own. */
async function withAssets(body: (assets: Assets) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${dir}/grammars`);
    await Deno.writeTextFile(`${dir}/manifest.json`, JSON.stringify(MANIFEST));
    await Deno.writeFile(`${dir}/rg`, RG);
    await Deno.writeFile(`${dir}/grammars/bash.grammar`, BASH);
    await body(folderAssets(dir));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** An executable as the compiler leaves it: a program of `ELF_HEADER_BYTES` without a section, and the runtime's part. */
function compiled(runtimePart: string): Uint8Array {
  const header = new Uint8Array(ELF_HEADER_BYTES);
  new DataView(header.buffer).setBigUint64(0x28, BigInt(ELF_HEADER_BYTES), true);
  return new Uint8Array([...header, ...new TextEncoder().encode(runtimePart)]);
}

/** Runs `body` with the path of such an executable. */
async function withProgram(runtimePart: string, body: (program: string) => Promise<void>): Promise<void> {
  const program = await Deno.makeTempFile();
  try {
    await Deno.writeFile(program, compiled(runtimePart));
    await body(program);
  } finally {
    await Deno.remove(program);
  }
}

/** Runs `body` with the same assets in an executable. */
const withPackedAssets: typeof withAssets = (body) =>
  withProgram("d3n0l4nd and more", async (program) => {
    await attachPack(program, [await packed("rg", RG), await packed("grammars/bash.grammar", BASH)]);
    await body(packedAssets(program));
  });

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
  "folderAssets": withAssets,
  "packedAssets": withPackedAssets,
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
      for (const name of ["nothing", "constructor"]) {
        await assert.rejects(assets.read(name), new RegExp(`no asset '${name}'; run: deno task vendor`));
      }
    });
  });
}

Deno.test("folderAssets and packedAssets list nothing where there is nothing", async () => {
  assert.deepEqual(await folderAssets("/nonexistent").list(), {});
  await withProgram("d3n0l4nd", async (program) => assert.deepEqual(await packedAssets(program).list(), {}));
});

Deno.test("attachPack leaves the runtime's part at the end, and refuses a file that has none", async () => {
  await withProgram("d3n0l4nd and more", async (program) => {
    await attachPack(program, [await packed("rg", RG)]);
    assert.match(await Deno.readTextFile(program), /llmcpack[^]*d3n0l4nd and more$/);
  });
  await withProgram("something else", async (program) => {
    await assert.rejects(attachPack(program, []), /the runtime's part does not follow the program/);
    assert.deepEqual(await Deno.readFile(program), compiled("something else"));
  });
});
