/** Composition root: creates every service of the server once. @module */
import type { AppDeps } from "./deps.ts";
import { makeLiveConfig } from "../config/live.ts";
import { planReload } from "../config/reload.ts";
import type { Config } from "../config/resolve.ts";
import { makeGuardedPaths } from "../core/guarded_paths.ts";
import { once } from "../core/once.ts";
import { VERSION } from "../core/version.ts";
import { type Logger, makeLogger } from "../obs/log.ts";
import { makeMetrics } from "../obs/metrics.ts";
import { makeTokenAudit } from "../obs/token_audit.ts";
import { keepHomeClean } from "../sandbox/clean_home.ts";
import { makeChildren } from "../sandbox/children.ts";
import type { SandboxReport } from "../sandbox/protocol.ts";
import { makeCallLog } from "../store/call_log.ts";
import { ANY_OWNER } from "../store/handles.ts";
import { makeStoreDatabase } from "../store/database.ts";
import { makeHandleStore } from "../store/handle_store.ts";
import { FAILURE_FILE, type FailureRecord, makeStoreFailures, parseFailureRecord } from "../store/store_failures.ts";
import { startUpkeep } from "../store/upkeep.ts";
import { makeBlobFiles } from "../sys/files/blob_files.ts";
import { entriesByPath } from "../sys/files/entries.ts";
import { readIfThere, replacePrivateFile } from "../sys/files/private_files.ts";
import { memoryBytes } from "../sys/memory.ts";
import { makeSearch } from "../sys/search/ripgrep.ts";
import { makeStderrLines } from "../sys/stderr.ts";
import { makeWriter } from "../sys/writer/writer.ts";
import { fileOpsWith } from "../sys/writer/ops.ts";
import { type Approvals, makeApprovals } from "../call/approvals.ts";
import { type Catalog, makeCatalog } from "../call/catalog.ts";
import { type Envelope, makeEnvelope } from "../call/pipeline.ts";
import { makeGate } from "../exec/policy/gate.ts";
import { makePathGuard } from "../roots/path_guard.ts";
import { makeProcesses } from "../exec/process_table.ts";
import { makePrograms } from "../exec/programs.ts";
import type { Services } from "../call/tool.ts";
import { tools } from "../tools/catalog.ts";
import { childHost } from "./child_host.ts";
import { configFields, logFormat, logLevel, logsStacks } from "./log_settings.ts";
import { openIndex } from "./open_index.ts";
import type { Reloaded } from "./verbs.ts";

/** The application, without a face. */
export interface App {
  /** Its settings are those of now. */
  readonly config: Config;
  readonly envelope: Envelope;
  readonly catalog: Catalog;
  readonly approvals: Approvals;
  readonly services: Services;
  readonly log: Logger;
  /** Must be called once the level is known, before the first call. */
  setReport(report: SandboxReport): void;
  /** What the sandbox holds. */
  sandbox(): SandboxReport;
  /** What `GET /health` tells who has the token. */
  health(): Promise<Readonly<Record<string, unknown>>>;
  /** The last result that could not be stored, by this server or one before it on the same data directory. */
  storeFailure(): FailureRecord | null;
  /** Takes over what can change in a running server. */
  reload(next: Config): Reloaded;
  /** Calls back after settings changed. Returns how to stop. */
  onReload(listener: () => void): () => void;
  close(): Promise<void>;
}

/** The client's first message is answered before the start is written down. */
const ANNOUNCE_MS = 50;
const UPKEEP_INTERVAL_MS = 10 * 60_000;

