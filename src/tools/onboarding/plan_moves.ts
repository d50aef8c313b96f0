/** Plans which files of a folder go where, without file system access. @module */
import { folderFor, isUnfinished, numberedName } from "./file_groups.ts";

/** One file to move: names below the folder that is organised. */
export interface Move {
  readonly from: string;
  readonly folder: string;
  /** Its name there. */
  readonly name: string;
}

/** Why files stay where they are. */
export type StayReason =
  | "of unknown type"
  | "unfinished downloads"
  | "changed just now"
  | "with names that are not text"
  | "whose folder's name is taken"
  | "whose every name is taken";

/** What is to be done. */
export interface MovePlan {
  readonly moves: readonly Move[];
  /** Moves that got a number because the name is taken. */
  readonly numbered: number;
  readonly staying: ReadonlyMap<StayReason, number>;
}

/** What there is. */
export interface FolderContent {
  /** Regular files that are not hidden. */
  readonly files: readonly { readonly name: string; readonly isFresh: boolean }[];
  /** Names of everything else: folders, links, devices. */
  readonly others: readonly { readonly name: string; readonly isFolder: boolean }[];
  /** Names in the folders that exist already. */
  readonly inside: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Names tried before a file is left where it is. */
const MAX_NUMBER = 99;

/** Plans. A name that is taken gets a number; nothing is ever replaced. */
export function planMoves(content: FolderContent): MovePlan {
  const moves: Move[] = [], staying = new Map<StayReason, number>(), taken = new Map<string, Set<string>>();
  for (const file of content.files) {
    const place = reasonToStay(file) ?? placeFor(file.name, content, taken);
    if (typeof place === "string") staying.set(place, (staying.get(place) ?? 0) + 1);
    else moves.push(place);
  }
  return { moves, numbered: moves.filter(({ from, name }) => from !== name).length, staying };
}

function reasonToStay({ name, isFresh }: FolderContent["files"][number]): StayReason | null {
  if (isUnfinished(name)) return "unfinished downloads";
  if (!name.isWellFormed() || name.includes("\ufffd")) return "with names that are not text";
  return isFresh && folderFor(name) !== null ? "changed just now" : null;
}

/** Where a file goes; what it takes there is noted in `taken`. */
function placeFor(from: string, content: FolderContent, taken: Map<string, Set<string>>): Move | StayReason {
  const group = folderFor(from);
  if (group === null) return "of unknown type";
  const folder = spelledFolder(group, content);
  if (folder === null) return "whose folder's name is taken";
  const names = taken.get(folder) ?? new Set(content.inside.get(folder));
  const name = freeName(from, names);
  if (name === null) return "whose every name is taken";
  taken.set(folder, names.add(name));
  return { from, folder, name };
}

/** The folder as it is spelled already (`images`); null when something else has its name. */
function spelledFolder(group: string, { files, others }: FolderContent): string | null {
  if (files.some(({ name }) => name === group)) return null;
  const exact = others.find(({ name }) => name === group);
  if (exact) return exact.isFolder ? group : null;
  return others.find(({ name, isFolder }) => isFolder && name.toLowerCase() === group.toLowerCase())?.name ?? group;
}

function freeName(name: string, names: ReadonlySet<string>): string | null {
  if (!names.has(name)) return name;
  for (let number = 2; number <= MAX_NUMBER; number++) {
    const candidate = numberedName(name, number);
    if (!names.has(candidate)) return candidate;
  }
  return null;
}
