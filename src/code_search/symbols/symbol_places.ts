/** Describes places and definitions of symbols for an answer. @module */
import type { Occurrence } from "./occurrence.ts";
import { nameOf, type Target } from "./target.ts";
import type { SourceFile } from "./source_file.ts";
import type { SymbolDefinition, SymbolPlace } from "./symbol.ts";

const LONGEST_LINE = 160;

function shownLine(file: SourceFile, row: number): string {
  const line = file.lineAt(row).trim();
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line;
}

/** A use as an answer shows it. */
export function placeOf(file: SourceFile, { start, inside }: Occurrence, certain: boolean): SymbolPlace {
  const row = file.rowOf(start);
  const column = start - file.text.lastIndexOf("\n", start - 1);
  return { path: file.path, line: row + 1, column, text: shownLine(file, row), inside: inside.join("."), certain };
}

/** A definition as an answer shows it. */
export function definitionOf(target: Target): SymbolDefinition {
  const { file, occurrence, declared } = target;
  const row = file.rowOf(occurrence.start);
  const around = declared.owner !== "" && occurrence.inside.at(-1) !== declared.owner
    ? [...occurrence.inside, declared.owner]
    : occurrence.inside;
  return {
    path: file.path,
    line: row + 1,
    end_line: file.rowOf(Math.max(declared.whole.start, declared.whole.end - 1)) + 1,
    kind: declared.kind,
    name: [...around, nameOf(target)].join("."),
    text: shownLine(file, row),
  };
}
