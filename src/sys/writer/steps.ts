/** Steps of a commit: preparation under temporary names, the change itself, and the rollback. @module */
import { parentOf } from "../../core/path.ts";
import { OpsError } from "../../core/error.ts";
import type { FileChange } from "../../core/edit/planned_files.ts";
import type { BackupSet } from "./backup.ts";
import {
  claimName,
  type ContentDeps,
  hasOtherNames,
  needsInPlace,
  putInPlace,
  regularOrNull,
  replaceContent,
  requireWritable,
  stageFile,
} from "./content.ts";
import { makeDirectories } from "./directories.ts";
import { cutToLength, extend, overwrite, putBack, readOld, writeInPlace } from "./in_place.ts";
import { moveEntry } from "./move.ts";
import { errnoOf, lstatOrNull, removeQuietly } from "./ops.ts";
import { temporaryBeside } from "./paths.ts";

/** One step. Paths are real; no path is the subject of two steps. */
export type Step = FileChange;

/** What a commit needs. */
export interface CommitDeps extends ContentDeps {
  readonly backups: BackupSet;
  /** Called with a file's state before it is replaced; throws when it is not what was read. */
  readonly check: (path: string, info: Deno.FileInfo | null) => void;
}

/** Undoes or ends one thing. */
export type Action = () => Promise<void>;

/** A commit under way. */
export interface Commit extends CommitDeps {
  /** The way back, to be walked from its end. */
  readonly undo: Action[];
  /** What is left to do when all is well. */
  readonly finish: Action[];
}

/**
 * A step whose preparation is done. The parts of all steps run in this order: first what may still meet a full disk,
 * then the exchanges of names, whose way back needs no space, last what cannot fail for want of space.
 */
export interface Prepared {
  readonly path: string;
  readonly reserve?: Action;
  readonly exchange?: Action;
  readonly end?: readonly Action[];
}

/** Does everything for a step that needs space or can be refused; nothing that others see changes yet. */
export function prepare(commit: Commit, step: Step): Promise<Prepared> {
  switch (step.do) {
    case "write":
      return prepareWrite(commit, step.path, step.data, step.mode);
    case "create":
      return prepareCreate(commit, step.path, step.data, step.mode);
    case "move":
      return step.data === undefined
        ? prepareMove(commit, step.source, step.path)
        : prepareMoveAndWrite(commit, step.source, step.path, step.data, step.mode);
    case "remove":
      return prepareRemove(commit, step.path);
    case "mode":
      return prepareMode(commit, step.path, step.mode);
  }
}

async function prepareWrite(commit: Commit, path: string, data: Uint8Array, mode?: number): Promise<Prepared> {
  const { ops, undo } = commit;
  const info = await existing(commit, path);
  await requireWritable(ops, path);
  await commit.backups.keep(path, info);
  if (hasOtherNames(info)) return inPlace(commit, path, data);
  try {
    const staged = await stageFile(commit, path, data, mode === undefined ? info : { ...info, mode });
    undo.push(() => removeQuietly(ops, staged.path));
    await keepOld(commit, path);
    return { path, exchange: () => exchange(commit, path, staged.path, data) };
  } catch (error) {
    if (!needsInPlace(error)) throw error;
    return inPlace(commit, path, data);
  }
}

/** Gives the old file a second name until the commit has ended: the way back then needs no space. */
async function keepOld(commit: Commit, path: string): Promise<void> {
  const { ops, undo, finish } = commit;
  const kept = temporaryBeside(path);
  try {
    await ops.link(path, kept);
  } catch (error) {
    if (!["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"].includes(errnoOf(error))) {
      throw error;
    }
    // No hard links here, or not for files of others: the old content has to be remembered instead.
    const old = await readOld(ops, path, 0);
    undo.push(() => replaceContent(commit, path, old.data));
    return;
  }
  undo.push(async () => {
    await ops.rename(kept, path);
    await removeQuietly(ops, kept); // a rename onto another name of the same file does nothing
  });
  finish.push(() => removeQuietly(ops, kept));
}

