/** Finds the imports of a source file and resolves those inside the same tree. @module */
import { parentOf } from "../core/path.ts";
import type { GrammarName } from "../sys/grammar.ts";

const QUOTED = /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*["']([^"'\n]{1,200})["']/g;
const PATTERNS: Partial<Record<GrammarName, RegExp>> = {
  python: /^[^\S\n]*(?:from\s+([.\w]+)\s+import\b|import\s+([\w.]+))/gm,
  go: /^[^\S\n]*(?:import\s+)?(?:[\w.]+\s+)?"([\w./-]+)"\s*$/gm,
  rust: /^[^\S\n]*(?:pub\s+)?(?:use\s+((?:crate|super|self)::[\w:]+)|mod\s+(\w+)\s*;)/gm,
  java: /^[^\S\n]*import\s+(?:static\s+)?([\w.]+)\s*;/gm,
  csharp: /^[^\S\n]*using\s+(?:static\s+)?([\w.]+)\s*;/gm,
  c: /^[^\S\n]*#\s*include\s*[<"]([^>"\n]+)[>"]/gm,
  cpp: /^[^\S\n]*#\s*include\s*[<"]([^>"\n]+)[>"]/gm,
  ruby: /^[^\S\n]*require(?:_relative)?\s*\(?["']([^"']+)["']/gm,
  php: /^[^\S\n]*(?:use\s+([\w\\]+)|(?:require|include)(?:_once)?\s*\(?\s*["']([^"']+)["'])/gm,
  bash: /^[^\S\n]*(?:source|\.)\s+["']?([\w./$-]+)/gm,
};
const MOST_IMPORTS = 200;

/** What a source file imports, as it is written there. */
export function importsOf(text: string, grammar: GrammarName): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(PATTERNS[grammar] ?? QUOTED)) {
    const target = match[1] ?? match[2];
    if (target !== undefined) found.add(target);
    if (found.size >= MOST_IMPORTS) break;
  }
  return [...found];
}

/** The path without its ending, and without what stands for the folder itself. */
function moduleKey(path: string): string {
  return path.replace(/\.d\.ts$|(?!^)\.\w+$/, "").replace(/\/(?:index|__init__|mod|lib|main)$/, "");
}

/** Resolves a relative path. */
function join(folder: string, path: string): string {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** Finds the file that an import means among the files of a root. */
export function makeImportResolver(paths: readonly string[]): (from: string, target: string) => string | undefined {
  const byKey = new Map<string, string>();
  const byTail = new Map<string, string | null>();
  for (const path of paths) {
    const key = moduleKey(path);
    if (!byKey.has(key)) byKey.set(key, path);
    const parts = key.split("/");
    for (let length = 2; length <= Math.min(4, parts.length); length++) {
      const tail = parts.slice(-length).join("/");
      byTail.set(tail, byTail.has(tail) ? null : path);
    }
  }
  return (from, target) => {
    const folder = parentOf(from);
    if (/^\.{1,2}\//.test(target) || target === "." || target === "..") {
      return byKey.get(moduleKey(join(folder, target)));
    }
    const dots = /^\.+/.exec(target)?.[0].length ?? 0; // Python: one dot is this folder, two the one above
    const steps = target.slice(dots).replace(/^(?:crate|self)::/, "").split(/::|\\|\.(?!\w{1,4}$)|\//).filter((step) =>
      step
    );
    const path = steps.join("/");
    if (dots > 0) return byKey.get(join(folder, `${"../".repeat(dots - 1)}${path}`));
    for (let used = steps.length; used > 0; used--) {
      const part = moduleKey(steps.slice(0, used).join("/"));
      const hit = byKey.get(part) ?? byKey.get(join(folder, part)) ?? byTail.get(part);
      if (hit) return hit;
      if (used < steps.length - 1) break;
    }
    return undefined;
  };
}
