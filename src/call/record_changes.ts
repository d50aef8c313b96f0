/** Records what one call changes in the journal, so that it can be undone. @module */
import { sleep } from "../core/time.ts";
import type { Journal, NewOperation } from "../store/journal.ts";
import { fitsState } from "../sys/writer/snapshot.ts";
import type { Changes, Writer } from "../sys/writer/writer.ts";
import { fileOf, makePlanner, type PlannedEntry } from "./planned_entries.ts";

/** The operation that a call is. */
export interface CallOperation {
  /** Null as long as the call has changed nothing. */
  readonly id: string | null;
  /** Says that it undoes operations. */
  undoes(ids: readonly string[]): void;
}

/** A writer that records, for one call. */
export interface RecordedChanges {
  readonly writer: Writer;
  readonly operation: CallOperation;
  /** Ends the operation. Answers what the caller has to know: which changes cannot be undone. */
  end(): readonly string[];
}

/** What is recorded, and how much. */
export interface RecordOptions {
  readonly journal: Journal;
  /** Contents of larger files are not kept. */
  readonly maxFileBytes: number;
  readonly maxBytes: number;
  readonly describe: () => NewOperation;
  /** A clock that only grows, in milliseconds. */
  readonly now: () => number;
}

/** Entries of a tree that are recorded at once. */
const BATCH_ENTRIES = 200, BATCH_BYTES = 16 * 1024 * 1024;
/** A tree that takes longer to copy is not copied to its end: what was asked for must still get done. */
const LONGEST_COPY_MS = 20_000;

