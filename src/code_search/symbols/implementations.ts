/** Finds the types that are made from a type, and the members that replace a member. @module */
import type { Resolver } from "./resolve.ts";
import { nameOf, type Target } from "./target.ts";
import type { SourceFile } from "./source_file.ts";
import { placeOf } from "./symbol_places.ts";
import type { SymbolPlace } from "./symbol.ts";

/** Places of the implementations of the chosen definitions. */
export async function findImplementations(
  sources: readonly SourceFile[],
  name: string,
  chosen: readonly Target[],
  resolver: Resolver,
): Promise<SymbolPlace[]> {
  const places: SymbolPlace[] = [];
  const members = chosen.filter(({ declared }) => declared.kind === "member");
  for (const file of sources) {
    for (const occurrence of file.occurrences(name)) {
      const { declared, isHeritage, type } = occurrence;
      if (isHeritage && type !== null) {
        const meaning = await resolver.resolve(file, name, occurrence);
        const isOne = meaning.is === "declared" &&
          meaning.targets.some(({ file: { path }, occurrence: { start } }) =>
            chosen.some((one) => one.file.path === path && one.occurrence.start === start)
          );
        if (isOne || meaning.is === "unknown") places.push({ ...placeOf(file, occurrence, isOne), inside: type.name });
      }
      if (declared?.kind !== "member") continue;
      const target: Target = { file, occurrence, declared };
      for (const one of members) {
        const base = await resolver.ownerOf(one), own = await resolver.ownerOf(target);
        if (base === undefined || own === undefined || own === base) continue;
        const isMade = await resolver.isMadeFrom(own, nameOf(base));
        if (isMade === true) places.push({ ...placeOf(file, occurrence, true), inside: `${declared.owner}.${name}` });
      }
    }
  }
  return places;
}
