/** Runs real programs for tests: the real gate, hosts of children, output and handles over a temporary tree. @module */
import { makeCondense } from "../../src/condense/condenser.ts";
import { enrich } from "../../src/condense/enrich.ts";
import { loadConfig } from "../../src/config/load.ts";
import { type Config, resolveConfig } from "../../src/config/resolve.ts";
import { inBubblewrap } from "../../src/sandbox/bubblewrap_host.ts";
import { type HostDeps, makeChildHost } from "../../src/sandbox/child_host.ts";
import { makeChildKernel } from "../../src/sandbox/child_kernel.ts";
import { type Children, makeChildren } from "../../src/sandbox/children.ts";
import { makeFacts } from "../../src/sandbox/facts.ts";
import { openLibc } from "../../src/sys/libc.ts";
import { placeCanary } from "../../src/sandbox/prepare_host.ts";
import type { ChildVerbs, Facts, HostConfig } from "../../src/sandbox/protocol.ts";
import { connectCalls } from "../../src/sandbox/rpc.ts";
import { startInSession } from "../../src/sandbox/wrap.ts";
import { makeStoreDatabase } from "../../src/store/database.ts";
import type { HandleStore } from "../../src/store/handles.ts";
import { makeHandleStore } from "../../src/store/handle_store.ts";
import { makeBlobFiles } from "../../src/sys/files/blob_files.ts";
import { thisMachine } from "../../src/sys/machine.ts";
import { type Gate, makeGate } from "../../src/exec/policy/gate.ts";
import { makePathGuard } from "../../src/roots/path_guard.ts";
import type { Processes } from "../../src/exec/processes.ts";
import { makeProcesses } from "../../src/exec/process_table.ts";
import { makePrograms, type Programs } from "../../src/exec/programs.ts";
import { tempTree } from "../support/temp_tree.ts";
import { BUBBLEWRAP, type Lack, LANDLOCK } from "../support/needs.ts";

/** How children are held in a test: what a test process itself can set up. */
export type Held = "bwrap" | "landlock" | "none";

const libc = openLibc();

/** Every way, with what of it a machine can lack. */
export const WAYS: readonly (readonly [Held, Lack])[] = [
  ["bwrap", BUBBLEWRAP],
  ["landlock", LANDLOCK],
  ["none", null],
];

/** What a test wants. */
export interface RunOptions {
  readonly held?: Held;
  readonly files?: Readonly<Record<string, string>>;
  readonly more?: readonly string[];
  readonly confinement?: "required" | "best_effort" | "off";
  readonly limits?: Partial<Config["settings"]["linux_ops"]["process_limits"]>;
  readonly resultTokens?: number;
  readonly now?: () => number;
  /** Whether a namespace waits for the next program. */
  readonly keepsNamespace?: boolean;
}

/** Everything that runs programs. */
export interface TestRunner extends AsyncDisposable {
  readonly root: string;
  readonly config: Config;
  readonly gate: Gate;
  readonly children: Children;
  readonly programs: Programs;
  readonly processes: Processes;
  readonly handles: HandleStore;
  readonly facts: Facts;
  /** Processes of this runner that are still there, ten seconds after the first look: a namespace dies piece by piece. */
  survivors(): Promise<readonly string[]>;
}

