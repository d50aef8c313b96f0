/** Resolves an occurrence of a name to its declarations, by scope, import and the type of its object. @module */
import { parentOf } from "../../core/path.ts";
import { goPackage, starImports } from "./import_names.ts";
import type { TextSpan } from "./declaration.ts";
import type { Occurrence } from "./occurrence.ts";
import { makeModuleNames } from "./module_names.ts";
import type { Receiver } from "./receiver.ts";
import type { SourceFile, Workspace } from "./source_file.ts";
import { ELSEWHERE, isFileOnly, type Meaning, nameOf, ownerName, type Target, topLevel, UNRESOLVED } from "./target.ts";

/** What it takes to follow names from file to file. */
export interface ResolverDeps {
  readonly workspace: Workspace;
  /** The file that an import means. */
  readonly importedFile: (from: string, target: string) => string | undefined;
  /** Files that define a name, from the index. */
  readonly definingFiles: (name: string) => readonly string[];
  /** Whether the time of the question is over: what is not resolved then is unknown. */
  readonly isLate: () => boolean;
}

/** Resolves names. */
export interface Resolver {
  /** What an occurrence of a name means. */
  resolve(file: SourceFile, name: string, occurrence: Occurrence): Promise<Meaning>;
  /** Whether a type is made from another one, however far; `unknown` where a base is not known. */
  isMadeFrom(type: Target, name: string): Promise<boolean | "unknown">;
  /** The type that a member belongs to. */
  ownerOf(member: Target): Promise<Target | undefined>;
}

const DEEPEST = 10;

const holds = (span: TextSpan, at: number): boolean => span.start <= at && at < span.end;

