/** Finds the uses of chosen definitions in files that hold their name. @module */
import { makePacer } from "../../sys/pacer.ts";
import type { UnseenCounter } from "./left_out.ts";
import type { Occurrence } from "./occurrence.ts";
import type { Resolver } from "./resolve.ts";
import { type SourceFile, wordPlaces } from "./source_file.ts";
import { placeOf } from "./symbol_places.ts";
import type { SymbolPlace } from "./symbol.ts";
import { isSame, nameOf, type Target } from "./target.ts";

/** What was not looked at when the time of a question was over. */
export const LATE = "not looked at, time was over";
const TEXT = "found as text, the language has no grammar here";

/** What is looked for, and where. */
export interface WantedUses {
  readonly name: string;
  readonly sources: readonly SourceFile[];
  readonly chosen: readonly Target[];
  readonly resolver: Resolver;
  readonly leftOut: UnseenCounter;
  readonly isLate: () => boolean;
  readonly signal: AbortSignal;
  wanted(occurrence: Occurrence, file: SourceFile): boolean;
}

/** Whether an occurrence is a use of the chosen definitions: `certain`, `by name`, or not at all. */
async function judge(
  file: SourceFile,
  name: string,
  occurrence: Occurrence,
  chosen: readonly Target[],
  resolver: Resolver,
): Promise<"certain" | "by name" | "none"> {
  const meaning = await resolver.resolve(file, name, occurrence);
  if (meaning.is === "declared") {
    if (meaning.targets.some((target) => chosen.some((one) => isSame(one, target)))) return "certain";
    return await isRelated(meaning.targets, chosen, resolver) ? "by name" : "none";
  }
  if (meaning.is !== "unknown") return "none";
  const isMember = occurrence.receiver !== undefined;
  return chosen.length === 0 || chosen.some(({ declared }) => (declared.kind === "member") === isMember)
    ? "by name"
    : "none";
}

/** Whether members of one name belong to types of which one is made from the other. */
async function isRelated(targets: readonly Target[], chosen: readonly Target[], resolver: Resolver): Promise<boolean> {
  for (const one of chosen) {
    for (const target of targets) {
      if (one.declared.kind !== "member" || target.declared.kind !== "member") continue;
      const a = await resolver.ownerOf(one), b = await resolver.ownerOf(target);
      if (a === undefined || b === undefined) continue;
      if (await resolver.isMadeFrom(a, nameOf(b)) === true || await resolver.isMadeFrom(b, nameOf(a)) === true) {
        return true;
      }
    }
  }
  return false;
}

/** The uses, in the order of the files; what is not looked at is counted. */
export async function findUses(
  { name, sources, chosen, resolver, leftOut, isLate, signal, wanted }: WantedUses,
): Promise<SymbolPlace[]> {
  const places: SymbolPlace[] = [], pace = makePacer(signal);
  for (const file of sources) {
    const occurrences = file.occurrences(name);
    let mentions = wordPlaces(file.text, name).length - occurrences.length - file.leftOut(name);
    for (const occurrence of occurrences) {
      await pace();
      if (occurrence.declared !== undefined) continue;
      if (isLate()) {
        leftOut.add(LATE, file.path);
        continue;
      }
      const verdict = await judge(file, name, occurrence, chosen, resolver);
      if (verdict === "none") continue;
      if (wanted(occurrence, file)) places.push(placeOf(file, occurrence, verdict === "certain"));
      const alias = occurrence.imported?.as ?? "";
      if (alias === name || alias === "" || occurrence.imported?.name !== name) continue;
      for (const other of file.occurrences(alias)) {
        if (other.declared !== undefined || other.imported !== undefined || !wanted(other, file)) continue;
        if (await judge(file, alias, other, chosen, resolver) === "certain") places.push(placeOf(file, other, true));
      }
    }
    mentions = Math.max(0, mentions);
    if (mentions > 0) leftOut.add("not included, in comments and strings", file.path, mentions);
  }
  return places;
}

/** Uses in files without a grammar, by their text. */
export function textUses(
  texts: readonly string[],
  name: string,
  read: (path: string) => string,
  leftOut: UnseenCounter,
): SymbolPlace[] {
  return texts.flatMap((path) => {
    const text = read(path), lines = text.split("\n");
    const found: SymbolPlace[] = [];
    for (const [row, line] of lines.entries()) {
      for (const at of wordPlaces(line, name)) {
        found.push({
          path,
          line: row + 1,
          column: at + 1,
          text: line.trim().slice(0, 160),
          inside: "",
          certain: false,
        });
      }
    }
    if (found.length > 0) leftOut.add(TEXT, path, found.length);
    return found;
  });
}
