/** Splits a chunk into its weighted fields, as words. @module */
import type { Chunk } from "./chunk.ts";
import { moduleName, stemOf } from "./chunk_file.ts";
import type { Stems } from "./words.ts";

/** Parts of a chunk, in the order of the columns of the index. */
export const FIELDS = ["name", "container", "stem", "folders", "signature", "doc", "body"] as const;

/** One of {@link FIELDS}. */
export type Field = typeof FIELDS[number];

/** Folders above the nearest ones say the same of every file. */
const NEAREST_FOLDERS = 2;
/** More words of one part are data. */
const MOST_WORDS = 4_000;

/** The words of each field of a chunk, with stems for words. */
export function fieldsOf(chunk: Chunk, path: string, stems: Stems): readonly (readonly string[])[] {
  const folders = path.split("/").slice(0, -1).slice(-NEAREST_FOLDERS);
  const texts: Readonly<Record<Field, string>> = {
    name: chunk.names.join(" "),
    container: chunk.container.join(" "),
    stem: moduleName(path),
    folders: [...folders, stemOf(path)].join(" "),
    signature: chunk.signature,
    doc: chunk.doc,
    body: chunk.body,
  };
  return FIELDS.map((field) => stems.of(texts[field]).slice(0, MOST_WORDS));
}
