/** Finds chunks that may answer a question, by full text and by name. @module */
import type { Database } from "../sys/database.ts";
import type { Context, WeightedTerm } from "./context.ts";
import { type Field, FIELDS } from "./fields.ts";
import type { CodeScope } from "./index.ts";
import { lengthColumn } from "./index_schema.ts";
import { FIRST_DOCS_CHUNK } from "./index_writer.ts";
import type { Question } from "./question.ts";
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

/** Figures of the whole index. */
export interface Statistics {
  readonly chunks: number;
  readonly files: number;
  /** Mean words of each field. */
  readonly meanLengths: readonly number[];
}

/**
 * Weight of each field in the choice of candidates: that of the final order, but small, because full text search has only
 * one saturation and reaches it soon.
 */
const COLUMN_WEIGHTS: Readonly<Record<Field, number>> = {
  name: 2,
  container: 0.4,
  stem: 0.8,
  folders: 0.4,
  signature: 0.4,
  doc: 0.2,
  body: 0.2,
};
const MOST_CANDIDATES = 200, MOST_NAMED = 60, FIRST_CHUNKS = 4;
/** A word in more than this share of all chunks chooses nothing when rarer ones are there. */
const COMMON_SHARE = 0.12, RARE_WORDS_ENOUGH = 3;
/** Of the files that have most of the words, all chunks up to a number are looked at. */
const BEST_FILES = 6, CHUNKS_OF_BEST_FILE = 60;
const MOST_FORMS = 8;
/** A module that passes a name on answers, but less than the one that defines it. */
const PASSED_ON = 0.7, OTHER_CASE = 0.8, SHORTEST_BEGINNING = 3;

/** Figures of the index. */
export function readStatistics({ prepare }: Database): Statistics {
  const sums = FIELDS.map((field) => `sum(${lengthColumn(field)}) as ${field}`).join(", ");
  const row = prepare(`select count(*) as files, sum(chunks) as chunks, ${sums} from files`).get() ?? {};
  const chunks = Math.max(1, Number(row.chunks ?? 0));
  return {
    chunks,
    files: Number(row.files ?? 0),
    meanLengths: FIELDS.map((field) => Math.max(0.5, Number(row[field] ?? 0) / chunks)),
  };
}

function rarityOf(documents: number, chunks: number): number {
  return Math.log(1 + (chunks - documents + 0.5) / (documents + 0.5));
}

/** Words of the index that begin like a word that is not in it: a cut-off one, or another form of it. */
function formsOf({ prepare }: Database, stem: string): Map<string, number> {
  const forms = new Map<string, number>();
  if (stem.length < 3) return forms;
  const rows = prepare("select term, doc from vocabulary where term >= ? and term < ? order by doc desc limit ?")
    .all(stem, `${stem}\u{ffff}`, MOST_FORMS);
  for (const { term } of rows) forms.set(String(term), stem.length / String(term).length);
  if (forms.size > 0 || stem.length < 6) return forms;
  const start = stem.slice(0, Math.ceil(stem.length * 0.7));
  for (
    const { term } of prepare("select term from vocabulary where term >= ? and term < ? limit ?").all(
      start,
      `${start}\u{ffff}`,
      MOST_FORMS,
    )
  ) {
    forms.set(String(term), 0.6 * start.length / Math.max(stem.length, String(term).length));
  }
  return forms;
}

/** Looks up how rare the words of a question are. */
export function weighTerms(index: Database, question: Question, { chunks }: Statistics): WeightedTerm[] {
  const count = index.prepare("select doc from vocabulary where term = ?");
  const documents = (word: string): number => Number(count.get(word)?.doc ?? 0);
  return question.terms.map(({ stem, related }) => {
    const own = documents(stem);
    const forms = own > 0 ? new Map([[stem, 1]]) : formsOf(index, stem);
    const near = [...related].map((word) => [word, documents(word)] as const).filter(([, found]) => found > 0);
    const matched = own > 0 ? own : Math.max(0, ...[...forms.keys()].map(documents));
    return {
      stem,
      forms,
      related: new Map(near.map(([word, found]) => [word, rarityOf(found, chunks)])),
      rarity: rarityOf(matched, chunks),
    };
  });
}

