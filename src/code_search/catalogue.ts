/** Keeps in memory what an index says of its files, and which file each chunk belongs to. @module */
import type { Database } from "../sys/database.ts";
import { FIELDS } from "./fields.ts";
import { lengthColumn } from "./index_schema.ts";

/** A file of the index; its chunks have successive numbers. */
export interface CataloguedFile {
  readonly id: number;
  readonly path: string;
  /** Of its bytes when it was indexed. */
  readonly hash: string;
  readonly isTest: boolean;
  readonly firstChunk: number;
  readonly chunks: number;
}

/** Files and figures of a whole index. Chunks have places, files have positions: dense numbers from 0 in the same order. */
export interface Catalogue {
  /** Those with chunks, by the number of the first. */
  readonly files: readonly CataloguedFile[];
  /** Chunks of all files, which is how many places there are. */
  readonly chunks: number;
  /** Mean words of each field. */
  readonly meanLengths: readonly number[];
  /** Position of the file of the chunk at each place. */
  readonly fileAt: Int32Array;
  /** Gives the places of chunks, fastest when each number is greater than the one before; -1 for what no file has. */
  placer(): (chunk: number) => number;
  /** Place of the first chunk of the file at a position. */
  firstPlace(position: number): number;
  /** The chunk at a place. */
  chunkAt(place: number): number;
}

/** Reads the catalogue. */
export function readCatalogue({ prepare }: Database): Catalogue {
  // One text for all files: a row for each of them takes several times as long.
  const list = prepare(
    `select json_group_array(json_array(id, path, hash, test, first_chunk, chunks)) as list from files
    where chunks > 0`,
  ).get()?.list;
  const rows: readonly [number, string, string, number, number, number][] = JSON.parse(String(list));
  const files = rows.map(([id, path, hash, test, firstChunk, chunks]): CataloguedFile => (
    { id, path, hash, isTest: test === 1, firstChunk, chunks }
  )).sort((a, b) => a.firstChunk - b.firstChunk);
  const chunks = files.reduce((sum, file) => sum + file.chunks, 0);
  const firsts = Float64Array.from(files, ({ firstChunk }) => firstChunk);
  const starts = new Int32Array(files.length), fileAt = new Int32Array(chunks);
  let place = 0;
  for (const [position, file] of files.entries()) {
    starts[position] = place;
    fileAt.fill(position, place, place += file.chunks);
  }
  const sums = prepare(
    `select ${FIELDS.map((field) => `sum(${lengthColumn(field)}) as ${field}`).join(", ")} from files`,
  ).get();
  const firstPlace = (position: number): number => starts[position] ?? 0;
  return {
    files,
    chunks,
    meanLengths: FIELDS.map((field) => Math.max(0.5, Number(sums?.[field] ?? 0) / Math.max(1, chunks))),
    fileAt,
    placer() {
      let position = 0;
      return (chunk) => {
        if (chunk < (firsts[position] ?? 0)) position = 0;
        while (chunk >= (firsts[position + 1] ?? Infinity)) position++;
        const offset = chunk - (firsts[position] ?? 0);
        // numbers of no file are there only while another thread changes the index
        return offset >= 0 && offset < (files[position]?.chunks ?? 0) ? firstPlace(position) + offset : -1;
      };
    },
    firstPlace,
    chunkAt(place) {
      const position = fileAt[place] ?? 0;
      return (firsts[position] ?? 0) + place - firstPlace(position);
    },
  };
}
