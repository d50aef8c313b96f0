/** Finds chunks that may answer a question, by their words and by name. @module */
import type { Database } from "../sys/database.ts";
import type { Catalogue, CataloguedFile } from "./catalogue.ts";
import type { Context } from "./context.ts";
import { FIELDS } from "./fields.ts";
import type { CodeScope } from "./index.ts";
import { FIRST_DOCS_CHUNK } from "./index_writer.ts";
import type { Question } from "./question.ts";
import type { WeightedTerm } from "./terms.ts";
import { isInPart } from "./within.ts";
import { makeWordCounter, type WordCounter } from "./word_counter.ts";

/** A chunk that may answer. */
export interface Candidate {
  readonly id: number;
  readonly fileId: number;
  readonly path: string;
  /** Of the file's bytes when it was indexed. */
  readonly hash: string;
  readonly isTest: boolean;
  readonly kind: string;
  readonly symbol: string;
  readonly ordinal: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  /** How often each word of interest stands in each field: place of the word times fields, plus the field. */
  readonly counts: Uint16Array;
  /** Words of each field. */
  readonly lengths: readonly number[];
  /** Words of its own name; those of its code, in their order. */
  readonly name: string;
  readonly code: string;
  readonly stem: string;
  readonly folders: string;
  /** How well a name in the question is its own: 0 not at all, 1 letter by letter. */
  readonly nameMatch: number;
}

const MOST_CANDIDATES = 150, MOST_NAMED = 60, FIRST_CHUNKS = 4;
/** Of the files that have most of the words, the best chunks are looked at whatever the others have. */
const BEST_FILES = 6, CHUNKS_OF_BEST_FILE = 40;
/** A module that passes a name on answers, but less than the one that defines it. */
const PASSED_ON = 0.7, OTHER_CASE = 0.8, SHORTEST_BEGINNING = 3;

/** Counts whatever a question's words may be matched by. */
export function counterOf(terms: readonly WeightedTerm[]): WordCounter {
  return makeWordCounter(terms.flatMap(({ forms, related }) => [...forms.keys(), ...related.keys()]));
}

/** Least and greatest number of the chunks of a scope. */
export function rangeOf(scope: CodeScope): readonly [number, number] {
  if (scope === "both") return [0, Number.MAX_SAFE_INTEGER];
  return scope === "repo" ? [0, FIRST_DOCS_CHUNK - 1] : [FIRST_DOCS_CHUNK, Number.MAX_SAFE_INTEGER];
}

/** Chunks that define a name of the question, with how well the name fits. */
function namedChunks({ prepare }: Database, question: Question): Map<number, number> {
  const found = new Map<number, number>();
  const put = (id: unknown, match: number) => found.set(Number(id), Math.max(match, found.get(Number(id)) ?? 0));
  for (const [name, weight] of question.names) {
    const rows = prepare(`select name, chunk_id, kind, symbol from names join chunks on chunks.id = chunk_id
      where name = ? limit ?`).all(name, MOST_NAMED);
    for (const row of rows) {
      const spelt = row.name === name ? 1 : OTHER_CASE, passedOn = row.kind === "module" ? PASSED_ON : 1;
      const isQualified = question.names.has(String(row.symbol));
      put(row.chunk_id, Math.max(isQualified ? 1 : 0, weight) * spelt * passedOn);
    }
  }
  if (!question.isName || found.size > 0) return found;
  const [[beginning] = [""]] = question.names;
  if (beginning.length < SHORTEST_BEGINNING) return found;
  const rows = prepare("select name, chunk_id from names where name >= ? and name < ? limit ?")
    .all(beginning, `${beginning}\u{ffff}`, MOST_NAMED);
  for (const row of rows) put(row.chunk_id, 0.7 * beginning.length / String(row.name).length);
  return found;
}

/** The first chunks of files that the question names. */
function chunksOfPaths({ prepare }: Database, { paths }: Question): number[] {
  return paths.flatMap((path) => {
    const ending = `%/${path.replace(/[\\%_]/g, "\\$&")}`;
    const rows = prepare(`select c.id from chunks c join files f on f.id = c.file_id
      where (f.path = ? collate nocase or f.path like ? escape '\\') and c.ordinal < ? limit ?`);
    return rows.all(path, ending, FIRST_CHUNKS, MOST_NAMED).map(({ id }) => Number(id));
  });
}