/** Makes the resolver of one question. */
export function makeResolver({ workspace, importedFile, definingFiles, isLate }: ResolverDeps): Resolver {
  async function opened(path: string | undefined): Promise<SourceFile | undefined> {
    if (path === undefined) return undefined;
    const file = await workspace.open(path);
    return typeof file === "string" ? undefined : file;
  }

  const { follow, inModule, goModule } = makeModuleNames({ opened, importedFile, definingFiles, plain });

  /** What the innermost scope around a place says of a name. */
  function nearest(file: SourceFile, name: string, at: number): Occurrence[] {
    let best: Occurrence[] = [], size = Infinity;
    for (const one of file.occurrences(name)) {
      const { declared, imported } = one;
      if (imported !== undefined ? imported.as !== name : !declared?.seen || !holds(declared.seen, at)) continue;
      const span = declared?.seen ?? { start: 0, end: file.text.length };
      if (span.end - span.start < size) [best, size] = [[], span.end - span.start];
      if (span.end - span.start === size) best.push(one);
    }
    return best;
  }

  async function plain(file: SourceFile, name: string, at: number, depth = 0): Promise<Meaning> {
    if (depth > DEEPEST || isLate()) return UNRESOLVED;
    const found = nearest(file, name, at);
    const targets = found.flatMap((occurrence) =>
      occurrence.declared === undefined ? [] : [{ file, occurrence, declared: occurrence.declared }]
    );
    if (targets.length > 0) {
      const shared = file.syntax.shares !== "none" &&
        targets.every(({ declared }) => declared.isOutside && declared.kind !== "member");
      return shared ? await sharedMeaning(file, name, targets) : { is: "declared", targets };
    }
    for (const { imported } of found) {
      if (imported !== undefined) return await follow(file, imported.module, imported.name, depth + 1);
    }
    for (
      const module of file.grammar === "typescript" || file.grammar === "javascript" || file.grammar === "tsx"
        ? []
        : starImports(file.text, file.grammar)
    ) {
      const meaning = await follow(file, module, name, depth + 1);
      if (meaning.is === "declared" || meaning.is === "module") return meaning;
    }
    if (file.grammar === "go" && goPackage(file.text, name) !== undefined) return goModule(file, name);
    if (file.syntax.shares !== "none") return await sharedMeaning(file, name, []);
    return file.grammar === "rust" ? UNRESOLVED : ELSEWHERE;
  }

  /** What a name that needs no import means: in its own folder, or in the whole tree. */
  async function sharedMeaning(file: SourceFile, name: string, own: readonly Target[]): Promise<Meaning> {
    const folder = parentOf(file.path), all: Target[] = [...own];
    let others = 0;
    for (const path of definingFiles(name)) {
      if (path === file.path) continue;
      const isNear = parentOf(path) === folder;
      if (file.syntax.shares === "folder" && !isNear) {
        others++;
        continue;
      }
      const other = await opened(path);
      if (other === undefined || other.syntax.shares !== file.syntax.shares) continue;
      all.push(...topLevel(other, name).filter((target) => !isFileOnly(target)));
    }
    if (own.some(isFileOnly)) return { is: "declared", targets: own };
    if (all.length > 0) return { is: "declared", targets: all };
    return others > 0 && file.grammar === "java" ? UNRESOLVED : ELSEWHERE;
  }

  /** The type of an object, or the module that it is. */
  async function meaningOf(
    file: SourceFile,
    receiver: Receiver,
    at: number,
    type: Occurrence["type"],
    depth: number,
  ): Promise<Meaning> {
    if (depth > DEEPEST || isLate()) return UNRESOLVED;
    switch (receiver.is) {
      case "unknown":
        return UNRESOLVED;
      case "literal":
        return ELSEWHERE;
      case "self":
        return type === null ? UNRESOLVED : await plain(file, type.name, type.at, depth + 1);
      case "super": {
        if (type === null) return UNRESOLVED;
        const own = await plain(file, type.name, type.at, depth + 1);
        const target = own.is === "declared" ? own.targets[0] : undefined;
        const base = target?.declared.bases[0];
        return target === undefined || base === undefined
          ? UNRESOLVED
          : await meaningOf(target.file, base, target.declared.whole.start, null, depth + 1);
      }
      case "name":
        return await valueType(
          file,
          await plain(file, receiver.name, receiver.at, depth + 1),
          receiver.name,
          depth + 1,
        );
      case "made": {
        const meaning = await meaningOf(file, receiver.type, at, type, depth + 1);
        return meaning.is === "module" ? UNRESOLVED : meaning;
      }
      case "member": {
        const of = await meaningOf(file, receiver.of, at, type, depth + 1);
        if (of.is === "module") {
          return await valueType(
            file,
            await inModule(file, of.path, receiver.name, depth + 1),
            receiver.name,
            depth + 1,
          );
        }
        if (of.is !== "declared") return of.is === "elsewhere" ? UNRESOLVED : of;
        return await valueType(file, await memberOf(of.targets, receiver.name, depth + 1), receiver.name, depth + 1);
      }
      case "call": {
        const { of } = receiver;
        if (of.is === "name") {
          return await valueType(file, await plain(file, of.name, of.at, depth + 1), of.name, depth + 1);
        }
        return of.is === "member" ? await meaningOf(file, of, at, type, depth + 1) : UNRESOLVED;
      }
    }
  }

  /** The type of what a name means: a type is itself, a value has its type, a call of a function has its result's. */
  async function valueType(file: SourceFile, meaning: Meaning, name: string, depth: number): Promise<Meaning> {
    if (meaning.is !== "declared") return meaning;
    const [first] = meaning.targets;
    if (first === undefined) return UNRESOLVED;
    const { kind, type } = first.declared;
    if (kind === "class" || kind === "type" && type.is === "unknown" || kind === "module") return meaning;
    if (kind === "type") return meaning;
    if (type.is === "name" && type.name === name && first.file === file) return UNRESOLVED;
    return await meaningOf(first.file, type, first.occurrence.start, first.occurrence.type, depth + 1);
  }

  async function memberOf(types: readonly Target[], name: string, depth: number): Promise<Meaning> {
    const owners = new Set(types.map((type) => ownerName(nameOf(type))));
    const found: Target[] = [];
    const look = async (path: string) => {
      const file = await opened(path);
      for (const occurrence of file?.occurrences(name) ?? []) {
        const { declared } = occurrence;
        if (file && declared?.kind === "member" && owners.has(ownerName(declared.owner))) {
          found.push({ file, occurrence, declared });
        }
      }
    };
    const paths = new Set(types.map(({ file }) => file.path));
    for (const path of paths) await look(path);
    const isSplit = types.some(({ file }) => /^(?:go|rust|c|cpp|csharp|ruby)$/.test(file.grammar));
    if (isSplit) { for (const path of definingFiles(name)) if (!paths.has(path)) await look(path); }
    if (found.length > 0) return { is: "declared", targets: found };
    let isKnown = true;
    for (const type of types) {
      for (const base of type.declared.bases) {
        const above = depth > DEEPEST
          ? UNRESOLVED
          : await meaningOf(type.file, base, type.declared.whole.start, null, depth + 1);
        if (above.is !== "declared") {
          isKnown = false;
          continue;
        }
        const meaning = await memberOf(above.targets, name, depth + 1);
        if (meaning.is === "declared") return meaning;
        if (meaning.is === "unknown") isKnown = false;
      }
      if (type.declared.kind === "type" || type.declared.kind === "module") isKnown = false;
    }
    return isKnown && !isSplit ? ELSEWHERE : UNRESOLVED;
  }

  async function isMadeFrom(type: Target, name: string, depth: number): Promise<boolean | "unknown"> {
    if (depth > DEEPEST || isLate()) return "unknown";
    let isKnown = true;
    for (const base of type.declared.bases) {
      const above = await meaningOf(type.file, base, type.declared.whole.start, null, 0);
      if (above.is !== "declared") {
        if (above.is === "unknown") isKnown = false;
        continue;
      }
      for (const target of above.targets) {
        if (nameOf(target) === name) return true;
        const further = await isMadeFrom(target, name, depth + 1);
        if (further === true) return true;
        if (further === "unknown") isKnown = false;
      }
    }
    return isKnown ? false : "unknown";
  }

  return {
    async resolve(file, name, occurrence) {
      const { imported, receiver, declared } = occurrence;
      if (declared !== undefined) return { is: "declared", targets: [{ file, occurrence, declared }] };
      if (imported !== undefined) return await follow(file, imported.module, imported.name, 0);
      if (receiver === undefined) return await plain(file, name, occurrence.start);
      const of = await meaningOf(file, receiver, occurrence.start, occurrence.type, 0);
      if (of.is === "module") return await inModule(file, of.path, name, 0);
      return of.is === "declared" ? await memberOf(of.targets, name, 0) : of;
    },
    isMadeFrom: (type, name) => isMadeFrom(type, name, 0),
    async ownerOf({ file, occurrence, declared }) {
      if (declared.owner === "") return undefined;
      const meaning = await plain(file, declared.owner, occurrence.start);
      return meaning.is === "declared" ? meaning.targets[0] : undefined;
    },
  };
}
