/** Splits a file of any language into chunks. @module */
import { baseName, parentOf } from "../core/path.ts";
import { chunkCode } from "./chunk_code.ts";
import type { Chunk } from "./chunk.ts";
import { chunkProse, chunkWindows } from "./chunk_text.ts";
import { findDefinitions } from "./definitions.ts";
import type { GrammarName, Grammars } from "../sys/grammar.ts";
import type { Language } from "./languages.ts";
import { reexportsOf } from "./reexports.ts";

/** Line ends of Windows become plain ones, and a byte order mark goes: neither moves a line. */
export function normalText(text: string): string {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return plain.includes("\r\n") ? plain.replaceAll("\r\n", "\n") : plain;
}

/** The name of a file without folders and endings. */
export function stemOf(path: string): string {
  return baseName(path).replace(/(?!^)\.\w+$/, "");
}

const STANDS_FOR_FOLDER = /^(?:index|mod|__init__|lib|main)$/;

/** What a file is called by those who import it: `mod.rs`, `index.ts` and `__init__.py` go by the name of their folder. */
export function moduleName(path: string): string {
  const stem = stemOf(path);
  const folder = baseName(parentOf(path));
  return STANDS_FOR_FOLDER.test(stem) && folder !== "" ? folder : stem;
}

function withReexports(path: string, chunk: Chunk, grammar: GrammarName): Chunk {
  const reexports = chunk.kind === "module" ? reexportsOf(path, chunk.body, grammar) : [];
  return reexports.length === 0 ? chunk : { ...chunk, reexports };
}

/** Cuts a text; one whose syntax cannot be read is cut into windows. @param text As {@link normalText} gives it. */
export async function chunkFile(path: string, text: string, language: Language, grammars: Grammars): Promise<Chunk[]> {
  if (language.grammar !== null) {
    const grammar = await grammars.load(language.grammar);
    const definitions = findDefinitions(grammar, language.grammar, text, stemOf(path));
    if (definitions !== undefined) {
      const chunks = chunkCode(text, definitions, language.grammar === "python");
      const { grammar: name } = language;
      if (chunks.length > 0) return chunks.map((chunk) => withReexports(path, chunk, name));
    }
    return chunkWindows(text);
  }
  return language.kind === "docs" ? chunkProse(text) : chunkWindows(text);
}
