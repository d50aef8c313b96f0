/** Wires the services that tools are handed. @module */
import type { AppDeps } from "./deps.ts";
import type { Services } from "../call/tool.ts";
import { makeCondense } from "../condense/condenser.ts";
import type { Config } from "../config/resolve.ts";
import { makeGuardedPaths } from "../core/guarded_paths.ts";
import { makeGate } from "../exec/policy/gate.ts";
import { makeProgramChanges, type ProgramChanges } from "../exec/program_changes.ts";
import { makeProcesses } from "../exec/process_table.ts";
import { makePrograms } from "../exec/programs.ts";
import { makeScripts } from "../exec/scripts.ts";
import type { Metrics } from "../obs/metrics.ts";
import type { PathGuard } from "../roots/path_guard.ts";
import { type Children, makeChildren } from "../sandbox/children.ts";
import { keepHomeClean } from "../sandbox/clean_home.ts";
import type { SandboxReport } from "../sandbox/protocol.ts";
import { recordsPrograms } from "../sandbox/recorder/coverage.ts";
import { entriesByPath } from "../sys/files/entries.ts";
import { makeSearch } from "../sys/search/ripgrep.ts";
import { fileOpsWith } from "../sys/writer/ops.ts";
import { makeWriter, type Writer } from "../sys/writer/writer.ts";
import { childHost } from "./child_host.ts";
import { openIndex } from "./open_index.ts";
import type { Masking } from "./open_secrets.ts";
import type { Stores } from "./open_stores.ts";

/** Everything that a tool may touch, and what ends it. */
export interface Wiring {
  readonly services: Services;
  readonly children: Children;
  /** Ends programs, processes and the index. */
  close(): Promise<void>;
}

/** What services are built on. */
export interface Foundations {
  readonly config: Config;
  readonly paths: PathGuard;
  readonly stores: Stores;
  readonly masking: Masking;
  readonly metrics: Metrics;
  readonly sandbox: () => SandboxReport;
}

/** Starts no program and opens no index before a tool asks. */
export function wireServices(
  deps: AppDeps,
  { config, paths, stores, masking, metrics, sandbox }: Foundations,
): Wiring {
  const handles = masking.masked(stores.handles), { mask } = masking.secrets;
  const gate = makeGate({ config, paths, sandbox });
  const children = makeChildren(childHost(deps, sandbox), deps.broker, deps.startup.host.config.roots);
  const stopCleaning = deps.startup.face.kind === "command" ? () => {} : keepHomeClean(children);
  const condense = makeCondense(deps.condenser);
  const changes = openProgramChanges(deps, config, stores);
  const processes = makeProcesses({ config, gate, children, changes, condense, now: Date.now });
  const programs = makePrograms({ config, gate, children, changes, handles, processes, condense });
  const scripts = makeScripts({ openThread: deps.scriptThread, engine: () => deps.assets.read("quickjs.wasm.bin") });
  const search = makeSearch({ program: deps.startup.ripgrep.path, closed: config.protectedPaths });
  const index = openIndex(deps, config, paths.display, mask, search);
  const services: Services = {
    paths,
    entries: deps.entries ?? entriesByPath,
    writer: openWriter(deps, config, paths),
    handles,
    search,
    programs,
    condense,
    processes: { ...processes, tail: (...args) => maskTail(processes.tail(...args), mask) },
    scripts,
    facts: deps.broker,
    index,
    calls: stores.calls,
    journal: stores.journal,
    programChanges: changes,
    metrics,
  };
  return {
    services,
    children,
    async close() {
      stopCleaning();
      await scripts.close(); // first: they call the others
      await Promise.all([programs.close(), processes.close(), index.close()]);
      await changes?.close();
      await children.close();
    },
  };
}

/** What programs change, where the operator wants it recorded. */
function openProgramChanges(
  { startup, entries = entriesByPath, attributes }: AppDeps,
  config: Config,
  { journal }: Stores,
): ProgramChanges | null {
  if (!recordsPrograms(config)) return null;
  return makeProgramChanges({
    journal,
    look: { entries, attributes },
    storeDir: startup.host.storeDir,
    marker: startup.host.marker,
    maxFileBytes: config.settings.undo.max_file_bytes,
    now: Date.now,
  });
}

function maskTail(text: string | undefined, mask: (text: string) => string): string | undefined {
  return text === undefined ? undefined : mask(text);
}

function openWriter(
  { startup, entries = entriesByPath, attributes }: AppDeps,
  { roots, protectedPaths, settings: { tools } }: Config,
  paths: PathGuard,
): Writer {
  return makeWriter({
    kept: [...roots, ...protectedPaths],
    dataDir: startup.host.storeDir,
    backupsBeside: tools.backups === "beside",
    guard: makeGuardedPaths(tools.guarded_paths, roots, tools.unguarded_paths).entryOf,
    display: paths.display,
    ops: fileOpsWith(entries),
    ...attributes ? { attributes, copyAttributes: (from, to) => Promise.resolve(attributes.copy(from, to)) } : {},
  });
}