/** Steps in which scores are counted to find the least one that is good enough. */
const STEPS = 512;

/** Places of about the best chunks, at least `most` where there are so many. */
function bestPlaces(scores: Float32Array, most: number): number[] {
  let top = 0;
  for (const score of scores) if (score > top) top = score;
  if (top === 0) return [];
  const counts = new Uint32Array(STEPS + 1);
  for (const score of scores) {
    if (score > 0) {
      const step = Math.floor(score / top * STEPS);
      counts[step] = (counts[step] ?? 0) + 1;
    }
  }
  let least = STEPS;
  for (let found = counts[least] ?? 0; least > 0 && found < most; found += counts[least] ?? 0) least--;
  const places: number[] = [];
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place] ?? 0;
    if (score > 0 && Math.floor(score / top * STEPS) >= least) places.push(place);
  }
  return places.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, most);
}

/** The best chunks of the files that have most of the words: what they call a thing is often said elsewhere in the file. */
function placesOfBestFiles({ files, firstPlace }: Catalogue, context: Context): number[] {
  const best = new Set([...context.files.keys()].slice(0, BEST_FILES));
  return files.flatMap(({ id, chunks }, position) => {
    if (!best.has(id)) return [];
    const places = Array.from({ length: chunks }, (_, at) => firstPlace(position) + at);
    const worth = (place: number) => context.chunks[place] ?? 0;
    return places.sort((a, b) => worth(b) - worth(a) || a - b).slice(0, CHUNKS_OF_BEST_FILE);
  });
}

/** Leaves only chunks of files whose paths begin so. */
function keepPart({ files, fileAt }: Catalogue, part: readonly string[], scores: Float32Array): void {
  const isIn = files.map(({ path }) => isInPart(path, part));
  for (let place = 0; place < scores.length; place++) if (isIn[fileAt[place] ?? -1] !== true) scores[place] = 0;
}

/** Where a question may be answered. */
export interface Area {
  readonly scope: CodeScope;
  /** Beginnings of paths; `[""]` for all. */
  readonly part: readonly string[];
}

/** Finds candidates, in no order that means anything. */
export function findCandidates(
  index: Database,
  catalogue: Catalogue,
  question: Question,
  context: Context,
  { scope, part }: Area,
  counter: WordCounter,
): Candidate[] {
  const [from, to] = rangeOf(scope), { fileAt, files, chunkAt } = catalogue, placeOf = catalogue.placer();
  if (!part.includes("")) keepPart(catalogue, part, context.chunks);
  const named = namedChunks(index, question);
  const chosen = [...bestPlaces(context.chunks, MOST_CANDIDATES), ...placesOfBestFiles(catalogue, context)].map(
    chunkAt,
  );
  const ids = new Set([...named.keys(), ...chunksOfPaths(index, question), ...chosen]
    .filter((id) => id >= from && id <= to));
  const columns = FIELDS.map((field) => `w.${field}`).join(", ");
  // one query for all: a query for each costs more than what it reads
  const rows = index.prepare(`select c.*, ${columns} from json_each(?) j join chunks c on c.id = j.value
    join chunk_words w on w.rowid = c.id`).all(JSON.stringify([...ids].sort((a, b) => a - b)));
  return rows.flatMap((row) => {
    const file = files[fileAt[placeOf(Number(row.id))] ?? -1];
    if (file === undefined || !isInPart(file.path, part)) return [];
    return [toCandidate(row, file, counter, named.get(Number(row.id)) ?? 0)];
  });
}

function toCandidate(
  row: Readonly<Record<string, unknown>>,
  { id, path, hash, isTest }: CataloguedFile,
  counter: WordCounter,
  nameMatch: number,
): Candidate {
  const counts = new Uint16Array(counter.places.size * FIELDS.length);
  return {
    id: Number(row.id),
    fileId: id,
    path,
    hash,
    isTest,
    kind: String(row.kind),
    symbol: String(row.symbol),
    ordinal: Number(row.ordinal),
    startLine: Number(row.start_line),
    endLine: Number(row.end_line),
    nameLine: Number(row.name_line),
    lengths: FIELDS.map((field, at) => counter.count(String(row[field]), counts, FIELDS.length, at)),
    counts,
    name: String(row.name),
    code: `${row.signature} | ${row.body}`,
    nameMatch,
    stem: String(row.stem),
    folders: String(row.folders),
  };
}
