/** Follows names through imports and exports from module to module. @module */
import { parentOf } from "../../core/path.ts";
import { goPackage, starImports } from "./import_names.ts";
import type { SourceFile } from "./source_file.ts";
import { declaredMeaning, ELSEWHERE, type Meaning, type Target, topLevel, UNRESOLVED } from "./target.ts";

/** Follows names. */
export interface ModuleNames {
  /** What a module calls by a name; `*` is the module itself. */
  follow(file: SourceFile, module: string, name: string, depth: number): Promise<Meaning>;
  /** What a module of the tree calls by a name. */
  inModule(file: SourceFile, path: string, name: string, depth: number): Promise<Meaning>;
  /** The package that a Go file calls by a name. */
  goModule(file: SourceFile, name: string): Meaning;
}

/** What it takes. */
export interface ModuleNamesDeps {
  readonly opened: (path: string | undefined) => Promise<SourceFile | undefined>;
  readonly importedFile: (from: string, target: string) => string | undefined;
  readonly definingFiles: (name: string) => readonly string[];
  /** What a name means at a place of a file. */
  readonly plain: (file: SourceFile, name: string, at: number, depth: number) => Promise<Meaning>;
}

const DEEPEST = 10;

/** Makes it for one question. */
export function makeModuleNames({ opened, importedFile, definingFiles, plain }: ModuleNamesDeps): ModuleNames {
  const busy = new Set<string>();

  function goModule(file: SourceFile, name: string): Meaning {
    const path = goPackage(file.text, name) ?? "";
    const target = importedFile(file.path, path) ?? importedFile(file.path, path.split("/").slice(1).join("/"));
    return target === undefined ? ELSEWHERE : { is: "module", path: target };
  }

  /** What a module calls by a name. */
  async function follow(file: SourceFile, module: string, name: string, depth: number): Promise<Meaning> {
    const key = `${file.path}\n${module}\n${name}`;
    if (depth > DEEPEST || busy.has(key)) return UNRESOLVED;
    busy.add(key);
    try {
      if (name === "*") return moduleMeaning(file, module);
      const path = importedFile(file.path, module);
      const target = await opened(path);
      if (target !== undefined) {
        const meaning = await exported(target, name, depth + 1);
        if (meaning.is !== "unknown") return meaning;
      }
      const sub = importedFile(
        file.path,
        file.grammar === "python" ? `${module}${module.endsWith(".") ? "" : "."}${name}` : `${module}/${name}`,
      );
      if (sub !== undefined && sub !== path) {
        const inner = file.grammar === "python" ? undefined : await opened(sub);
        return inner === undefined ? { is: "module", path: sub } : await exported(inner, name, depth + 1);
      }
      return path === undefined && isForeign(file, module) ? ELSEWHERE : UNRESOLVED;
    } finally {
      busy.delete(key);
    }
  }

  function moduleMeaning(file: SourceFile, module: string): Meaning {
    const path = importedFile(file.path, module);
    return path === undefined ? isForeign(file, module) ? ELSEWHERE : UNRESOLVED : { is: "module", path };
  }

  /** Whether a module that is not in the tree belongs to another package. */
  function isForeign(file: SourceFile, module: string): boolean {
    if (file.grammar === "rust") return !/^(?:crate|self|super)\b/.test(module);
    return !/^[.~@#/]/.test(module) || /^@[\w-]+\//.test(module);
  }

  async function exported(file: SourceFile, name: string, depth: number): Promise<Meaning> {
    if (depth > DEEPEST) return UNRESOLVED;
    const wanted = name === "default" ? defaultName(file) : name;
    if (wanted === undefined) return UNRESOLVED;
    const direct = topLevel(file, wanted);
    if (direct.length > 0) return { is: "declared", targets: direct };
    for (const occurrence of file.occurrences(wanted)) {
      const { imported } = occurrence;
      if (imported === undefined || imported.as !== wanted && imported.as !== "") continue;
      if (imported.as === "" && imported.name !== wanted) continue;
      return await follow(file, imported.module, imported.name, depth + 1);
    }
    const renamed = exportedAs(file, wanted);
    if (renamed !== undefined) return await plain(file, renamed, 0, depth + 1);
    for (const module of starImports(file.text, file.grammar)) {
      const meaning = await follow(file, module, wanted, depth + 1);
      if (meaning.is === "declared") return meaning;
    }
    return UNRESOLVED;
  }

  function defaultName({ text }: SourceFile): string | undefined {
    return /\bexport\s+default\s+(?:async\s+)?(?:abstract\s+)?(?:function\b\s*\*?|class\b)?\s*([\w$]+)/.exec(text)
      ?.[1] ??
      /\bmodule\.exports\s*=\s*([\w$]+)\s*;?\s*$/m.exec(text)?.[1];
  }

  function exportedAs({ text }: SourceFile, name: string): string | undefined {
    const safe = name.replace(/\$/g, "\\$&");
    return new RegExp(`\\bexport\\s*\\{[^}]*?\\b([\\w$]+)\\s+as\\s+${safe}\\b`).exec(text)?.[1];
  }

  async function inModule(file: SourceFile, path: string, name: string, depth: number): Promise<Meaning> {
    if (file.grammar === "go") {
      const folder = parentOf(path);
      const targets: Target[] = [];
      for (const other of definingFiles(name).filter((one) => parentOf(one) === folder)) {
        const source = await opened(other);
        if (source !== undefined) targets.push(...topLevel(source, name));
      }
      return declaredMeaning(targets);
    }
    const source = await opened(path);
    if (source === undefined) return UNRESOLVED;
    const meaning = await exported(source, name, depth);
    if (meaning.is !== "unknown") return meaning;
    const sub = importedFile(path, file.grammar === "python" ? `.${name}` : `./${name}`);
    return sub === undefined ? UNRESOLVED : { is: "module", path: sub };
  }

  return { follow, inModule, goModule };
}