/** Puts a staged file in the place of the old one. */
async function exchange({ ops, undo, check }: Commit, path: string, staged: string, data: Uint8Array): Promise<void> {
  check(path, await lstatOrNull(ops, path));
  try {
    await putInPlace(ops, { path: staged }, path);
  } catch (error) {
    if (!needsInPlace(error)) throw error;
    const old = await readOld(ops, path, data.length);
    await writeInPlace(ops, path, data);
    undo.push(() => putBack(ops, path, old));
  }
}

async function inPlace(commit: Commit, path: string, data: Uint8Array): Promise<Prepared> {
  const { ops, undo } = commit;
  const old = await readOld(ops, path, data.length);
  return {
    path,
    async reserve() {
      commit.check(path, await lstatOrNull(ops, path));
      undo.push(() => putBack(ops, path, old));
      await extend(ops, path, data, old);
    },
    end: [() => overwrite(ops, path, data, old), () => cutToLength(ops, path, data, old)],
  };
}

async function prepareCreate(commit: Commit, path: string, data: Uint8Array, mode?: number): Promise<Prepared> {
  const { ops, undo } = commit;
  await makeRoom(commit, path);
  const staged = await stageFile(commit, path, data, null, mode);
  undo.push(() => removeQuietly(ops, staged.path));
  const apply = async () => {
    await claimName(ops, staged, path);
    undo.push(() => ops.remove(path));
  };
  return { path, exchange: apply };
}

async function prepareMove(commit: Commit, source: string, path: string): Promise<Prepared> {
  await existing(commit, source);
  await makeRoom(commit, path);
  const how = { show: commit.display, copyAttributes: commit.copyAttributes };
  const apply = async () => {
    await moveEntry(commit.ops, source, path, { ...how, overwrite: false });
    // By rename, which needs no space; the old name is still free, or the error says that it is not.
    commit.undo.push(async () => {
      const taken = await lstatOrNull(commit.ops, source) !== null;
      await moveEntry(commit.ops, path, source, { ...how, overwrite: !taken });
    });
  };
  return { path, exchange: apply };
}

async function prepareMoveAndWrite(
  commit: Commit,
  source: string,
  path: string,
  data: Uint8Array,
  mode?: number,
): Promise<Prepared> {
  const { ops, undo } = commit;
  const info = await existing(commit, source);
  await commit.backups.keep(source, info);
  await makeRoom(commit, path);
  const staged = await stageFile(commit, path, data, mode === undefined ? info : { ...info, mode }, undefined, source);
  undo.push(() => removeQuietly(ops, staged.path));
  const apply = async () => {
    commit.check(source, await lstatOrNull(ops, source));
    await claimName(ops, staged, path);
    undo.push(() => ops.remove(path));
    await setAside(commit, source);
  };
  return { path, exchange: apply };
}

async function prepareRemove(commit: Commit, path: string): Promise<Prepared> {
  await commit.backups.keep(path, await existing(commit, path));
  const apply = async () => {
    commit.check(path, await lstatOrNull(commit.ops, path));
    await setAside(commit, path);
  };
  return { path, exchange: apply };
}

async function setAside({ ops, undo, finish }: Commit, path: string): Promise<void> {
  const kept = temporaryBeside(path);
  await ops.rename(path, kept);
  undo.push(() => ops.rename(kept, path));
  finish.push(() => removeQuietly(ops, kept));
}

async function prepareMode(commit: Commit, path: string, mode: number): Promise<Prepared> {
  const info = await existing(commit, path);
  const apply = async () => {
    await commit.ops.chmod(path, mode);
    commit.undo.push(() => commit.ops.chmod(path, (info.mode ?? 0o644) & 0o7777));
  };
  return { path, exchange: apply };
}

async function existing({ ops, display }: Commit, path: string): Promise<Deno.FileInfo> {
  const info = await regularOrNull({ ops, display }, path);
  if (info === null) throw new OpsError("NOT_FOUND", `'${display(path)}' does not exist`);
  return info;
}

/** Makes the directories of a new file; refuses a name that is taken. */
async function makeRoom({ ops, undo, display }: Commit, path: string): Promise<void> {
  for (const made of await makeDirectories(ops, parentOf(path))) undo.push(() => ops.remove(made));
  if (await lstatOrNull(ops, path) !== null) {
    throw new OpsError("INVALID_ARGUMENT", `'${display(path)}' already exists`);
  }
}
