/** Plans a diff over several files without changing anything. @module */
import type { FilePatch } from "./hunk.ts";
import { encodeText } from "../bytes.ts";
import { OpsError } from "../error.ts";
import { applyHunks, type FailedHunk } from "./apply_hunks.ts";
import { type Edit, refuseReplacementCharacters } from "./edits.ts";
import { type DiffTree, type FileChange, PlannedFiles } from "./planned_files.ts";
import { encodeFile } from "./text_file.ts";

/** What the diff does to one file. */
export interface PlannedFile {
  readonly path: string;
  /** Where a renamed or copied file comes from. */
  readonly source?: string;
  readonly action: FilePatch["action"];
  readonly hunks: number;
  /** Offsets of the hunks that are not where their header says. */
  readonly offsets: readonly number[];
  /** Most context lines that had to be left out. */
  readonly fuzz: number;
  /** Text before, and the edits that make it the text after. */
  readonly before: string;
  readonly edits: readonly Edit[];
}

/** Hunks of one file that do not fit. */
export interface RejectedFile {
  /** As the diff names it. */
  readonly name: string;
  readonly text: string;
  readonly hunkCount: number;
  readonly failed: readonly FailedHunk[];
}

/** The outcome: everything, or what stands in the way. */
export type DiffPlan =
  | { readonly ok: true; readonly files: readonly PlannedFile[]; readonly changes: readonly FileChange[] }
  | { readonly ok: false; readonly rejected: readonly RejectedFile[] };

/**
 * Plans a diff.
 *
 * @param onFile Called before each file with the number of those that are done; may throw to stop.
 * @throws OpsError NOT_FOUND for a file that is not there, DIFF_REJECTED for one that should not be there or is a link,
 *   INVALID_ARGUMENT for content that cannot be edited as text; whatever the tree throws.
 */
export async function planDiff(
  patches: readonly FilePatch[],
  tree: DiffTree,
  onFile: (done: number) => void = () => {},
): Promise<DiffPlan> {
  const planner = new Planner(tree);
  for (const [done, patch] of patches.entries()) {
    onFile(done);
    await planner.add(patch);
  }
  const { files, rejected } = planner;
  return rejected.length > 0 ? { ok: false, rejected } : { ok: true, files, changes: await planner.planned.changes() };
}

/** How hunks went. */
interface Outcome {
  /** Null when there were none. */
  readonly data: Uint8Array | null;
  readonly before: string;
  readonly edits: readonly Edit[];
  readonly offsets: readonly number[];
  readonly fuzz: number;
}

const NOTHING: Outcome = { data: null, before: "", edits: [], offsets: [], fuzz: 0 };

class Planner {
  readonly planned: PlannedFiles;
  readonly files: PlannedFile[] = [];
  readonly rejected: RejectedFile[] = [];
  readonly #tree: DiffTree;

  constructor(tree: DiffTree) {
    this.#tree = tree;
    this.planned = new PlannedFiles(tree);
  }

  async add(patch: FilePatch): Promise<void> {
    const found = patch.action === "create" ? null : await this.planned.find(patch.source);
    if (found === null) {
      if (patch.action === "create" || createsSilently(patch)) return await this.#create(patch);
      throw new OpsError("NOT_FOUND", `the diff changes '${patch.source[0]}', which does not exist`, HOW_TO_NAME);
    }
    const { name, path } = found;
    if (patch.action === "delete" || patch.action === "rename") await this.#refuseLink(name, path);
    const outcome = await this.#apply(patch, name, path);
    if (outcome === null) return;
    if (patch.action === "rename" || patch.action === "copy") return await this.#carry(patch, path, outcome);
    const empty = outcome.data?.length === 0;
    if (patch.action === "delete" && outcome.data !== null && !empty) {
      throw rejection(name, "has other content than the diff deletes");
    }
    if (patch.action === "delete" || (empty && saysAbsent(patch))) {
      this.planned.remove(path);
      return this.#report("delete", patch, path, outcome);
    }
    this.planned.update(path, outcome.data, await this.#newMode(patch, path));
    this.#report("modify", patch, path, outcome);
  }

  async #create(patch: FilePatch): Promise<void> {
    const name = patch.target[0] ?? "";
    const path = await this.#tree.place(name);
    if (await this.planned.exists(path) && (await this.planned.content(path)).length > 0) {
      throw rejection(name, "already exists");
    }
    const text = patch.hunks.flatMap(({ lines }) => lines).filter(({ op }) => op !== "-")
      .map((line) => line.text + (line.ended ? "\n" : "")).join("");
    refuseReplacementCharacters("", text, "diff_text");
    const mode = patch.mode === null ? null : (patch.mode & 0o111) === 0 ? 0o666 : 0o777;
    const data = encodeText(text);
    if (await this.planned.exists(path)) this.planned.update(path, data, null);
    else this.planned.create(path, data, mode);
    this.#report("create", patch, path, { ...NOTHING, edits: [{ start: 0, end: 0, insert: text }] });
  }

