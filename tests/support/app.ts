/** The real application over a temporary tree, in this process: every service, no threads, no Landlock. @module */
import type { Answer, Caller } from "../../src/call/answer.ts";
import { loadConfig } from "../../src/config/load.ts";
import { type Config, resolveConfig } from "../../src/config/resolve.ts";
import { type App, makeApp } from "../../src/app/app.ts";
import { makeGrammars } from "../../src/sys/grammar.ts";
import { enrich } from "../../src/condense/enrich.ts";
import type { ScriptThread } from "../../src/exec/scripts.ts";
import { type IndexerVerbs, makeIndexer } from "../../src/code_search/indexer.ts";
import { makeBrokerVerbs } from "../../src/sandbox/broker_verbs.ts";
import { makeChildKernel } from "../../src/sandbox/child_kernel.ts";
import { makeReport } from "../../src/sandbox/level.ts";
import { openLibc } from "../../src/sys/libc.ts";
import { readMachineSettings } from "../../src/sandbox/machine_settings.ts";
import { placeCanary } from "../../src/sandbox/prepare_host.ts";
import type { HostConfig } from "../../src/sandbox/protocol.ts";
import { type Assets, makeAssets } from "../../src/sys/assets.ts";
import { findRipgrep } from "../../src/sys/search/find_ripgrep.ts";
import { makeIndexFiles } from "../../src/sys/files/index_files.ts";
import { thisMachine } from "../../src/sys/machine.ts";
import { tempTree } from "./temp_tree.ts";

const libc = openLibc();

/** What a test wants. */
export interface TestAppOptions {
  /** Relative path to text; put into the root. */
  readonly files?: Readonly<Record<string, string>>;
  /** Dotted keys: `{"mcp.tools.result_tokens": 500}`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Lets the built-in search do the work. */
  readonly withoutRipgrep?: boolean;
}

/** An application under test. */
export interface TestApp extends AsyncDisposable {
  readonly app: App;
  readonly config: Config;
  /** Real path of the only root. */
  readonly root: string;
  /** Lines that were logged. */
  readonly log: readonly string[];
  /** One call through the envelope, by the default caller or another one. */
  call(name: string, args?: Readonly<Record<string, unknown>>, caller?: Partial<Caller>): Promise<Answer>;
  /** The full result of a call that must succeed. */
  result(name: string, args?: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
}

/** Makes the application. Children run in bubblewrap where it works here, else unconfined (`best_effort`). */
export async function makeTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const files = Object.fromEntries(Object.entries(options.files ?? {}).map(([name, text]) => [`root/${name}`, text]));
  const tree = await tempTree({ "root/": "", "data/": "", "scratch/": "", "home/": "", ...files });
  const root = tree.path("root");
  const config = configOf(root, tree.path("data"), tree.path("home"), options.settings ?? {});
  const host: HostConfig = {
    config,
    canary: placeCanary(tree.path("canary"), tree.path("data")),
    storeDir: config.dataDir,
    ownFolders: [config.dataDir],
    runtimeDir: tree.path("scratch"),
    scratchDir: tree.path("scratch"),
    homeDir: tree.path("home"),
    extraPrograms: tree.path("programs"),
    marker: `test-${crypto.randomUUID()}`,
    serverPid: Deno.pid,
    landlockAbi: 0,
    keepsNamespace: false,
    forcedLevel: null,
  };
  const broker = makeBrokerVerbs(host, makeChildKernel(libc, host));
  const assets = makeAssets();
  const log: string[] = [];
  const ripgrep = options.withoutRipgrep
    ? null
    : (await findRipgrep({ searchPath: ["/usr/bin"], assets, cacheDir: tree.path("data/bin") })).path;
  const app = makeApp({
    startup: {
      host,
      face: { kind: "command" },
      ripgrep: { path: ripgrep, detail: "" },
      hasLandlock: false,
      granted: { read: [], write: [], run: [], net: [] },
      domain: null,
    },
    broker,
    spawner: () => Promise.reject(new Error("a test has no spawner")),
    indexer: () => Promise.resolve(testIndexer(config, assets)),
    condenser: () => Promise.resolve({ enrich: (input) => Promise.resolve(enrich(input)) }),
    scriptThread: () => Promise.resolve(testScriptThread()),
    assets,
    sink: (line) => log.push(line),
  });
  const { bubblewrap } = await broker.probe();
  const found = { landlockAbi: 0, bubblewrap, unconfined: false, root: Deno.uid() === 0 };
  app.setReport(makeReport(found, () => readMachineSettings("")));
  const call: TestApp["call"] = (name, args = {}, caller = {}) =>
    app.envelope.call(name, args, { ...DEFAULT_CALLER, ...caller });
  return {
    app,
    config,
    root,
    log,
    call,
    async result(name, args) {
      const answer = await call(name, args);
      if (answer.error) throw new Error(answer.text);
      return { ...Object(answer.result) };
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await broker.cleanUp();
      await tree[Symbol.asyncDispose]();
    },
  };
}

/** A real thread: the engine sleeps in it. */
function testScriptThread(): ScriptThread {
  const url = new URL("../../src/app/script_worker.ts", import.meta.url).href;
  const worker = new Worker(url, { type: "module", deno: { permissions: "none" } });
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ ports: [port1] }, [port1]);
  return {
    port: port2,
    end() {
      worker.terminate();
      return Promise.resolve();
    },
  };
}

/** In this thread: a test has no other. */
function testIndexer(config: Config, assets: Assets): IndexerVerbs {
  return makeIndexer({
    dataDir: config.dataDir,
    files: makeIndexFiles(config.protectedPaths),
    grammars: makeGrammars({
      runtime: () => assets.read("tree-sitter.wasm.bin"),
      grammar: (name) => assets.read(`grammars/${name}.grammar`),
    }),
    maxFileBytes: config.settings.rag.max_file_bytes,
    now: () => Date.now(),
  });
}

const DEFAULT_CALLER: Caller = {
  owner: "test/session",
  session: { agentId: "tester", sessionId: "session", model: "none", budgetProfile: "default" },
  signal: new AbortController().signal,
};

function configOf(root: string, dataDir: string, homeDir: string, settings: Readonly<Record<string, unknown>>): Config {
  const machine = { ...thisMachine(), env: {}, homeDir, workingDir: homeDir };
  const values = { "mcp.data_dir": dataDir, "mcp.tools.confinement": "best_effort", ...settings };
  return resolveConfig(loadConfig({ overrides: { values, roots: [root] } }, machine), machine);
}
