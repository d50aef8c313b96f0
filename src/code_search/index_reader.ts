/** Reads the index of one folder, and reopens it when it was replaced. @module */
import { asUnusable, type Database, openDatabase, UnusableError } from "../sys/database.ts";
import { INDEX_FORMAT } from "./index_schema.ts";
import { fileIdentity } from "../sys/files/database_files.ts";
import { counterOf, findCandidates, rangeOf } from "./candidates.ts";
import { type Catalogue, readCatalogue } from "./catalogue.ts";
import { readContext } from "./context.ts";
import type { CodeScope } from "./index.ts";
import { makePostings } from "./postings.ts";
import type { Question } from "./question.ts";
import { rank, type Ranked } from "./rank.ts";
import { type WeightedTerm, weighTerms } from "./terms.ts";

/** Answers of one index to one question. */
export interface FoundChunks {
  readonly ranked: readonly Ranked[];
  readonly terms: readonly WeightedTerm[];
}

/** Reads an index. */
export interface IndexReader {
  /**
   * Orders what may answer a question, best first. Empty without an index.
   *
   * @param part Beginnings of the paths that may answer; `[""]` for all.
   * @throws UnusableError
   */
  find(question: Question, scope: CodeScope, part: readonly string[]): FoundChunks;
  /** Does something with the database; undefined without an index. @throws UnusableError. */
  read<T>(work: (index: Database) => T): T | undefined;
  /** Changes when another connection has changed the index; undefined without one. */
  version(): string | undefined;
  close(): void;
}

/** Makes the reader of an index. @param path The database, which need not be there yet. */
export function makeIndexReader(path: string): IndexReader {
  let index: Database | undefined;
  let known: { version: string; catalogue: Catalogue } | undefined;
  let openings = 0;

  function open(): Database | undefined {
    if (index?.isCurrent()) return index;
    close();
    if (fileIdentity(path) === null) return undefined;
    openings++;
    return index = openDatabase(path, INDEX_FORMAT);
  }
  function close(): void {
    index?.close();
    index = undefined;
    known = undefined;
  }
  function read<T>(work: (index: Database) => T): T | undefined {
    try {
      const opened = open();
      return opened === undefined ? undefined : work(opened);
    } catch (error) {
      const known = asUnusable(error);
      if (known instanceof UnusableError) close();
      throw known;
    }
  }
  const versionOf = ({ prepare }: Database) => `${openings} ${prepare("pragma data_version").get()?.data_version}`;
  function catalogueOf(opened: Database): Catalogue {
    const version = versionOf(opened);
    if (known?.version !== version) known = { version, catalogue: readCatalogue(opened) };
    return known.catalogue;
  }

  return {
    read,
    close,
    version: () => read(versionOf),
    find(question, scope, part) {
      return read((opened) => {
        const catalogue = catalogueOf(opened), postings = makePostings(opened, catalogue, rangeOf(scope));
        const terms = weighTerms(opened, postings, question, catalogue.chunks);
        const counter = counterOf(terms), context = readContext(catalogue, postings, terms);
        const candidates = findCandidates(opened, catalogue, question, context, { scope, part }, counter);
        return { terms, ranked: rank(question, terms, candidates, context, catalogue.meanLengths, counter.places) };
      }) ?? { terms: [], ranked: [] };
    },
  };
}