  async #carry(patch: FilePatch, source: string, outcome: Outcome): Promise<void> {
    const name = patch.target[0] ?? "";
    const path = await this.#tree.place(name);
    if (path !== source) {
      if (await this.planned.exists(path)) throw rejection(name, "already exists");
      if (patch.action === "rename") this.planned.rename(source, path);
      else this.planned.create(path, await this.planned.content(source), await this.planned.mode(source));
    }
    this.planned.update(path, outcome.data, await this.#newMode(patch, path));
    this.#report(patch.action, patch, path, outcome, source);
  }

  /** Null when hunks do not fit; they are noted then. */
  async #apply(patch: FilePatch, name: string, path: string): Promise<Outcome | null> {
    if (patch.hunks.length === 0) return NOTHING;
    const file = this.#tree.decode(await this.planned.content(path), `'${name}'`);
    const result = applyHunks(file, patch.hunks, `'${name}'`);
    if (!result.ok) {
      this.rejected.push({ name, text: file.text, hunkCount: patch.hunks.length, failed: result.failed });
      return null;
    }
    return {
      data: encodeFile({ ...file, text: result.text }),
      before: file.text,
      edits: result.edits,
      offsets: result.hunks.map(({ offset }) => offset).filter((offset) => offset !== 0),
      fuzz: Math.max(...result.hunks.map(({ fuzz }) => fuzz)),
    };
  }

  /** Git knows only whether a file is executable; the other bits are the file's own. */
  async #newMode({ mode }: FilePatch, path: string): Promise<number | null> {
    if (mode === null) return null;
    const current = await this.planned.mode(path);
    return (mode & 0o111) === 0 ? current & ~0o111 : current | ((current & 0o444) >> 2);
  }

  async #refuseLink(name: string, path: string): Promise<void> {
    if (await this.#tree.entry(name) === path) return;
    const hint = "Nothing was changed. Use linux_fs_move or linux_fs_delete for the link, or name its target.";
    throw new OpsError("DIFF_REJECTED", `'${name}' is a symbolic link`, hint);
  }

  #report(action: FilePatch["action"], patch: FilePatch, path: string, outcome: Outcome, source?: string): void {
    const { before, edits, offsets, fuzz } = outcome;
    const file = { path, action, hunks: patch.hunks.length, offsets, fuzz, before, edits };
    this.files.push(source === undefined ? file : { ...file, source });
  }
}

const HOW_TO_NAME =
  "Names in a diff start at the working directory, with or without a/ and b/; 'path' names another directory.";

/** Only lines to add, where an empty file would have them: the diff makes the file without saying so. */
function createsSilently({ action, hunks, target, mayBeAbsent }: FilePatch): boolean {
  const [hunk, ...others] = hunks;
  if (action !== "modify" || target.length === 0 || hunk === undefined || others.length > 0) return false;
  return hunk.lines.every(({ op }) => op === "+") && (hunk.oldStart === 0 || mayBeAbsent);
}

/** GNU diff gives a file that is gone the time stamp 0 and no new lines. */
function saysAbsent({ mayBeAbsent, hunks }: FilePatch): boolean {
  return mayBeAbsent && hunks.every(({ newCount }) => newCount === 0);
}

function rejection(name: string, what: string): OpsError {
  return new OpsError(
    "DIFF_REJECTED",
    `'${name}' ${what}`,
    "Nothing was changed. Read the file, and send a diff that fits it.",
  );
}