/** Counts whatever a question's words may be matched by. */
export function counterOf(terms: readonly WeightedTerm[]): WordCounter {
  return makeWordCounter(terms.flatMap(({ forms, related }) => [...forms.keys(), ...related.keys()]));
}

const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`;

/** The expression that full text search is asked; undefined when no word of the question is in the index. */
function matchExpression(terms: readonly WeightedTerm[], chunks: number): string | undefined {
  const common = rarityOf(chunks * COMMON_SHARE, chunks);
  const rare = terms.filter(({ rarity, forms }) => rarity > common && forms.size > 0);
  const chosen = rare.length >= RARE_WORDS_ENOUGH ? rare : terms;
  const parts = chosen.flatMap(({ forms }) => [...forms.keys()].map(quoted));
  return parts.length === 0 ? undefined : [...new Set(parts)].join(" OR ");
}

function rangeOf(scope: CodeScope): readonly [number, number] {
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

/** Chunks of the files that have most of the words: what they call a thing is often said elsewhere in the file. */
function chunksOfBestFiles({ prepare }: Database, { files }: Context): number[] {
  const read = prepare("select id from chunks where file_id = ? limit ?");
  const best = [...files.keys()].slice(0, BEST_FILES);
  return best.flatMap((file) => read.all(file, CHUNKS_OF_BEST_FILE).map(({ id }) => Number(id)));
}

/** Where a question may be answered. */
export interface Area {
  readonly scope: CodeScope;
  /** Beginnings of paths; `[""]` for all. */
  readonly part: readonly string[];
}

/** Limits a query to files of a part; nothing where the part is the whole. */
const IN_PART = "in (select f.id from files f, json_each(?) p where substr(f.path, 1, length(p.value)) = p.value)";

/** Finds candidates, in no order that means anything. */
export function findCandidates(
  index: Database,
  question: Question,
  terms: readonly WeightedTerm[],
  context: Context,
  statistics: Statistics,
  { scope, part }: Area,
  counter: WordCounter,
): Candidate[] {
  const { prepare } = index;
  const isWhole = part.includes(""), parts = isWhole ? [] : [JSON.stringify(part)];
  const [from, to] = rangeOf(scope);
  const named = namedChunks(index, question);
  const chosen = [...named.keys(), ...chunksOfPaths(index, question), ...chunksOfBestFiles(index, context)];
  const ids = new Set(chosen.filter((id) => id >= from && id <= to));
  const expression = matchExpression(terms, statistics.chunks);
  if (expression !== undefined) {
    const weights = FIELDS.map((field) => COLUMN_WEIGHTS[field]).join(", ");
    const rows = prepare(`select rowid from chunk_words where chunk_words match ? and rowid between ? and ?
      ${isWhole ? "" : `and rowid in (select id from chunks where file_id ${IN_PART})`}
      order by bm25(chunk_words, ${weights}) limit ?`).all(expression, from, to, ...parts, MOST_CANDIDATES);
    for (const row of rows) ids.add(Number(row.rowid));
  }
  const columns = FIELDS.map((field) => `w.${field}`).join(", ");
  // one query for all: a query for each costs more than what it reads
  const rows = prepare(`select c.*, f.path, f.test, f.hash, ${columns}
    from json_each(?) j join chunks c on c.id = j.value join files f on f.id = c.file_id
    join chunk_words w on w.rowid = c.id ${isWhole ? "" : `where f.id ${IN_PART}`}`)
    .all(JSON.stringify([...ids]), ...parts);
  return rows.map((row) => toCandidate(row, counter, named.get(Number(row.id)) ?? 0));
}

function toCandidate(row: Readonly<Record<string, unknown>>, counter: WordCounter, nameMatch: number): Candidate {
  const counts = new Uint16Array(counter.places.size * FIELDS.length);
  return {
    id: Number(row.id),
    fileId: Number(row.file_id),
    path: String(row.path),
    hash: String(row.hash),
    isTest: row.test === 1,
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