/** Wraps a writer. Trouble with the journal never stops a change; the answer says that it cannot be undone. */
export function recordChanges(writer: Writer, options: RecordOptions): RecordedChanges {
  const { journal, maxFileBytes } = options;
  let id: string | null = null, parent = "", uncovered = 0, failure = "";

  const attempt = async <T>(work: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      return undefined;
    }
  };

  /** The first entry of each path: what is changed twice is recorded once. A move gives paths another meaning. */
  const first = new Map<string, Recorded>();

  const addNew = async (entries: readonly PlannedEntry[]): Promise<readonly Recorded[]> => {
    const added = await attempt(() => journal.add(id ??= journal.begin(options.describe()), entries));
    uncovered += added?.filter(({ isCovered }) => !isCovered).length ?? 0;
    const recorded = entries.map((entry, at) => ({ ...entry, data: null, id: added?.[at]?.id ?? null }));
    if (entries.some(({ source }) => source !== undefined)) first.clear();
    else for (const entry of recorded) if (entry.id !== null) first.set(entry.path, entry);
    return recorded;
  };

  const add = async (entries: readonly PlannedEntry[]): Promise<readonly Recorded[]> => {
    const fresh = entries.filter(({ path, source }) => source !== undefined || !first.has(path));
    const again = entries.flatMap(({ path, source, look, after }) => {
      const known = source === undefined ? first.get(path) : undefined;
      return known === undefined ? [] : [{ ...known, look, after }];
    });
    for (const { id, after } of again) {
      if (id !== null && after !== null) await attempt(() => journal.settle(id, after));
    }
    return [...again, ...fresh.length > 0 ? await addNew(fresh) : []];
  };

  const settle = async (files: Changes, recorded: readonly Recorded[], isDone: boolean): Promise<void> => {
    const unchanged: number[] = [];
    for (const { id, path, source, before, look } of recorded) {
      if (id === null || isDone && look !== "entry") continue;
      if (look === "made") {
        if ((await files.missing(path)).includes(path)) unchanged.push(id);
        continue;
      }
      const { state } = await files.look(path, maxFileBytes);
      if (fitsState(state, before) && (source === undefined || !isDone)) unchanged.push(id);
      else await attempt(() => journal.settle(id, state));
    }
    if (unchanged.length === 0) return;
    await attempt(() => journal.drop(unchanged));
    for (const { id, path } of recorded) if (id !== null && unchanged.includes(id)) first.delete(path);
  };

  const around = async <T>(files: Changes, entries: readonly PlannedEntry[], work: () => Promise<T>): Promise<T> => {
    const recorded = entries.length > 0 ? await add(entries) : [];
    let isDone = false;
    try {
      const result = await work();
      isDone = true;
      return result;
    } finally {
      await attempt(() => settle(files, recorded, isDone));
    }
  };

  /** Copies a tree before it is removed, in the order in which its entries go. */
  const removal = async (files: Changes, path: string): Promise<readonly Recorded[]> => {
    const recorded: Recorded[] = [], startedMs = options.now();
    let batch: PlannedEntry[] = [], batchBytes = 0, allBytes = 0;
    const flush = async () => {
      recorded.push(...await add(batch));
      batch = [];
      batchBytes = 0;
      await sleep(0); // other calls come in between
    };
    const limit = () => allBytes > options.maxBytes || options.now() - startedMs > LONGEST_COPY_MS ? -1 : maxFileBytes;
    for await (const { path: found, snapshot } of files.lookBelow(path, limit)) {
      batch.push({
        path: found,
        before: snapshot.state,
        data: snapshot.data,
        after: { kind: "absent" },
        look: "entry",
      });
      batchBytes += snapshot.data?.length ?? 0;
      allBytes += snapshot.data?.length ?? 0;
      if (batch.length >= BATCH_ENTRIES || batchBytes >= BATCH_BYTES) await flush();
    }
    if (batch.length > 0) await flush();
    return recorded;
  };

  const recorded = (files: Changes): Changes => {
    const planner = makePlanner(files, maxFileBytes);
    const one = async <T>(path: string, data: Uint8Array | null, work: () => Promise<T>): Promise<T> =>
      await around(files, [await planner.entry(path, data === null ? null : await fileOf(data))], work);
    return {
      ...files,
      write: (path, data) => one(path, data, () => files.write(path, data)),
      create: (path, data) => one(path, data, () => files.create(path, data)),
      append: (path, data) => one(path, null, () => files.append(path, data)),
      makeDirectories: async (path) => await around(files, await planner.made(path), () => files.makeDirectories(path)),
      move: async (source, target, options) =>
        await around(files, await planner.moved(source, target), () => files.move(source, target, options)),
      async remove(path, options = {}) {
        const entries = await attempt(() => removal(files, path)) ?? [];
        let isGone = false;
        try {
          const removed = await files.remove(path, options);
          isGone = removed.keptCount === 0;
          return removed;
        } finally {
          if (!isGone) await attempt(() => settle(files, entries, false));
        }
      },
      restore: async (path, wanted, expected) =>
        await around(
          files,
          [await planner.entry(path, wanted.state)],
          () => files.restore(path, wanted, expected),
        ),
      async commit(steps) {
        const entries: PlannedEntry[] = [];
        for (const step of steps) entries.push(...await planner.step(step));
        return await around(files, entries, () => files.commit(steps));
      },
    };
  };

  return {
    writer: {
      ...writer,
      change: (paths, work, signal, display) => writer.change(paths, (files) => work(recorded(files)), signal, display),
      putBack: (paths, work, signal) => writer.putBack(paths, (files) => work(recorded(files)), signal),
    },
    operation: {
      get id() {
        return id;
      },
      undoes: (ids) => void (parent = ids.join(" ")),
    },
    end() {
      const own = id;
      if (own !== null) {
        try {
          journal.end(own, parent);
        } catch (error) {
          failure = error instanceof Error ? error.message : String(error);
        }
      }
      if (failure !== "") return [`this change cannot be undone: ${failure}`];
      if (uncovered === 0) return [];
      return [`${uncovered} of these changes cannot be undone: larger than mcp.undo.max_file_bytes, or no room`];
    },
  };
}

type Recorded = PlannedEntry & { readonly id: number | null };
