/** Finds every place that changes when a symbol is renamed, and what the new name would meet. @module */
import type { Occurrence } from "./occurrence.ts";
import type { SourceFile } from "./source_file.ts";
import { placeOf } from "./symbol_places.ts";
import type { SymbolPlace } from "./symbol.ts";
import { isSame, nameOf, type Target } from "./target.ts";
import { findUses, type WantedUses } from "./uses.ts";

/** What a rename changes, and what prevents it. */
export interface Renamed {
  readonly places: readonly SymbolPlace[];
  readonly clashes: readonly SymbolPlace[];
}

/** A use in its file. */
interface Found {
  readonly file: SourceFile;
  readonly occurrence: Occurrence;
}

/** A member and those that replace it, or that it replaces: they have one name. */
async function family({ name, sources, chosen, resolver }: Omit<WantedUses, "wanted">): Promise<Target[]> {
  const all = [...chosen];
  const members = chosen.filter(({ declared }) => declared.kind === "member");
  if (members.length === 0) return all;
  for (const file of sources) {
    for (const occurrence of file.occurrences(name)) {
      const { declared } = occurrence;
      const other = declared?.kind === "member" ? { file, occurrence, declared } : undefined;
      if (other === undefined || all.some((one) => isSame(one, other))) continue;
      const own = await resolver.ownerOf(other);
      for (const member of own === undefined ? [] : members) {
        const base = await resolver.ownerOf(member);
        if (base === undefined || own === undefined) continue;
        const isMade = await resolver.isMadeFrom(own, nameOf(base)) === true ||
          await resolver.isMadeFrom(base, nameOf(own)) === true;
        if (isMade || declared?.owner === member.declared.owner && file === member.file) all.push(other);
        if (isMade) break;
      }
    }
  }
  return all;
}

/** Finds the places, definitions and overriding members included. */
export async function findRenamed(wanted: Omit<WantedUses, "wanted">, newName: string): Promise<Renamed> {
  const { name } = wanted, chosen = await family(wanted);
  const isMember = chosen.some(({ declared }) => declared.kind === "member");
  const found: Found[] = chosen.map(({ file, occurrence }) => ({ file, occurrence }));
  const uses = await findUses({
    ...wanted,
    chosen,
    wanted(occurrence, file) {
      const isNamed = file.text.slice(occurrence.start, occurrence.end) === name; // an alias keeps its name
      if (isNamed) found.push({ file, occurrence });
      return isNamed;
    },
  });
  const keeps = isMember ? "variable" as const : "member" as const;
  const places = new Map<string, SymbolPlace>();
  for (const { file, occurrence } of found) {
    const place = placeOf(file, occurrence, true), key = `${place.path}:${place.line}:${place.column}`;
    const certain = chosen.some((one) => one.occurrence === occurrence) ||
      uses.some((use) =>
        use.certain && use.path === place.path && use.line === place.line && use.column === place.column
      );
    const isUsed = certain ||
      uses.some((use) => use.path === place.path && use.line === place.line && use.column === place.column);
    if (isUsed) places.set(key, { ...place, certain, ...occurrence.isShorthand ? { keeps } : {} });
  }
  return { places: [...places.values()], clashes: findClashes(found, chosen, newName, isMember) };
}

/** Declarations of the new name that would hide the renamed symbol, or be hidden by it. */
function findClashes(
  found: readonly Found[],
  chosen: readonly Target[],
  newName: string,
  isMember: boolean,
): SymbolPlace[] {
  const clashes: SymbolPlace[] = [];
  for (const [file, uses] of Map.groupBy(found, (one) => one.file)) {
    for (const other of file.occurrences(newName)) {
      const { declared, imported } = other;
      const isMet = isMember
        ? declared?.kind === "member" && chosen.some((one) => one.declared.owner === declared.owner)
        : imported !== undefined && imported.as === newName ||
          declared?.seen != null &&
            uses.some(({ occurrence: { start } }) =>
              declared.seen && declared.seen.start <= start && start < declared.seen.end
            ) ||
          declared?.seen != null &&
            chosen.some((one) =>
              one.file === file && one.declared.seen && declared.seen && one.declared.seen.start === declared.seen.start
            );
      if (isMet) clashes.push(placeOf(file, other, true));
    }
  }
  return clashes;
}
