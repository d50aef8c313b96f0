/** Implements the server worker's RPC methods: start, serve, call, stop. @module */
import type { Caller } from "../call/answer.ts";
import { OpsError } from "../core/error.ts";
import { ANY_OWNER, type HandleStore } from "../store/handles.ts";
import type { IndexerVerbs } from "../code_search/indexer.ts";
import type { CondenserVerbs } from "../condense/condenser.ts";
import type { BrokerVerbs, MainVerbs, SandboxReport, SpawnerVerbs, Startup } from "../sandbox/protocol.ts";
import { confineSelf } from "../sandbox/confine_self.ts";
import { checkPermissions } from "../sandbox/permission_check.ts";
import { connectCalls } from "../sandbox/rpc.ts";
import { testOwnReads } from "../sandbox/self_test.ts";
import type { Assets } from "../sys/assets.ts";
import { makeFileAttributes } from "../sys/files/file_attributes.ts";
import { makeHeldEntries } from "../sys/files/held_entries.ts";
import { makeMemoryReader } from "../sys/memory.ts";
import { makeStdoutWriter, type StdoutWriter, writeStdout } from "../sys/stdio.ts";
import { type App, makeApp } from "./app.ts";
import { callLine } from "./call_line.ts";
import { type OpenFace, openFace, preloadFace } from "./open_face.ts";
import type { AppVerbs, Stored } from "./verbs.ts";

/** More than SQLite keeps in the pages of one row. */
const TRIAL_BYTES = 128 * 1024;

/** The other threads. */
export interface Threads {
  readonly broker: BrokerVerbs;
  readonly main: MainVerbs;
  readonly assets: Assets;
}

/** Builds the verbs; the application comes to be with `start`. */
export function makeAppVerbs({ broker, main, assets }: Threads): AppVerbs {
  let app: App | undefined, face: OpenFace | undefined, startup: Startup | undefined;
  let write: StdoutWriter = writeStdout;
  let indexed = { done: 0, total: 0 };
  const started = (): { app: App; startup: Startup } => {
    if (!app || !startup) throw new OpsError("INTERNAL", "the server has not started yet");
    return { app, startup };
  };
  return {
    async start(given) {
      // What is opened before stays usable when the right to open more is given away.
      const attributes = given.domain ? makeFileAttributes() : null;
      const entries = given.domain ? makeHeldEntries() : null;
      const readMemory = given.domain ? makeMemoryReader() : null;
      if (given.domain && given.face.kind === "stdio") write = makeStdoutWriter();
      if (given.domain) confineSelf(given.domain); // before anything touches a file
      startup = given;
      const reading = testOwnReads(given.host.canary, `${given.host.storeDir}/.own`, given.hasLandlock);
      app = makeApp({
        startup: given,
        broker,
        spawner: async (renewed) => connectCalls<SpawnerVerbs>(await main.openWorker("spawner", renewed)),
        indexer: async () => connectCalls<IndexerVerbs>(await main.openWorker("indexer")),
        condenser: async () => connectCalls<CondenserVerbs>(await main.openWorker("condenser")),
        scriptThread: async () => {
          const id = crypto.randomUUID();
          return { port: await main.openScript(id), end: () => main.endScript(id) };
        },
        assets,
        ...attributes ? { attributes } : {},
        ...entries ? { entries } : {},
        ...readMemory ? { memoryBytes: readMemory } : {},
        ...given.face.kind === "http" && given.face.watched
          ? { onCall: (call) => void main.say(callLine(call)), show: (line) => void main.say(line) }
          : {},
      });
      const [checks] = await Promise.all([reading, preloadFace(given.face)]);
      return [...checks, checkPermissions(given.granted)];
    },
    async serve(report: SandboxReport) {
      const { app, startup } = started();
      app.setReport(report);
      face = await openFace(startup.face, app, write, () => void main.finished());
      return face.address;
    },
    call: (name, args) => started().app.envelope.call(name, args, operator(started())),
    teStats: (windowSeconds) => Promise.resolve(started().app.services.calls.teStats(windowSeconds)),
    tools() {
      const { catalog } = started().app;
      const listed = new Set(catalog.listed());
      const lines = catalog.all.map((tool) => ({
        name: tool.name,
        summary: tool.summary,
        toolset: tool.toolset,
        listed: listed.has(tool),
      }));
      return Promise.resolve(lines);
    },
    reload: (next) => Promise.resolve(started().app.reload(next)),
    indexStatus: () => started().app.services.index.status(),
    async indexSync(rebuild) {
      const { index } = started().app.services;
      const options = { progress: (done: number, total: number) => void (indexed = { done, total }) };
      return await (rebuild ? index.rebuild(options) : index.sync(options));
    },
    indexProgress: () => Promise.resolve(indexed),
    ripgrep: () => Promise.resolve(started().startup.ripgrep),
    secretSearch: async (patienceMs) => await started().app.secretSearch(patienceMs),
    stored: async () => await storedIn(started().app),
    async stop() {
      await face?.close();
      await app?.close();
    },
  };
}

async function storedIn({ services: { handles, index }, storeFailure }: App): Promise<Stored> {
  const common = { index: await index.status(), lastFailure: storeFailure(), refused: tryToStore(handles) };
  try {
    const { handles: count, bytes } = handles.usage();
    return { ...common, handles: { count, bytes } };
  } catch {
    return { ...common, handles: null }; // the store has said why in the log
  }
}

/** Stores a result and removes it again. Returns why that does not work. */
function tryToStore(handles: HandleStore): string | null {
  try {
    handles.remove(
      handles.put({ kind: "test", owner: ANY_OWNER, payload: new Uint8Array(TRIAL_BYTES).fill(0xff) }),
      ANY_OWNER,
    );
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The person at the command line owns everything. */
function operator({ startup }: { startup: Startup }): Caller {
  const { session } = startup.host.config.settings;
  return {
    owner: ANY_OWNER,
    session: {
      agentId: "operator",
      sessionId: "cli",
      model: session.default_model,
      budgetProfile: session.budget_profile,
    },
    signal: new AbortController().signal,
    patience: "to the end",
    consent: "allowed", // the person typed the command
  };
}
