/** Defines what a name is found to mean. @module */
import type { Declared } from "./declaration.ts";
import type { Occurrence } from "./occurrence.ts";
import type { SourceFile } from "./source_file.ts";

/** A declaration and where it is. */
export interface Target {
  readonly file: SourceFile;
  readonly occurrence: Occurrence;
  readonly declared: Declared;
}

/** What a name is found to mean. */
export type Meaning =
  | { readonly is: "declared"; readonly targets: readonly Target[] }
  /** A module of the tree; of Go a folder. */
  | { readonly is: "module"; readonly path: string }
  /** Something that is not declared in the tree, or a local of another name. */
  | { readonly is: "elsewhere" }
  | { readonly is: "unknown" };

export const ELSEWHERE: Meaning = { is: "elsewhere" }, UNRESOLVED: Meaning = { is: "unknown" };

/** Declarations, or nothing known when there are none. */
export const declaredMeaning = (targets: readonly Target[]): Meaning =>
  targets.length === 0 ? UNRESOLVED : { is: "declared", targets };

/** Whether two occurrences are the same one. */
export function isSame(a: Target, b: Target): boolean {
  return a.file.path === b.file.path && a.occurrence.start === b.occurrence.start;
}

/** Declarations of a name that other files can see, without members. */
export function topLevel(file: SourceFile, name: string): Target[] {
  return file.occurrences(name).flatMap((occurrence) => {
    const { declared } = occurrence;
    return declared?.isOutside && declared.kind !== "member" ? [{ file, occurrence, declared }] : [];
  });
}

/** The name that a declaration gives. */
export function nameOf({ file, occurrence }: Target): string {
  return file.text.slice(occurrence.start, occurrence.end);
}

/** Names of a type as its members' owner; languages write it with and without what it is generic over. */
export const ownerName = (name: string): string => name.replace(/[<[(][\s\S]*/, "").split(/::|\.|\\/).at(-1) ?? name;

/** Whether a C function or variable is `static`. */
export function isFileOnly({ file, declared }: Target): boolean {
  return (file.grammar === "c" || file.grammar === "cpp") &&
    /^\s*(?:\w+\s+)?static\b/.test(file.text.slice(declared.whole.start, declared.whole.start + 80));
}
