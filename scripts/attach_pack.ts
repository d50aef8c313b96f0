/** Puts the assets into an executable that `deno compile` made; see src/sys/pack.ts for where and how. @module */
import { gzipSync } from "node:zlib";
import { type AssetInfo, endOfElf, HEAD_BYTES, MAGIC, type PackedInfo } from "../src/sys/pack.ts";
import { exists, ROOT } from "./project.ts";

/** What the runtime appends begins so. */
const RUNTIME_MAGIC = "d3n0l4nd";

/** A file to carry. */
export interface PackedFile extends AssetInfo {
  readonly name: string;
  /** Compressed with gzip. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The assets of a folder, compressed. */
export async function packFolder(dir: string): Promise<PackedFile[]> {
  const manifest: Record<string, AssetInfo> = JSON.parse(await Deno.readTextFile(`${dir}/manifest.json`));
  const files = Object.entries(manifest).map(async ([name, info]) => ({
    name,
    ...info,
    bytes: await packed(`${dir}/${name}`, info),
  }));
  return await Promise.all(files);
}

/** The compressed form of a file; made once, because compressing takes longer than all the rest of a build. */
async function packed(path: string, { sha256 }: AssetInfo): Promise<Uint8Array<ArrayBuffer>> {
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
export async function attachPack(program: string, files: readonly PackedFile[]): Promise<void> {
  const whole = await Deno.readFile(program), end = endOfElf(whole);
  const appended = new TextDecoder().decode(whole.subarray(end, end + RUNTIME_MAGIC.length));
  if (appended !== RUNTIME_MAGIC) throw new Error(`${program}: the runtime's part does not follow the program`);
  using file = await Deno.open(program, { write: true });
  await file.seek(end, Deno.SeekMode.Start);
  for (const part of [...packOf(files), whole.subarray(end)]) await writeAll(file, part);
}

function packOf(files: readonly PackedFile[]): Uint8Array<ArrayBuffer>[] {
  const index: Record<string, PackedInfo> = {};
  let offset = 0;
  for (const { name, sha256, sizeBytes, bytes } of files) {
    index[name] = { sha256, sizeBytes, offset, length: bytes.length };
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
