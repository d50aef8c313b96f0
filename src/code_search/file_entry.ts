/** Defines what an index stores for one file. @module */
import { baseName } from "../core/path.ts";
import type { Chunk } from "./chunk.ts";
import { chunkFile, normalText } from "./chunk_file.ts";
import { fieldsOf } from "./fields.ts";
import { isMadeByName, isTestPath, madeText, MOST_DATA_BYTES } from "./file_rules.ts";
import type { Grammars } from "../sys/grammar.ts";
import { importsOf } from "./imports.ts";
import { type FileKind, languageOf, languageOfScript } from "./languages.ts";
import type { Stems } from "./words.ts";

/** A chunk with the words of its fields. */
export interface EntryChunk {
  readonly chunk: Chunk;
  readonly words: readonly (readonly string[])[];
}

/** A file as the index keeps it; without chunks when it is not worth it. */
export interface FileEntry {
  readonly language: string;
  readonly kind: FileKind;
  readonly isTest: boolean;
  /** First sentence of what its head says about it. */
  readonly about: string;
  readonly imports: readonly string[];
  readonly chunks: readonly EntryChunk[];
}

const EMPTY = { about: "", imports: [], chunks: [] };
const MOST_ABOUT_CHARS = 160;
/** A file of more chunks than this is a table of data in the form of code. */
const MOST_CHUNKS = 4_000;

/** Whether a search looks into a file of this name at all. */
export function isIndexed(path: string): boolean {
  if (isMadeByName(path)) return false;
  return languageOf(path) !== undefined || !baseName(path).includes(".");
}

function sentence(text: string): string {
  const flat = text.replace(/@(?:module|file|fileoverview|packageDocumentation|license)\b/g, "").replace(/\s+/g, " ")
    .trim();
  const first = /^(.+?[.!?])(?:\s|$)/.exec(flat)?.[1] ?? flat;
  return first.length > MOST_ABOUT_CHARS ? `${first.slice(0, MOST_ABOUT_CHARS - 1)}…` : first;
}

function aboutOf(chunks: readonly Chunk[], kind: FileKind, text: string): string {
  const [first] = chunks;
  if (first === undefined) return "";
  if (kind === "docs") return sentence(first.names[0] ?? first.body.split("\n")[0] ?? "");
  if (first.kind === "module" && first.doc !== "") return sentence(first.doc);
  const docstring = /^\s*(?:#.*\n|\s)*[rRuU]?(?:"""|''')([\s\S]{1,400}?)(?:"""|''')/.exec(text.slice(0, 2_000));
  return docstring === null ? "" : sentence(docstring[1] ?? "");
}

/**
 * Reads a file for the index.
 *
 * @param text Null for a binary file or one that is too long.
 */
export async function makeFileEntry(
  path: string,
  text: string | null,
  deps: { grammars: Grammars; stems: Stems },
): Promise<FileEntry> {
  const plain = text === null ? "" : normalText(text);
  const language = languageOf(path) ?? languageOfScript(plain);
  const isTest = isTestPath(path);
  if (language === undefined) return { language: "", kind: "data", isTest, ...EMPTY };
  const { name, kind, grammar } = language;
  const isTable = kind === "data" && plain.length > MOST_DATA_BYTES;
  if (plain === "" || isTable || madeText(plain) !== undefined) return { language: name, kind, isTest, ...EMPTY };
  const chunks = (await chunkFile(path, plain, language, deps.grammars)).slice(0, MOST_CHUNKS);
  return {
    language: name,
    kind,
    isTest,
    about: aboutOf(chunks, kind, plain),
    imports: grammar === null ? [] : importsOf(plain, grammar),
    chunks: chunks.map((chunk) => ({ chunk, words: fieldsOf(chunk, path, deps.stems) })),
  };
}
