/** Cache of line indexes of recently read handles. @module */
import { textKind } from "../core/text_kind.ts";
import type { RandomAccess } from "../sys/files/blob_files.ts";
import { type LineIndex, makeLineIndex, type Separator } from "./line_index.ts";

/** Each takes at most 32 KiB. */
const MAX_INDEXES = 64;
const HEAD_BYTES = 64 * 1024;

/** Remembers an index for each payload, the least recently used go first. */
export interface LineIndexes {
  /** The index of a payload; a new one when its size or time changed. */
  of(id: string, access: RandomAccess): Promise<LineIndex>;
  forget(id: string): void;
}

/** An empty memory. */
export function makeLineIndexes(): LineIndexes {
  const known = new Map<string, { readonly stamp: string; readonly index: LineIndex }>();
  return {
    async of(id, access) {
      const stamp = `${access.sizeBytes} ${access.mtimeMs}`;
      const entry = known.get(id);
      const index = entry?.stamp === stamp ? entry.index : await makeIndexFor(access);
      known.delete(id); // to the end: the first is the one that was not used for longest
      known.set(id, { stamp, index });
      for (const oldest of known.keys()) {
        if (known.size <= MAX_INDEXES) break;
        known.delete(oldest);
      }
      return index;
    },
    forget: (id) => void known.delete(id),
  };
}

/** The line ends that a payload has, from its start. */
export function separatorOf(head: Uint8Array, isWhole: boolean): Separator {
  const kind = textKind(head.subarray(0, HEAD_BYTES), { isWhole: isWhole && head.length <= HEAD_BYTES });
  return kind.text && kind.lineEnds === "cr" ? 13 : 10;
}

async function makeIndexFor(access: RandomAccess): Promise<LineIndex> {
  const head = new Uint8Array(Math.min(HEAD_BYTES, access.sizeBytes));
  const length = await access.read(0, head);
  return makeLineIndex(separatorOf(head.subarray(0, length), length === access.sizeBytes));
}
