/** Queries the index of one folder so that a result marked fresh is complete. @module */
import { UnusableError } from "../sys/database.ts";
import type { FoundChunks, IndexReader } from "./index_reader.ts";
import { type RefreshReport, unavailable } from "./root_indexer.ts";

/** What to look for, and what the indexer of the folder does meanwhile. */
export interface FindFreshOptions {
  readonly reader: IndexReader;
  readonly find: () => FoundChunks;
  /** Indexes what has changed on disk, as far as there is time. */
  readonly catchUp: () => Promise<RefreshReport>;
  /** Sets a damaged index aside. */
  readonly replaceDamaged: () => Promise<void>;
}

/** What was found, and the version of the index before and after that. */
interface Look {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly found: FoundChunks;
  readonly damaged: boolean;
}

/**
 * Looks while the disk is looked through, once more when that changed something, and again when damage was met.
 *
 * @throws OpsError INDEX_UNAVAILABLE
 */
export async function findFresh(options: FindFreshOptions): Promise<{ report: RefreshReport; found: FoundChunks }> {
  const { reader, catchUp } = options;
  const refreshing = catchUp();
  refreshing.catch(() => {}); // it is awaited below, after work that may throw first
  const early = await look(options);
  const report = await refreshing;
  if (isCurrent(early, reader, report)) return { report, found: early.found };
  const late = await look(options);
  if (!early.damaged && !late.damaged) return { report, found: late.found };
  return { report: await catchUp(), found: (await look(options)).found };
}

/** What is damaged is set aside, and holds nothing. */
async function look({ reader, find, replaceDamaged }: FindFreshOptions): Promise<Look> {
  try {
    const before = reader.version(), found = find();
    return { before, found, after: reader.version(), damaged: false };
  } catch (error) {
    if (!(error instanceof UnusableError)) throw unavailable(error);
    await replaceDamaged();
    return { found: { ranked: [], terms: [] }, damaged: true };
  }
}

/** Whether a look saw what the index holds now: all of it when that is to be called fresh, else near enough. */
function isCurrent({ before, after, damaged }: Look, reader: IndexReader, { fresh }: RefreshReport): boolean {
  try {
    return !damaged && reader.version() === (fresh ? before : after);
  } catch {
    return false; // the next look meets the same fault, and says what it is
  }
}
