/** Formats an answer about a symbol as text: definitions, then places by file, as many as fit. @module */
import { lineTokens } from "../../core/tokens.ts";
import type { SymbolAnswer, SymbolDefinition, SymbolPlace } from "../../code_search/symbols/symbol.ts";
import { showWire } from "../fs/tree_text.ts";

/** Text, and how many places are in it. */
export interface SymbolText {
  readonly lines: readonly string[];
  readonly shownPlaces: number;
}

/** A definition in one row: where it is, what it is, and its line. */
function definitionRow({ path, line, end_line, kind, name, text }: SymbolDefinition): string {
  const lines = end_line > line ? `${line}-${end_line}` : `${line}`;
  return `${showWire(path)}:${lines} ${kind} ${name}: ${text}`;
}

function outlineRow({ line, end_line, kind, name, text }: SymbolDefinition): string {
  const depth = name.split(".").length - 1;
  return `${"  ".repeat(depth)}${end_line > line ? `${line}-${end_line}` : line} ${kind}: ${text}`;
}

/** A question mark behind the line says that only the name is the same. */
function placeRow({ line, inside, text, certain }: SymbolPlace): string {
  return `${line}${certain ? "" : "?"}${inside === "" ? "" : ` ${inside}`}: ${text}`;
}

/** Sets an answer out. @param maxTokens Estimated tokens; no bound when absent. */
export function symbolText({ want, definitions, places }: SymbolAnswer, maxTokens = Infinity): SymbolText {
  const lines: string[] = [];
  let tokens = 0, shownPlaces = 0, path: string | null = null;
  const fits = (rows: readonly string[]) => {
    const more = rows.reduce((sum, row) => sum + lineTokens(row), 0);
    if (tokens + more > maxTokens && lines.length > 0) return false;
    tokens += more;
    lines.push(...rows);
    return true;
  };
  for (const one of definitions) if (!fits([want === "outline" ? outlineRow(one) : definitionRow(one)])) break;
  for (const place of places) {
    const head = place.path === path ? [] : [showWire(place.path)];
    if (!fits([...head, placeRow(place)])) break;
    path = place.path;
    shownPlaces++;
  }
  return { lines, shownPlaces };
}
