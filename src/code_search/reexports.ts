/** Finds the names that a module passes on from other modules. @module */
import type { GrammarName } from "../sys/grammar.ts";

/** Statements that pass names on; the first group holds their list. */
const LISTS: Partial<Record<GrammarName, RegExp>> = {
  rust: /\bpub(?:\([^)]*\))?\s+use\s+([^;]{1,4000});/g,
  javascript: /\bexport\s*\{([^}]{1,4000})\}\s*from\b/g,
  typescript: /\bexport\s+(?:type\s+)?\{([^}]{1,4000})\}\s*from\b/g,
  tsx: /\bexport\s+(?:type\s+)?\{([^}]{1,4000})\}\s*from\b/g,
};
/** In the file that stands for a package, what is imported from a module of the package is meant to be found there. */
const PYTHON_PACKAGE = /^from\s+\.[\w.]*\s+import\s+(?:\(([^)]{1,4000})\)|([^(\n]{1,400}))/gm;
const MOST_NAMES = 200;

/** The name under which each part of a list is passed on. */
function namesOf(list: string): string[] {
  return list.split(/[,{}]/).flatMap((part) => {
    const [path = "", alias] = part.replace(/(?:#|\/\/).*/g, "").trim().replace(/^type\s+/, "").split(/\s+as\s+/);
    const name = alias?.trim() ?? path.split("::").at(-1)?.trim() ?? "";
    return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) && name !== "self" ? [name] : [];
  });
}

/** Names that a piece of code passes on. */
export function reexportsOf(path: string, text: string, grammar: GrammarName): string[] {
  const pattern = grammar === "python" && /(?:^|\/)__init__\.pyi?$/.test(path) ? PYTHON_PACKAGE : LISTS[grammar];
  if (pattern === undefined) return [];
  const lists = [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? "");
  return [...new Set(lists.flatMap(namesOf))].slice(0, MOST_NAMES);
}
