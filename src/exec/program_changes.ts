/** Moves what programs changed from the spool into the journal: an operation for each program that changed something. @module */
import type { Journal, NewEntry, NewOperation } from "../store/journal.ts";
import { makePacer, type Pacer } from "../sys/pacer.ts";
import { type EntryState, fitsState } from "../sys/writer/snapshot.ts";
import { type LookDeps, sha256Now, stateNow } from "../sys/writer/snapshot_now.ts";
import type { SpoolLine } from "../sys/writer/spool.ts";
import { abandonedSpools, makeSpoolFolder, type SpoolFolder } from "../sys/writer/spool_folder.ts";
import { makeSpooledEntries, type SpooledEntries, type TouchedEntry } from "./spooled_entries.ts";

/** What a program changed. */
export interface ProgramOperation {
  /** Null when nothing can be undone. */
  readonly id: string | null;
  readonly changed: number;
  /** Changes of which nothing from before is kept. */
  readonly lost: number;
  /** False for a program that may have changed anything without a trace. */
  readonly isRecorded: boolean;
}

/** Records what programs change. */
export interface ProgramChanges {
  /** A program is about to start. @returns The id that it gets. */
  begin(operation: NewOperation): string;
  /** Brings the journal up to date with what a program has changed. @param isEnded Whether it changes nothing any more. */
  collect(id: string, isEnded: boolean): Promise<ProgramOperation>;
  /** The same for all that run, and for those of servers that were killed. */
  collectAll(): Promise<void>;
  /** Waits for what is being collected. */
  close(): Promise<void>;
}

/** What recording needs. */
export interface ProgramChangesDeps {
  readonly journal: Journal;
  readonly look: LookDeps;
  readonly storeDir: string;
  /** Names this server. */
  readonly marker: string;
  readonly maxFileBytes: number;
  readonly now: () => number;
}

/** Entries of one transaction. */
const BATCH_ENTRIES = 100;
/** What was changed long after a program touched it may be another's work, unless the program was short. */
const SHORT_MS = 60_000;
/** What was changed so long after the last line of a killed server is not its program's. */
const AFTER_KILL_MS = 2_000;

interface Program {
  readonly folder: Omit<SpoolFolder<NewOperation>, "close">;
  readonly operation: NewOperation;
  readonly startedMs: number;
  readonly entries: SpooledEntries;
  id: string | null;
  offset: number;
  lost: number;
  /** The collections of one program come one after the other. */
  last: Promise<ProgramOperation>;
}

/** What a program has changed is recorded although its caller has left. */
const NOT_CANCELLED = new AbortController().signal;
const NOTHING: ProgramOperation = { id: null, changed: 0, lost: 0, isRecorded: true };

