/** Embeds files in an executable made by `deno compile`; the layout is described in src/sys/pack.ts. @module */
import { gzipSync } from "node:zlib";
import { type AssetInfo, endOfElf, HEAD_BYTES, MAGIC, type PackedFile } from "../src/sys/pack.ts";
import { exists, ROOT } from "./project.ts";

/** What the runtime appends begins so. */
const RUNTIME_MAGIC = "d3n0l4nd";

/** A file to carry. */
export interface FileToPack {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What it is when it is not compressed any more; absent for what is not. */
  readonly asset?: AssetInfo;
}

/** The assets of a folder, compressed. */
export async function compressAssets(dir: string): Promise<FileToPack[]> {
  const manifest: Record<string, AssetInfo> = JSON.parse(await Deno.readTextFile(`${dir}/manifest.json`));
  const files = Object.entries(manifest).map(async ([name, asset]) => ({
    name,
    asset,
    bytes: await compressed(`${dir}/${name}`, asset),
  }));
  return await Promise.all(files);
}

/** The compressed form of a file; made once, because compressing takes longer than all the rest of a build. */
async function compressed(path: string, { sha256 }: AssetInfo): Promise<Uint8Array<ArrayBuffer>> {
  const target = `${ROOT}/dist/packed/${sha256}.gz`;
  if (await exists(target)) return await Deno.readFile(target);
  await Deno.mkdir(`${ROOT}/dist/packed`, { recursive: true });
  const temporary = `${target}.${crypto.randomUUID()}`;
  await Deno.writeFile(temporary, gzipSync(await Deno.readFile(path), { level: 9 }));
  await Deno.rename(temporary, target);
  return await Deno.readFile(target);
}

/**
 * Puts files between the program's own end and what the runtime appended, which it looks for at the end of the file.
 *
 * @throws Error when the executable is not laid out so
 */
export async function attachPack(program: string, files: readonly FileToPack[]): Promise<void> {
  const whole = await Deno.readFile(program), end = endOfElf(whole);
  const appended = new TextDecoder().decode(whole.subarray(end, end + RUNTIME_MAGIC.length));
  if (appended !== RUNTIME_MAGIC) throw new Error(`${program}: the runtime's part does not follow the program`);
  using file = await Deno.open(program, { write: true });
  await file.seek(end, Deno.SeekMode.Start);
  for (const part of [...packOf(files), whole.subarray(end)]) await writeAll(file, part);
}

function packOf(files: readonly FileToPack[]): Uint8Array<ArrayBuffer>[] {
  const index: Record<string, PackedFile> = {};
  let offset = 0;
  for (const { name, asset, bytes } of files) {
    index[name] = { offset, length: bytes.length, ...asset ? { asset } : {} };
    offset += bytes.length;
  }
  const text = new TextEncoder().encode(JSON.stringify(index)), head = new Uint8Array(HEAD_BYTES);
  head.set(new TextEncoder().encode(MAGIC));
  new DataView(head.buffer).setUint32(MAGIC.length, text.length, true);
  return [head, text, ...files.map(({ bytes }) => bytes)];
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await file.write(rest));
}
