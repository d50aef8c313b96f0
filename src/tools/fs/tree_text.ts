/** Formats a listing as a tree of names, one per line. @module */
import { shortSize } from "../../core/bytes.ts";
import { parentOf } from "../../core/path.ts";
import { showName } from "../../core/escape_name.ts";

/** What is shown of an entry. */
export interface ListedEntry {
  /** Path below the listed directory. */
  readonly path: string;
  readonly type: string;
  readonly size_bytes?: number | undefined;
  readonly symlink_target?: string | undefined;
}

/** What is not in a listing. */
export interface LeftOut {
  /** Path of a directory below the listed one; "" is that one. */
  readonly path: string;
  readonly count: number;
  /** Why it could not be read, when that is the reason. */
  readonly reason?: string | undefined;
}

/** Sizes cost tokens: they are shown where they should warn a reader. */
const LARGE_BYTES = 100_000;

/** Lines of a tree: two blanks for each level, directories with a slash. */
export function treeLines(entries: readonly ListedEntry[], omitted: readonly LeftOut[]): string[] {
  const children = Map.groupBy(entries, ({ path }) => parentOf(path));
  const leftOut = new Map(omitted.map((one) => [one.path, one]));
  const lines: string[] = [];
  const add = (parent: string, indent: string): void => {
    for (const entry of children.get(parent) ?? []) {
      const name = entry.path.slice(parent === "" ? 0 : parent.length + 1);
      lines.push(indent + row(name, entry, leftOut.get(entry.path)?.reason));
      if (entry.type === "dir") add(entry.path, `${indent}  `);
    }
    const more = leftOut.get(parent)?.count ?? 0;
    if (more > 0) lines.push(`${indent}… ${more} more`);
  };
  add("", "");
  return lines;
}

/** Lines of a flat list: whole paths. */
export function pathLines(entries: readonly ListedEntry[]): string[] {
  return entries.map((entry) => row(entry.path, entry, undefined));
}

function row(name: string, { type, size_bytes = 0, symlink_target }: ListedEntry, fault: string | undefined): string {
  const shown = showWire(name);
  if (type === "dir") return fault === undefined ? `${shown}/` : `${shown}/ (${fault})`;
  if (type === "symlink") return `${shown} -> ${showName(symlink_target ?? "?")}`;
  if (type !== "file") return `${shown}  ${type}`;
  return size_bytes >= LARGE_BYTES ? `${shown}  ${shortSize(size_bytes)}` : shown;
}

/** Parts that already are escaped, because JSON could not carry them, stay as they are. */
export function showWire(path: string): string {
  return path.includes('"') && /"[^/]*\\x[89a-f][^/]*"/.test(path) ? path : showName(path);
}
