/** Describes how fresh and complete an index is. @module */
import type { OpsError } from "../core/error.ts";
import { INDEXED_AT } from "./catch_up.ts";
import type { IndexState } from "./index.ts";
import type { IndexReader } from "./index_reader.ts";
import { getMeta } from "./index_writer.ts";
import type { RefreshReport } from "./root_indexer.ts";
import { isInPart, partOf, type Within } from "./within.ts";

const MOST_STALE_NAMED = 20;

/** Files in some indexes. */
export function fileCount(roots: readonly { readonly reader: IndexReader }[]): number {
  const count = ({ reader }: { readonly reader: IndexReader }) =>
    reader.read(({ prepare }) => Number(prepare("select count(*) as n from files").get()?.n)) ?? 0;
  return roots.reduce((sum, root) => sum + count(root), 0);
}

/**
 * What is known of an index that cannot be brought up to date now: a full disk must not make what is there useless.
 *
 * @throws `fault` when there is nothing.
 */
export function behindReport(reader: IndexReader, fault: OpsError): RefreshReport {
  let indexedAt: string | undefined;
  try {
    indexedAt = reader.read((index) => getMeta(index, INDEXED_AT));
  } catch {
    throw fault;
  }
  if (indexedAt === undefined) throw fault;
  return { state: "ready", fresh: false, stale: [], done: 0, total: 0, indexedAt, warnings: [fault.message] };
}

/** Puts together what is known of each folder. */
export function indexState(
  reports: readonly { readonly root: string; readonly report: RefreshReport }[],
  known: {
    readonly files: number;
    /** Paths of hits that changed too late to be shown, as they are displayed. */
    readonly staleHits: readonly string[];
    readonly warnings: readonly string[];
    readonly display: (path: string) => string;
    /** What its caller may see. */
    readonly within?: Within | undefined;
  },
): IndexState {
  const { files, staleHits, display, within } = known;
  // of an index that is being made nearly everything is behind: its progress says that in fewer words
  const complete = reports.filter(({ report }) => report.state === "ready");
  const behind = complete.flatMap(({ root, report }) => {
    const part = partOf(root, within);
    return report.stale.filter((path) => isInPart(path, part)).map((path) => display(`${root}/${path}`));
  });
  const stale = [...new Set([...staleHits, ...behind])].slice(0, MOST_STALE_NAMED);
  const isIndexing = reports.some(({ report }) => report.state === "indexing");
  const isEmpty = reports.every(({ report }) => report.state === "empty");
  const sum = (key: "done" | "total") => reports.reduce((total, { report }) => total + report[key], 0);
  const warnings = [...known.warnings, ...reports.flatMap(({ report }) => report.warnings)];
  return {
    fresh: staleHits.length === 0 && reports.every(({ report }) => report.fresh),
    files,
    indexed_at: reports.flatMap(({ report }) => report.indexedAt ?? []).sort().at(-1) ?? null,
    state: isIndexing ? "indexing" : isEmpty ? "empty" : "ready",
    ...stale.length > 0 ? { stale } : {},
    ...isIndexing ? { progress: { done: sum("done"), total: sum("total") } } : {},
    ...warnings.length > 0 ? { warnings } : {},
  };
}