/** Makes a runner. */
export async function testRunner(options: RunOptions = {}): Promise<TestRunner> {
  const held = options.held ?? "none";
  const files = Object.fromEntries(Object.entries(options.files ?? {}).map(([name, text]) => [`root/${name}`, text]));
  const tree = await tempTree({ "root/": "", "data/": "", "scratch/": "", "home/": "", ...files });
  const config = configOf(tree.root, options);
  const host: HostConfig = {
    config,
    canary: placeCanary(`${tree.root}/canary`, `${tree.root}/data`),
    storeDir: config.dataDir,
    ownFolders: [config.dataDir],
    runtimeDir: tree.root,
    scratchDir: tree.path("scratch"),
    homeDir: tree.path("home"),
    extraPrograms: tree.path("programs"),
    marker: `test-${crypto.randomUUID()}`,
    serverPid: Deno.pid,
    landlockAbi: 0,
    keepsNamespace: options.keepsNamespace ?? false,
    forcedLevel: null,
  };
  const facts = makeFacts(host);
  const { verbs, close } = openHost(host, held);
  const children = makeChildren(() => Promise.resolve(verbs), facts, []);
  const database = makeStoreDatabase({ dataDir: config.dataDir, now: () => Date.now(), warn: () => {} });
  const paths = makePathGuard(config);
  const handles = makeHandleStore({
    database,
    blobs: makeBlobFiles(`${config.dataDir}/blobs`),
    checkSource: (path) => paths.existing(path),
    ttlHours: 1,
    maxBytes: 1 << 30,
    now: () => Date.now(),
    warn: () => {},
    failed: () => {},
  });
  const gate = makeGate({ config, paths, sandbox: () => ({ level: held === "bwrap" ? "full" : held, advice: "" }) });
  const condense = makeCondense(() => Promise.resolve({ enrich: (input) => Promise.resolve(enrich(input)) }));
  const processes = makeProcesses({
    config,
    gate,
    children,
    changes: null,
    condense,
    now: options.now ?? (() => Date.now()),
  });
  const programs = makePrograms({ config, gate, children, changes: null, handles, processes, condense });
  const survivors = async () => {
    let found = await markedProcesses(host.marker);
    for (let wait = 0; found.length > 0 && wait < 200; wait++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      found = await markedProcesses(host.marker);
    }
    return found;
  };
  return {
    root: tree.path("root"),
    config,
    gate,
    children,
    programs,
    processes,
    handles,
    facts,
    survivors,
    async [Symbol.asyncDispose]() {
      await Promise.all([programs.close(), processes.close()]);
      await children.close();
      await facts.sweep("");
      close();
      database.close();
      await tree[Symbol.asyncDispose]();
    },
  };
}

/** The host of children as the server has it at this level. */
function openHost(host: HostConfig, held: Held): { verbs: ChildVerbs; close(): void } {
  if (held === "landlock") {
    const worker = new Worker(new URL("../../src/sandbox/spawner.ts", import.meta.url), { type: "module" });
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ host, ports: [port1] }, [port1]);
    return {
      verbs: connectCalls<ChildVerbs>(port2),
      close() {
        port2.close();
        worker.postMessage({ ends: true, ports: [] });
      },
    };
  }
  const kernel = makeChildKernel(libc, host);
  const deps: HostDeps = held === "bwrap" ? inBubblewrap(host, kernel) : {
    isHeld: true,
    confinement: "none",
    host,
    limit: kernel.limit,
    start: (request, path) => startInSession(host, request, path),
    payloadLeader: (pid) => pid,
  };
  const verbs = makeChildHost(() => deps);
  return { verbs, close: () => kernel.guard?.close() };
}

function configOf(base: string, { more = [], limits = {}, resultTokens, held, confinement }: RunOptions): Config {
  const machine = { ...thisMachine(), env: {}, homeDir: `${base}/home`, workingDir: `${base}/home` };
  const values = {
    "mcp.data_dir": `${base}/data`,
    "mcp.tools.confinement": confinement ?? (held === "none" || held === undefined ? "best_effort" : "required"),
    "mcp.linux_ops.commands.allowed_binaries": more,
    ...resultTokens === undefined ? {} : { "mcp.tools.result_tokens": resultTokens },
    ...Object.fromEntries(Object.entries(limits).map(([key, value]) => [`mcp.linux_ops.process_limits.${key}`, value])),
  };
  const config = resolveConfig(loadConfig({ overrides: { values, roots: [`${base}/root`] } }, machine), machine);
  return { ...config, container: "", missingBinaries: ["not-installed"] };
}

async function markedProcesses(marker: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await Deno.readTextFile(`/proc/${name}/environ`).catch(() => "");
    if (environment.includes(marker)) {
      found.push((await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "")).replaceAll("\0", " "));
    }
  }
  return found;
}
