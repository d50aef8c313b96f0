/** Keeps in memory what an index says of its files, and which file each chunk belongs to. @module */
import type { Database } from "../sys/database.ts";
import { FIELDS } from "./fields.ts";
import { lengthColumn } from "./index_schema.ts";
import { FIRST_DOCS_CHUNK } from "./index_writer.ts";

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

/** Files and figures of a whole index. Chunks have places, files have positions: dense numbers from 0. */
export interface Catalogue {
  readonly files: readonly CataloguedFile[];
  /** Chunks of all files. */
  readonly chunks: number;
  /** Mean words of each field. */
  readonly meanLengths: readonly number[];
  /** How many places there are; some belong to no file. */
  readonly places: number;
  /** Position of the file of the chunk at each place; -1 for none. */
  readonly fileAt: Int32Array;
  /** The place of a chunk; -1 where there is none. */
  placeOf(chunk: number): number;
  /** The chunk at a place. */
  chunkAt(place: number): number;
}

/** Reads the catalogue. */
export function readCatalogue({ prepare }: Database): Catalogue {
  // One text for all files: a row for each of them takes several times as long.
  const list = prepare(
    `select json_group_array(json_array(id, path, hash, test, first_chunk, chunks)) as list from files`,
  )
    .get()?.list;
  const rows: readonly [number, string, string, number, number, number][] = JSON.parse(String(list));
  const files = rows.map(([id, path, hash, test, firstChunk, chunks]): CataloguedFile => (
    { id, path, hash, isTest: test === 1, firstChunk, chunks }
  ));
  const endOf = ({ firstChunk, chunks }: CataloguedFile) => firstChunk + chunks;
  const isDocs = ({ firstChunk }: CataloguedFile) => firstChunk >= FIRST_DOCS_CHUNK;
  const codeEnd = files.reduce((end, file) => isDocs(file) ? end : Math.max(end, endOf(file)), 0);
  const docsEnd = files.reduce((end, file) => isDocs(file) ? Math.max(end, endOf(file)) : end, FIRST_DOCS_CHUNK);
  const places = codeEnd + docsEnd - FIRST_DOCS_CHUNK;
  const placeOf = (chunk: number): number => {
    const isCode = chunk < FIRST_DOCS_CHUNK, place = isCode ? chunk : chunk - FIRST_DOCS_CHUNK + codeEnd;
    return place < (isCode ? codeEnd : places) ? place : -1; // more only while another thread adds some
  };
  const fileAt = new Int32Array(places).fill(-1);
  for (const [position, { firstChunk, chunks }] of files.entries()) {
    const place = placeOf(firstChunk);
    if (chunks > 0) fileAt.fill(position, place, place + chunks);
  }
  const sums = prepare(
    `select ${FIELDS.map((field) => `sum(${lengthColumn(field)}) as ${field}`).join(", ")} from files`,
  )
    .get();
  const chunks = files.reduce((sum, file) => sum + file.chunks, 0);
  return {
    files,
    chunks,
    meanLengths: FIELDS.map((field) => Math.max(0.5, Number(sums?.[field] ?? 0) / Math.max(1, chunks))),
    places,
    fileAt,
    placeOf,
    chunkAt: (place) => place < codeEnd ? place : place - codeEnd + FIRST_DOCS_CHUNK,
  };
}
