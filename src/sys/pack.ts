/**
 * Files that an executable carries between its own end and what the runtime appended: the runtime reads what is its own
 * at every start, twice, and these only when they are wanted.
 *
 * Layout: {@link MAGIC}, length of the index (u32, little-endian), the index as JSON, then each file compressed.
 * @module
 */

/** What the build knows of an asset. */
export interface AssetInfo {
  /** Lower-case hexadecimal, of the file as it is used. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Where a compressed file begins, counted from the end of the index, and how long it is. */
export interface PackedInfo extends AssetInfo {
  readonly offset: number;
  readonly length: number;
}

/** First bytes of a pack. */
export const MAGIC = "llmcpack";
/** Bytes before the index. */
export const HEAD_BYTES = MAGIC.length + 4;

/** An opened pack. */
export interface Pack {
  readonly index: Readonly<Record<string, PackedInfo>>;
  /** The file as it was before it was compressed. */
  read(info: PackedInfo): Promise<Uint8Array<ArrayBuffer>>;
}

/** Where the ELF file ends that `header` is the beginning of: its table of sections is the last thing in it. */
export function endOfElf(header: Uint8Array<ArrayBuffer>): number {
  const view = new DataView(header.buffer, header.byteOffset, ELF_HEADER_BYTES);
  return Number(view.getBigUint64(0x28, true)) + view.getUint16(0x3a, true) * view.getUint16(0x3c, true);
}

/** So many bytes {@link endOfElf} needs. */
export const ELF_HEADER_BYTES = 64;

/** Opens the pack of an executable; null when it has none. */
export async function openPack(program: string): Promise<Pack | null> {
  const start = endOfElf(await readAt(program, 0, ELF_HEADER_BYTES));
  const head = await readAt(program, start, HEAD_BYTES);
  if (new TextDecoder().decode(head.subarray(0, MAGIC.length)) !== MAGIC) return null;
  const length = new DataView(head.buffer).getUint32(MAGIC.length, true);
  const index = JSON.parse(new TextDecoder().decode(await readAt(program, start + HEAD_BYTES, length)));
  const files = start + HEAD_BYTES + length;
  return {
    index,
    async read({ offset, length }) {
      const stream = new Blob([await readAt(program, files + offset, length)]).stream();
      return await new Response(stream.pipeThrough(new DecompressionStream("gzip"))).bytes();
    },
  };
}

/** Bytes of a file; what lies behind its end is zero. */
async function readAt(path: string, offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  using file = await Deno.open(path);
  await file.seek(offset, Deno.SeekMode.Start);
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length;) {
    const count = await file.read(bytes.subarray(done));
    if (count === null) break;
    done += count;
  }
  return bytes;
}