/** Makes the recorder of a server. */
export function makeProgramChanges(deps: ProgramChangesDeps): ProgramChanges {
  const { journal, look, maxFileBytes } = deps;
  const folder = makeSpoolFolder<NewOperation>(deps.storeDir, deps.marker), programs = new Map<string, Program>();
  let recovering: Promise<void> = Promise.resolve();

  const programOf = (
    { folder, operation, id }: Pick<Program, "folder" | "operation" | "id">,
  ): Program => ({
    folder,
    operation,
    startedMs: deps.now(),
    entries: makeSpooledEntries(),
    id,
    offset: 0,
    lost: 0,
    last: Promise.resolve(NOTHING),
  });
  const readNew = (mark: string, program: Program): number => {
    const { lines, next } = program.folder.linesFrom(mark, program.offset);
    program.offset = next;
    for (const line of lines) program.entries.add(look.attributes === undefined ? withoutAttributes(line) : line);
    return lines.at(-1)?.atMs ?? 0;
  };
  /** With the content from before; null for what did not change. */
  const entryOf = (program: Program, touched: TouchedEntry): NewEntry | null => {
    const data = touched.image === null ? null : program.folder.image(touched.image);
    const { before, after, source, path } = touched;
    if (data !== null) touched.before = { ...before, sha256: sha256Now(data) };
    // Only its mode or owner was to change: the content is what it was.
    else if (before.kind === "file" && before.mtimeMs === after?.mtimeMs && after?.sha256 !== undefined) {
      touched.before = { ...before, sha256: after.sha256 };
    }
    if (after !== null && fitsState(after, touched.before) && source === null) return null;
    if (source !== null && after?.kind === "absent") return null;
    return { path, before: touched.before, data, after, ...source === null ? {} : { source } };
  };
  const addAll = async (mark: string, program: Program, pacer: Pacer): Promise<void> => {
    const fresh = program.entries.all.filter(({ id }) => id === null);
    for (let at = 0; at < fresh.length; at += BATCH_ENTRIES) {
      const batch: { touched: TouchedEntry; entry: NewEntry }[] = [];
      for (const touched of fresh.slice(at, at + BATCH_ENTRIES)) {
        await pacer();
        const entry = entryOf(program, touched);
        if (entry !== null) batch.push({ touched, entry });
      }
      if (batch.length === 0) continue;
      if (program.id === null) {
        program.id = journal.begin(program.operation);
        program.folder.describe(mark, { operation: program.operation, id: program.id });
      }
      const added = await journal.add(program.id, batch.map(({ entry }) => entry));
      batch.forEach(({ touched }, index) => {
        touched.id = added[index]?.id ?? null;
        if (added[index]?.isCovered === false) program.lost++;
      });
    }
  };
  const settleKnown = (known: ReadonlyMap<TouchedEntry, EntryState | null>): void => {
    for (const [touched, before] of known) {
      const { id, after } = touched;
      if (id !== null && after !== null && (before === null || !fitsState(after, before))) journal.settle(id, after);
    }
  };
  const finish = (mark: string, program: Program): void => {
    const { unknown } = program.entries;
    if (unknown > 0) {
      program.id ??= journal.begin(program.operation);
      journal.lose(program.id, unknown);
      program.lost += unknown;
    }
    if (program.id !== null) journal.end(program.id);
    program.folder.remove(mark);
  };
  const collectNow = async (mark: string, program: Program, isEnded: boolean): Promise<ProgramOperation> => {
    readNew(mark, program);
    const known = new Map(program.entries.all.filter(({ id }) => id !== null).map((one) => [one, one.after]));
    const all = isEnded && deps.now() - program.startedMs < SHORT_MS;
    const pacer = makePacer(NOT_CANCELLED);
    await program.entries.lookAgain((path) => stateNow(look, path, maxFileBytes), all, pacer);
    settleKnown(known);
    await addAll(mark, program, pacer);
    if (isEnded) finish(mark, program);
    const changed = program.entries.all.filter(({ id }) => id !== null).length;
    return { id: program.id, changed, lost: program.lost, isRecorded: true };
  };
  const collect = (mark: string, program: Program, isEnded: boolean): Promise<ProgramOperation> => {
    const next = program.last.then(() => collectNow(mark, program, isEnded));
    program.last = next.catch(() => NOTHING);
    return next;
  };

  const recoverOne = async (folder: SpoolFolder<NewOperation>, mark: string): Promise<void> => {
    const description = folder.descriptionOf(mark);
    if (description === null) return;
    const isKept = description.id !== null && journal.list({ id: description.id, limit: 1 }).length > 0;
    const program = programOf({ folder, operation: description.operation, id: isKept ? description.id : null });
    // What was moved already is moved again, with what it has become since.
    if (program.id !== null) journal.drop(journal.entries(program.id).map(({ id }) => id));
    const untilMs = readNew(mark, program) + AFTER_KILL_MS;
    const pacer = makePacer(NOT_CANCELLED);
    await program.entries.lookAgain((path) => stateAtKill(look, path, maxFileBytes, untilMs), true, pacer);
    await addAll(mark, program, pacer);
    finish(mark, program);
  };

  const recover = (): Promise<void> =>
    recovering = recovering.then(async () => {
      for (const abandoned of abandonedSpools<NewOperation>(deps.storeDir)) {
        for (const mark of abandoned.marks()) await recoverOne(abandoned, mark);
        abandoned.close();
      }
    }).catch(() => {}); // what the disk does not take or give now is tried again by the next one

  return {
    begin(operation) {
      const mark = crypto.randomUUID();
      folder.describe(mark, { operation, id: null }); // first: it may fail
      programs.set(mark, programOf({ folder, operation, id: null }));
      return mark;
    },
    async collect(mark, isEnded) {
      const program = programs.get(mark);
      if (program === undefined) return NOTHING;
      if (isEnded) program.last.finally(() => programs.delete(mark));
      return await collect(mark, program, isEnded);
    },
    async collectAll() {
      await Promise.all([
        recover(),
        ...[...programs].map(([mark, program]) => collect(mark, program, false).catch(() => NOTHING)),
      ]);
    },
    async close() {
      await Promise.allSettled([recovering, ...[...programs.values()].map(({ last }) => last)]);
      folder.close();
    },
  };
}

/** Where the server cannot read attributes, it could not tell whether they are still as they were. */
function withoutAttributes(line: SpoolLine): SpoolLine {
  if (line.state?.attributes === undefined) return line;
  const { attributes: _attributes, ...state } = line.state;
  return { ...line, state };
}

/** Null for what was changed later than the killed server's program can have changed it. */
function stateAtKill(look: LookDeps, path: string, limitBytes: number, untilMs: number): EntryState | null {
  const state = stateNow(look, path, limitBytes);
  if (state === null || state.kind === "absent" || state.kind === "symlink") return state;
  return (look.entries.lstat(path).ctime?.getTime() ?? 0) > untilMs ? null : state;
}
