/** Brings the index of one folder up to date with the disk, in small steps. @module */
import { type Database } from "../sys/database.ts";
import { sleep } from "../core/time.ts";
import type { IndexedStamp, IndexedText, IndexFiles, ScanRules } from "../sys/files/index_files.ts";
import type { TreeWatch, TreeWatches } from "../sys/files/tree_watch.ts";
import { makePacer } from "../sys/pacer.ts";
import { type FileEntry, isIndexed, makeFileEntry } from "./file_entry.ts";
import { isForeignFolder } from "./file_rules.ts";
import type { Grammars } from "../sys/grammar.ts";
import {
  getMeta,
  type IndexedFile,
  indexedFiles,
  putFile,
  type ReadFile,
  removeIndexed,
  restampFile,
  setMeta,
} from "./index_writer.ts";
import { makeLease } from "./lease.ts";
import type { Stems } from "./words.ts";

/** What it takes to index. */
export interface IndexingDeps {
  readonly files: IndexFiles;
  readonly grammars: Grammars;
  readonly stems: Stems;
  readonly maxFileBytes: number;
  /** Names this server among those that share the index. */
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Opens a watch of a folder; undefined where every question walks it. */
  readonly watches?: TreeWatches | undefined;
}

/** How far it is; written to while it runs. */
export interface CatchUpState {
  /** Paths that are not indexed as they are now; undefined until the disk was looked through. */
  pending: Set<string> | undefined;
  done: number;
  total: number;
}

/** What was done. */
export interface CatchUpReport {
  readonly files: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Besides the step of the stamps: a change so soon after a file was read may leave its stamp as it was. */
const RACY_MS = 90;
/** A batch is written when it has this many files, or is this old. */
const BATCH_FILES = 64, BATCH_MS = 250;
const LEASE_POLL_MS = 50;

/** Meta key: when the index last changed, ISO time. */
export const INDEXED_AT = "indexed_at";
/** Meta key: set once every file was indexed for the first time. */
export const COMPLETE = "complete";

/** @param racyMs Files that were read so soon after they had changed are read again. */
function isChanged(known: IndexedFile | undefined, { sizeBytes, changedMs }: IndexedStamp, racyMs: number): boolean {
  return known === undefined || known.sizeBytes !== sizeBytes || known.changedMs !== changedMs ||
    Math.abs(known.readMs - changedMs) < racyMs;
}

interface Difference {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

function compare(
  known: ReadonlyMap<string, IndexedFile>,
  found: ReadonlyMap<string, IndexedStamp>,
  racyMs: number,
): Difference {
  const changed = [...found].filter(([path, stamp]) => isChanged(known.get(path), stamp, racyMs)).map(([path]) => path);
  return { changed, removed: [...known.keys()].filter((path) => !found.has(path)) };
}

/** One file that was read, with what goes into the index; without an entry when only its stamp is new. */
interface Prepared {
  readonly file: ReadFile;
  readonly entry?: FileEntry;
}

/**
 * Brings an index up to date. What was done before it is aborted stays done.
 *
 * @param watch Is told what is walked, so that it notices later changes.
 * @throws the reason of `signal`; whatever the database says.
 */
export async function catchUp(
  index: Database,
  root: string,
  deps: IndexingDeps,
  state: CatchUpState,
  signal: AbortSignal,
  watch: TreeWatch | null = null,
): Promise<CatchUpReport> {
  const scan = () => {
    watch?.begin();
    const rules: ScanRules = { enters: (name, near) => !isForeignFolder(name, near), wants: isIndexed };
    return deps.files.scan(root, rules, signal, (path) => watch?.add(path));
  };
  const racyMs = deps.files.stepMs + RACY_MS;
  const versionOf = () => index.prepare("pragma data_version").get()?.data_version;
  const version = versionOf();
  let found = await scan();
  let { changed, removed } = compare(indexedFiles(index), found, racyMs);
  state.pending = new Set([...changed, ...removed]);
  state.done = 0;
  state.total = state.pending.size;
  const report = { files: found.size, added: 0, changed: 0, removed: 0 };
  if (state.total === 0) {
    if (getMeta(index, COMPLETE) === undefined) index.write(() => markDone(index, deps.now()));
    return report;
  }
  const lease = makeLease(index, deps.owner, deps.now);
  while (!lease.take()) await sleep(LEASE_POLL_MS, signal);
  try {
    if (versionOf() !== version) found = await scan(); // else what another server has added since would count as removed
    report.files = found.size;
    const known = indexedFiles(index); // another server may have done it meanwhile
    ({ changed, removed } = compare(known, found, racyMs));
    state.pending = new Set([...changed, ...removed]);
    state.total = state.pending.size;
    index.write(() => removed.forEach((path) => removeIndexed(index, path)));
    report.removed = removed.length;
    removed.forEach((path) => state.pending?.delete(path));
    state.done = removed.length;
    const pacer = makePacer(signal);
    let batch: Prepared[] = [], since = deps.now();
    const flush = () => {
      index.write(() =>
        batch.forEach(({ file, entry }) => entry ? putFile(index, file, entry) : restampFile(index, file))
      );
      lease.take();
      for (const { file } of batch) state.pending?.delete(file.path);
      state.done += batch.length;
      [batch, since] = [[], deps.now()];
    };
    for (const path of changed) {
      await pacer();
      const prepared = await prepare(root, path, known.get(path), deps);
      if (prepared.entry !== undefined) known.has(path) ? report.changed++ : report.added++;
      batch.push(prepared);
      if (batch.length >= BATCH_FILES || deps.now() - since > BATCH_MS) flush();
    }
    flush();
    if (report.added + report.changed + report.removed > 0) index.write(() => markDone(index, deps.now()));
    if (report.removed > 0) index.prepare("pragma incremental_vacuum").all();
    return report;
  } finally {
    lease.release();
  }
}

function markDone(index: Database, nowMs: number): void {
  setMeta(index, INDEXED_AT, new Date(nowMs).toISOString());
  setMeta(index, COMPLETE, "1");
}

async function prepare(
  root: string,
  path: string,
  known: IndexedFile | undefined,
  deps: IndexingDeps,
): Promise<Prepared> {
  const readMs = deps.now();
  const read: IndexedText = deps.files.read(`${root}/${path}`, deps.maxFileBytes) ??
    { sizeBytes: -1, changedMs: 0, hash: "", text: null }; // vanished: the next look takes it out
  const file = { path, sizeBytes: read.sizeBytes, changedMs: read.changedMs, hash: read.hash, readMs };
  if (known !== undefined && known.hash === read.hash && read.hash !== "") return { file };
  return { file, entry: await makeFileEntry(path, read.text, deps) };
}
