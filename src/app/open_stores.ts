/** Opens what the server keeps between calls: handles, records of calls, the token audit. @module */
import type { AppDeps } from "./deps.ts";
import type { Config } from "../config/resolve.ts";
import type { Logger } from "../obs/log.ts";
import type { Metrics } from "../obs/metrics.ts";
import { makeTokenAudit, type TokenAudit } from "../obs/token_audit.ts";
import type { PathGuard } from "../roots/path_guard.ts";
import { makeCallLog } from "../store/call_log.ts";
import { auditPath } from "../sandbox/store_dir.ts";
import type { CallLog } from "../store/calls.ts";
import { makeStoreDatabase } from "../store/database.ts";
import { makeHandleStore } from "../store/handle_store.ts";
import type { HandleStore } from "../store/handles.ts";
import { FAILURE_FILE, type FailureRecord, makeStoreFailures, parseFailureRecord } from "../store/store_failures.ts";
import type { Journal } from "../store/journal.ts";
import { JOURNAL_FORMAT } from "../store/journal_schema.ts";
import { openJournal } from "../store/open_journal.ts";
import { startUpkeep } from "../store/upkeep.ts";
import { makeBlobFiles } from "../sys/files/blob_files.ts";
import { readIfThere, replacePrivateFile } from "../sys/files/private_files.ts";
import { SPOOL_SHARE } from "../sys/writer/spool.ts";

/** The stores of one data directory. */
export interface Stores {
  readonly handles: HandleStore;
  readonly calls: CallLog;
  readonly journal: Journal;
  /** Null when it is switched off. */
  readonly audit: TokenAudit | null;
  /** The last result that could not be stored, by this server or one before it on the same data directory. */
  lastFailure(): FailureRecord | null;
  /** Ends the removal of expired data, which is the only work that goes on without a call. */
  stopUpkeep(): void;
  close(): void;
}

const DAY_MS = 86_400_000;
const UPKEEP_INTERVAL_MS = 10 * 60_000;
const now = Date.now;

/** Opens them; files are created when the first result is stored. */
export function openStores(
  { startup }: Pick<AppDeps, "startup">,
  config: Config,
  { log, metrics, paths }: { readonly log: Logger; readonly metrics: Metrics; readonly paths: PathGuard },
): Stores {
  const { storeDir } = startup.host, { handles: limits, observability, undo } = config.settings;
  const failureFile = `${storeDir}/${FAILURE_FILE}`;
  const warn = (message: string) => log.warn(message);
  const database = makeStoreDatabase({ dataDir: storeDir, now, warn });
  const handles = makeHandleStore({
    database,
    blobs: makeBlobFiles(`${storeDir}/blobs`),
    checkSource: (path) => paths.existing(path),
    ttlHours: limits.ttl_hours,
    maxBytes: limits.max_bytes,
    now,
    warn,
    failed: makeStoreFailures({
      save: (record) => replacePrivateFile(failureFile, JSON.stringify(record)),
      count: () => metrics.storeFailed("result"),
      warn,
      now,
    }).note,
  });
  const calls = makeCallLog({
    database,
    retentionDays: observability.retention_days,
    now,
    warn,
    failed: () => metrics.storeFailed("record"),
  });
  const journal = openJournal({
    database: makeStoreDatabase({ dataDir: storeDir, file: "undo.db", format: JOURNAL_FORMAT, now, warn }),
    blobs: makeBlobFiles(`${storeDir}/undo`),
    maxBytes: undo.max_bytes * (undo.children ? 1 - SPOOL_SHARE : 1),
    maxAgeMs: undo.max_age * DAY_MS,
    now,
  });
  const audit = observability.csv_token_audit_enabled
    ? makeTokenAudit({ path: auditPath(storeDir, config.dataDir, observability.csv_path), now, warn })
    : null;
  if (config.container !== "" && startup.face.kind !== "command") forgetBeforeContainer(config, calls, audit);
  return {
    handles,
    calls,
    journal,
    audit,
    lastFailure: () => parseFailureRecord(readIfThere(failureFile)),
    stopUpkeep: startUpkeep({
      handles,
      calls,
      journal: undo.enabled ? journal : null,
      warn,
      intervalMs: UPKEEP_INTERVAL_MS,
    }),
    close() {
      journal.close();
      database.close();
    },
  };
}

/** Removes what an earlier container left in the volume, unless the operator keeps it. */
function forgetBeforeContainer({ settings: { docker } }: Config, calls: CallLog, audit: TokenAudit | null): void {
  if (!docker.persist_telemetry) calls.forget();
  if (!docker.persist_token_audit) audit?.forget();
}
