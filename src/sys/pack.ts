/**
 * Reads files embedded in the executable between its ELF image and the runtime's own data. The runtime reads its own
 * data twice at every start; these files are read only on demand. Layout: {@link MAGIC}, length of the index (u32,
 * little-endian), the index as JSON, then the files.
 * @module
 */

/** What the build knows of an asset. */
export interface AssetInfo {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A file in a pack. */
export interface PackedFile {
  /** Counted from the end of the index. */
  readonly offset: number;
  readonly length: number;
  /** What it is when it is not compressed (gzip) any more; absent for what is stored as it is. */
  readonly asset?: AssetInfo;
}

/** An opened pack. */
export interface Pack {
  readonly index: ReadonlyMap<string, PackedFile>;
  /** A file as it is stored; null when there is none of this name. */
  read(name: string): Uint8Array<ArrayBuffer> | null;
}

/** The file that runs, even after an update has put another one in its place. */
export const EXECUTABLE = "/proc/self/exe";

/** First bytes of a pack. */
export const MAGIC = "llmcpack";
/** Bytes before the index. */
export const HEAD_BYTES = MAGIC.length + 4;
/** So many bytes {@link endOfElf} needs. */
export const ELF_HEADER_BYTES = 64;

/** Where the ELF file ends that `header` is the beginning of: its table of sections is the last thing in it. */
export function endOfElf(header: Uint8Array<ArrayBuffer>): number {
  const view = new DataView(header.buffer, header.byteOffset, ELF_HEADER_BYTES);
  return Number(view.getBigUint64(0x28, true)) + view.getUint16(0x3a, true) * view.getUint16(0x3c, true);
}

/** Opens the pack of an executable, which is empty when it carries none. */
export function openPack(program: string): Pack {
  const start = endOfElf(readAt(program, 0, ELF_HEADER_BYTES));
  const head = readAt(program, start, HEAD_BYTES), decoder = new TextDecoder();
  if (decoder.decode(head.subarray(0, MAGIC.length)) !== MAGIC) return { index: new Map(), read: () => null };
  const length = new DataView(head.buffer).getUint32(MAGIC.length, true), files = start + HEAD_BYTES + length;
  const entries: Record<string, PackedFile> = JSON.parse(decoder.decode(readAt(program, start + HEAD_BYTES, length)));
  const index = new Map(Object.entries(entries));
  return {
    index,
    read(name) {
      const file = index.get(name);
      return file === undefined ? null : readAt(program, files + file.offset, file.length);
    },
  };
}

/** Bytes of a file; what lies behind its end is zero. */
function readAt(path: string, offset: number, length: number): Uint8Array<ArrayBuffer> {
  using file = Deno.openSync(path);
  file.seekSync(offset, Deno.SeekMode.Start);
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length;) {
    const count = file.readSync(bytes.subarray(done));
    if (count === null) break;
    done += count;
  }
  return bytes;
}
