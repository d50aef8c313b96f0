/** Reads the index of one folder, and reopens it when it was replaced. @module */
import { fileIdentity } from "../sys/files/index_files.ts";
import {
  counterOf,
  findCandidates,
  readStatistics,
  type Statistics,
  type WeightedTerm,
  weighTerms,
} from "./candidates.ts";
import { readContext } from "./context.ts";
import type { SearchScope } from "./index.ts";
import { classify, DamagedError, type IndexDatabase, openIndex } from "./index_database.ts";
import type { Question } from "./question.ts";
import { rank, type Ranked } from "./rank.ts";

/** Answers of one index to one question. */
export interface Found {
  readonly ranked: readonly Ranked[];
  readonly terms: readonly WeightedTerm[];
}

/** Reads an index. */
export interface IndexReader {
  /**
   * Orders what may answer a question, best first. Empty without an index.
   *
   * @param part Beginnings of the paths that may answer; `[""]` for all.
   * @throws DamagedError
   */
  find(question: Question, scope: SearchScope, part: readonly string[]): Found;
  /** Does something with the database; undefined without an index. @throws DamagedError. */
  read<T>(work: (index: IndexDatabase) => T): T | undefined;
  /** Changes when another connection has changed the index; undefined without one. */
  version(): string | undefined;
  close(): void;
}

/** Makes the reader of an index. @param path The database, which need not be there yet. */
export function makeIndexReader(path: string): IndexReader {
  let index: IndexDatabase | undefined;
  let known: { version: string; statistics: Statistics } | undefined;
  let openings = 0;

  function open(): IndexDatabase | undefined {
    if (index?.isCurrent()) return index;
    close();
    if (fileIdentity(path) === null) return undefined;
    openings++;
    return index = openIndex(path);
  }
  function close(): void {
    index?.close();
    index = undefined;
    known = undefined;
  }
  function read<T>(work: (index: IndexDatabase) => T): T | undefined {
    try {
      const opened = open();
      return opened === undefined ? undefined : work(opened);
    } catch (error) {
      const known = classify(error);
      if (known instanceof DamagedError) close();
      throw known;
    }
  }
  const versionOf = ({ prepare }: IndexDatabase) => `${openings} ${prepare("pragma data_version").get()?.data_version}`;
  function statisticsOf(opened: IndexDatabase): Statistics {
    const version = versionOf(opened);
    if (known?.version !== version) known = { version, statistics: readStatistics(opened) };
    return known.statistics;
  }

  return {
    read,
    close,
    version: () => read(versionOf),
    find(question, scope, part) {
      return read((opened) => {
        const statistics = statisticsOf(opened);
        const terms = weighTerms(opened, question, statistics);
        const counter = counterOf(terms), context = readContext(opened, terms);
        const candidates = findCandidates(opened, question, terms, context, statistics, { scope, part }, counter);
        return { terms, ranked: rank(question, terms, candidates, context, statistics, counter.places) };
      }) ?? { terms: [], ranked: [] };
    },
  };
}