/** Makes the application. */
export function makeApp(deps: AppDeps): App {
  const live = makeLiveConfig(deps.startup.host.config), { config } = live;
  const { settings, dataDir } = config; // of the start: for what cannot change later
  const { storeDir } = deps.startup.host;
  const now = () => Date.now(), startedMs = now();
  const stderr = makeStderrLines((count) => log.warn("lines of this log were lost: nobody read them", { count }));
  const log: Logger = makeLogger({
    get level() {
      return logLevel(deps.startup, config);
    },
    format: logFormat(deps.startup),
    get stacks() {
      return logsStacks(deps.startup, config);
    },
    sink: deps.sink ?? stderr.write,
    now,
  });
  const warn = (message: string) => log.warn(message);
  const metrics = makeMetrics({
    enabled: settings.observability.enabled && settings.observability.metrics_enabled,
    now,
  });
  let report: SandboxReport | undefined;
  let announcing: number | undefined;
  const sandbox = () => {
    if (!report) throw new Error("the sandbox has not been tested yet");
    return report;
  };

  const paths = makePathGuard(config);
  const failureFile = `${storeDir}/${FAILURE_FILE}`;
  const database = makeStoreDatabase({ dataDir: storeDir, now, warn });
  const handles = makeHandleStore({
    database,
    blobs: makeBlobFiles(`${storeDir}/blobs`),
    checkSource: (path) => paths.existing(path),
    ttlHours: settings.handles.ttl_hours,
    maxBytes: settings.handles.max_bytes,
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
    retentionDays: settings.observability.retention_days,
    now,
    warn,
    failed: () => metrics.storeFailed("record"),
  });
  const stopUpkeep = startUpkeep({ handles, calls, intervalMs: UPKEEP_INTERVAL_MS });
  const audit = settings.observability.csv_token_audit_enabled
    ? makeTokenAudit({ path: storeDir + settings.observability.csv_path.slice(dataDir.length), now, warn })
    : null;
  if (config.container !== "" && deps.startup.face.kind !== "command") {
    if (!settings.docker.persist_telemetry) calls.forget();
    if (!settings.docker.persist_token_audit) audit?.forget();
  }
  const entries = deps.entries ?? entriesByPath;
  const writer = makeWriter({
    kept: [...config.roots, ...config.protectedPaths],
    dataDir: storeDir,
    backupsBeside: settings.tools.backups === "beside",
    guard: makeGuardedPaths(settings.tools.guarded_paths, config.roots).entryOf,
    display: paths.display,
    ops: fileOpsWith(entries),
    ...deps.copyAttributes ? { copyAttributes: deps.copyAttributes } : {},
  });
  const search = makeSearch({ program: deps.startup.ripgrep.path, closed: config.protectedPaths });
  const index = openIndex(deps, config, paths.display);
  const gate = makeGate({ config, paths, sandbox });
  const children = makeChildren(childHost(deps, sandbox), deps.broker);
  const stopCleaning = deps.startup.face.kind === "command" ? () => {} : keepHomeClean(children);
  const processes = makeProcesses({ config, gate, children, now });
  const programs = makePrograms({ config, gate, children, handles, processes });
  const catalog = makeCatalog(tools, () => config.settings);
  metrics.gauge("handles", () => handles.usage().handles);
  metrics.gauge("handle_bytes", () => handles.usage().bytes);
  metrics.gauge("children_running", children.running);
  metrics.gauge("processes_running", () => processes.list(ANY_OWNER).filter(({ state }) => state === "running").length);
  metrics.gauge("memory_bytes", deps.memoryBytes ?? memoryBytes);
  const { face } = deps.startup;
  const approvals = makeApprovals({
    settings: () => config.settings,
    find: catalog.find,
    show: deps.show ?? null,
    // Where nobody proves anything, the model's own programs could answer on the page.
    hasPage: face.kind === "http" && face.token !== null && settings.server.ui_enabled,
    now,
  });
  const announce = once(() => {
    if (!report) return;
    log.debug("configuration", configFields(config));
    log.info("started", {
      version: VERSION,
      sandbox: report.level,
      roots: config.roots.join(":"),
      config_file: config.configFile,
    });
    if (report.unconfined) log.warn("the roots are not enforced: tools and programs can access the whole machine");
    if (report.root && face.kind !== "command") {
      log.warn("running as root weakens the sandbox: run it as the user who owns the files");
    }
  });
  const reloadListeners = new Set<() => void>();
  const services: Services = {
    paths,
    entries,
    writer,
    handles,
    search,
    programs,
    processes,
    facts: deps.broker,
    index,
    calls,
    metrics,
  };
  const { onCall } = deps;
  const envelope = makeEnvelope({
    config,
    catalog,
    approvals,
    services,
    log,
    audit,
    now: () => performance.now(),
    epochMs: now,
    newId: () => crypto.randomUUID(),
    ...onCall ? { onCall } : {},
  });
  return {
    config,
    envelope,
    catalog,
    approvals,
    services,
    log,
    setReport(found) {
      report = found;
      metrics.sandboxLevel(found.level);
      announcing = setTimeout(announce, ANNOUNCE_MS);
    },
    sandbox,
    health() {
      return Promise.resolve({
        sandbox: sandbox(),
        roots: config.roots,
        uptime_s: Math.round((now() - startedMs) / 1000),
        tools: catalog.listed().length,
      });
    },
    storeFailure: () => parseFailureRecord(readIfThere(failureFile)),
    reload(next) {
      const { changed, waiting, ...now } = planReload(config, next);
      live.replace(now);
      log.info("reloaded", { changed: changed.join(" "), waiting: waiting.join(" ") });
      for (const listener of reloadListeners) listener();
      return { changed, waiting };
    },
    onReload(listener) {
      reloadListeners.add(listener);
      return () => void reloadListeners.delete(listener);
    },
    async close() {
      clearTimeout(announcing);
      announce();
      stopUpkeep();
      stopCleaning();
      await Promise.all([programs.close(), processes.close(), index.close()]);
      database.close();
      await stderr.flush();
    },
  };
}
