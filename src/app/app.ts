/** Composition root: creates every service of the server once. @module */
import type { AppDeps } from "./deps.ts";
import { makeLiveConfig } from "../config/live.ts";
import type { Config } from "../config/resolve.ts";
import type { Logger } from "../obs/log.ts";
import { makeMetrics } from "../obs/metrics.ts";
import type { SandboxReport } from "../sandbox/protocol.ts";
import type { FailureRecord } from "../store/store_failures.ts";
import { type Approvals, makeApprovals } from "../call/approvals.ts";
import { type Catalog, makeCatalog } from "../call/catalog.ts";
import { type Envelope, makeEnvelope } from "../call/pipeline.ts";
import { makePathGuard } from "../roots/path_guard.ts";
import type { Secrets } from "../call/secrets.ts";
import type { Services } from "../call/tool.ts";
import { tools } from "../tools/catalog.ts";
import { makeStartAnnouncement, openLog } from "./app_log.ts";
import { registerGauges } from "./gauges.ts";
import type { SecretSearch } from "../sys/files/secret_files.ts";
import { openSecrets } from "./open_secrets.ts";
import { openStores } from "./open_stores.ts";
import { makeReloader, type Reloader } from "./reloader.ts";
import { wireServices } from "./wire_services.ts";

/** The application, without a face. */
export interface App extends Reloader {
  /** Its settings are those of now. */
  readonly config: Config;
  readonly envelope: Envelope;
  readonly catalog: Catalog;
  readonly approvals: Approvals;
  readonly services: Services;
  readonly secrets: Secrets;
  readonly log: Logger;
  /** A session is over: what only it had is removed. */
  endSession(sessionId: string): void;
  /** Must be called once the level is known, before the first call. */
  setReport(report: SandboxReport): void;
  /** What the sandbox holds. */
  sandbox(): SandboxReport;
  /** What `GET /health` tells who has the token. */
  health(): Promise<Readonly<Record<string, unknown>>>;
  /** How far the search for files with secrets is, after it had so much time; null where nothing is masked. */
  secretSearch(patienceMs: number): Promise<SecretSearch | null>;
  /** The last result that could not be stored, by this server or one before it on the same data directory. */
  storeFailure(): FailureRecord | null;
  close(): Promise<void>;
}

/** Makes the application. */
export function makeApp(deps: AppDeps): App {
  const startedMs = Date.now();
  const live = makeLiveConfig(deps.startup.host.config), { config } = live;
  const { log, flush } = openLog(deps, config);
  const { metrics_enabled, enabled } = config.settings.observability;
  const metrics = makeMetrics({ enabled: enabled && metrics_enabled, now: Date.now });
  let report: SandboxReport | undefined;
  const sandbox = () => {
    if (!report) throw new Error("the sandbox has not been tested yet");
    return report;
  };
  const paths = makePathGuard(config);
  const stores = openStores(deps, config, { log, metrics, paths });
  const masking = openSecrets(config), { secrets } = masking;
  const wiring = wireServices(deps, { config, paths, stores, masking, metrics, sandbox }), { services } = wiring;
  registerGauges(services, wiring.children, deps.memoryBytes);
  const catalog = makeCatalog(tools, () => config.settings);
  const approvals = openApprovals(deps, config, catalog);
  const announcement = makeStartAnnouncement(log, config, deps.startup.face);
  return {
    config,
    envelope: makeEnvelope({
      config,
      catalog,
      approvals,
      services,
      secrets,
      log,
      audit: stores.audit,
      now: () => performance.now(),
      epochMs: Date.now,
      newId: () => crypto.randomUUID(),
      ...deps.onCall ? { onCall: deps.onCall } : {},
    }),
    catalog,
    approvals,
    services,
    secrets,
    log,
    endSession: wiring.children.endSession,
    setReport(found) {
      report = found;
      metrics.sandboxLevel(found.level);
      announcement.schedule(found);
    },
    sandbox,
    health() {
      return Promise.resolve({
        sandbox: sandbox(),
        roots: config.roots,
        uptime_s: Math.round((Date.now() - startedMs) / 1000),
        tools: catalog.listed().length,
      });
    },
    secretSearch: masking.search,
    storeFailure: stores.lastFailure,
    ...makeReloader(live, log),
    async close() {
      announcement.finish();
      stores.stopUpkeep();
      await masking.close();
      await wiring.close();
      stores.close();
      await flush();
    },
  };
}

function openApprovals({ startup: { face }, show }: AppDeps, config: Config, catalog: Catalog): Approvals {
  return makeApprovals({
    settings: () => config.settings,
    find: catalog.find,
    show: show ?? null,
    // Without a token the model's own programs could answer on the page.
    hasPage: face.kind === "http" && face.token !== null && config.settings.server.ui_enabled,
    now: Date.now,
  });
}
