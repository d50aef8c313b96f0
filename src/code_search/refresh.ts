/** Asks the indexer to catch up before a question is answered, and reports its progress. @module */
import type { IndexerVerbs } from "./indexer.ts";
import type { IndexReader } from "./index_reader.ts";
import { behindReport } from "./index_state.ts";
import { type RefreshReport, unavailable } from "./root_indexer.ts";

/** A folder with its index. */
export interface OpenRoot {
  readonly root: string;
  readonly path: string;
  readonly reader: IndexReader;
  /** What the indexer said last, and when. */
  last?: { report: RefreshReport; atMs: number } | undefined;
}

/** No caller waits longer for files that changed. */
const CATCH_UP_MS = 200;
/** An index with little in it answers little: the first question of all waits for a usual repository. */
const FIRST_CATCH_UP_MS = 5_000;
/** A first run over so few files ends soon, however far it is. */
const FEW_FILES = 200;
/** How often the indexer is asked how far a first run is. */
const ASK_AGAIN_MS = 250;
/** What it said longer ago tells nothing of now. */
const TELLS_FOR_MS = 1_000;
const PROGRESS_EVERY_MS = 150;

/** Calls back from time to time until it is stopped. */
export function tellProgress(
  verbs: IndexerVerbs,
  root: string,
  tell: (done: number, total: number) => void,
): () => void {
  let isOver = false;
  const ask = async () => {
    const { done, total } = await verbs.progress(root);
    if (total > 0 && !isOver) tell(done, total);
  };
  const timer = setInterval(() => void ask().catch(() => {}), PROGRESS_EVERY_MS); // it may end in between
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}

/** What was known a moment ago of an index that is being made: its thread is too busy to be asked each time. */
function busyReport(open: OpenRoot, verbs: IndexerVerbs): RefreshReport | undefined {
  const { last, root } = open;
  if (last?.report.state !== "indexing") return undefined;
  const ageMs = performance.now() - last.atMs;
  if (ageMs > TELLS_FOR_MS) return undefined;
  if (ageMs > ASK_AGAIN_MS) {
    last.atMs = performance.now();
    const again = async () => {
      const report = await verbs.refresh(root, 0);
      open.last = { report, atMs: performance.now() };
    };
    again().catch(() => open.last = undefined); // the next question meets the fault itself
  }
  return last.report;
}

/**
 * Catches up briefly; longer while more is missing than there is, as when a folder is indexed for the first time.
 *
 * @throws OpsError INDEX_UNAVAILABLE when there is no index to answer from either.
 */
export async function refresh(
  open: OpenRoot,
  verbs: IndexerVerbs,
  options: {
    readonly firstWaitMs?: number | undefined;
    readonly tell?: ((done: number, total: number) => void) | undefined;
  },
): Promise<RefreshReport> {
  const { root, reader } = open;
  const busy = busyReport(open, verbs);
  if (busy !== undefined) return busy;
  const stop = options.tell === undefined ? () => {} : tellProgress(verbs, root, options.tell);
  try {
    let report = await verbs.refresh(root, CATCH_UP_MS);
    const missing = report.total - report.done;
    if (report.state !== "ready" && (missing >= report.total / 2 || report.total <= FEW_FILES)) {
      report = await verbs.refresh(root, options.firstWaitMs ?? FIRST_CATCH_UP_MS);
    }
    open.last = { report, atMs: performance.now() };
    return report;
  } catch (error) {
    return behindReport(reader, unavailable(error));
  } finally {
    stop();
  }
}
