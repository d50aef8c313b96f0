/** Weights of the parts of a score, by the kind of question; measured on two benchmarks, see docs/performance.md. @module */
import type { Field } from "./fields.ts";
import type { QuestionKind } from "./question_kind.ts";

/** How the parts of the score are weighed. */
export interface RankWeights {
  /** What a word counts by the field that it is in. */
  readonly fields: Readonly<Record<Field, number>>;
  /** The same for words that names use for a word of the question. */
  readonly relatedFields: Readonly<Record<Field, number>>;
  readonly related: number;
  /** How much a long field takes from each of its words, 0 to 1. */
  readonly lengths: Readonly<Record<Field, number>>;
  /** How soon more of the same word says nothing more. */
  readonly saturation: number;
  /** What the rest of the file, and of its folder, adds. */
  readonly file: number;
  readonly folder: number;
  /** What other matching chunks of the file add. */
  readonly coherence: number;
  /** Share of the file's name that was asked for; share of the question that its name, or its folders', holds. */
  readonly fileName: number;
  readonly inFileName: number;
  readonly inFolders: number;
  /** Defining a name that was asked for. */
  readonly name: number;
  /** Words of the question in its order, in code: an error message, say. */
  readonly quotation: number;
  /** Share of its own name that was asked for. */
  readonly ownName: number;
  /** What is left of the score of a test, and of code kept for compatibility. */
  readonly test: number;
  readonly aside: number;
  /** What is left of the score of each further answer of the same file. */
  readonly repeated: number;
}

const COMMON: RankWeights = {
  fields: { name: 14, container: 2.5, stem: 5.5, folders: 2, signature: 2.5, doc: 0.5, body: 1 },
  relatedFields: { name: 14, container: 2, stem: 4, folders: 0, signature: 2, doc: 0.3, body: 0.375 },
  related: 0.7,
  lengths: { name: 0.75, container: 0.9, stem: 0.75, folders: 0.75, signature: 0.75, doc: 0.75, body: 0.75 },
  saturation: 3,
  file: 0.2,
  folder: 0.1,
  coherence: 0,
  fileName: 0,
  inFileName: 0,
  inFolders: 0,
  name: 0.5,
  quotation: 0.45,
  ownName: 0.08,
  test: 0.5,
  aside: 0.7,
  repeated: 1,
};

/** The weights in use. A topic is dealt with in a file, a description is that of one definition. */
export const RANK_WEIGHTS: Readonly<Record<QuestionKind, RankWeights>> = {
  name: { ...COMMON, name: 1, fileName: 0.2 },
  description: {
    ...COMMON,
    related: 0.9,
    inFileName: 0.2,
    inFolders: 0.1,
    name: 0.16,
    quotation: 0.3,
    ownName: 0.06,
    folder: 0.2,
  },
  topic: {
    ...COMMON,
    related: 1.1,
    folder: 0.15,
    coherence: 0.15,
    fileName: 0.2,
    inFileName: 0.25,
    inFolders: 0.2,
    name: 0.4,
    quotation: 0.3,
    saturation: 2.4,
    ownName: 0.065,
    test: 0.3,
    repeated: 0.45,
  },
};
