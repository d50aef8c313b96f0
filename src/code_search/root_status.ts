/** Reports figures about the index of one folder. @module */
import { databaseBytes } from "../sys/files/database_files.ts";
import { COMPLETE, INDEXED_AT } from "./catch_up.ts";
import type { RootStatus } from "./index.ts";
import type { IndexReader } from "./index_reader.ts";
import { getMeta } from "./index_writer.ts";

const NOTHING = { files: 0, chunks: 0, size_bytes: 0, indexed_at: null };

/** Reads the figures; indexes nothing. */
export function rootStatus(root: string, path: string, reader: IndexReader): RootStatus {
  try {
    const found = reader.read((index): RootStatus => {
      const { files, chunks } = index.prepare("select count(*) as files, total(chunks) as chunks from files").get() ??
        {};
      return {
        root,
        state: getMeta(index, COMPLETE) !== undefined ? "ready" : Number(files) > 0 ? "indexing" : "empty",
        files: Number(files),
        chunks: Number(chunks),
        size_bytes: databaseBytes(path),
        indexed_at: getMeta(index, INDEXED_AT) ?? null,
      };
    });
    return found ?? { root, state: "empty", ...NOTHING };
  } catch (error) {
    return { root, state: "unavailable", ...NOTHING, reason: error instanceof Error ? error.message : String(error) };
  }
}
