/// <reference lib="deno.unstable" />
/**
 * Starts the threads of this process in the order that makes the sandbox hold:
 *
 * 1. the broker, outside any domain: it has /proc, signals and bubblewrap;
 * 2. Landlock on main's own thread;
 * 3. the server, inside the domain and with narrowed Deno permissions; later the spawner and the indexer, on request.
 *
 * Nothing is served before the self-test held.
 * @module
 */
import type { Config } from "../config/resolve.ts";
import { makeAssets, serveAssets } from "../sys/assets.ts";
import { hideProcess, wipeEnvironment } from "./hide_process.ts";
import { landlockAbi, type Policy, restrictThread } from "./landlock.ts";
import { makeReport } from "./level.ts";
import { type Libc, openLibc } from "./libc.ts";
import type {
  BrokerVerbs,
  Canary,
  Check,
  Face,
  HostConfig,
  Level,
  MainVerbs,
  SandboxReport,
  ServerVerbs,
  SpawnerVerbs,
  Startup,
} from "./protocol.ts";
import { connectCalls, serveCalls, type Verbs } from "./rpc.ts";
import { etcPaths, foreignBinaryDirs, isInside, SAFE_DEVICES, SYSTEM_DIRS, TERMINAL_DEVICES } from "./system_paths.ts";

/** Entry modules of the workers. */
export type WorkerName = "broker" | "spawner" | "server" | "indexer";

/** What to start. */
export interface LaunchOptions {
  readonly config: Config;
  readonly face: Face;
  readonly ripgrep: Startup["ripgrep"];
  readonly workerUrl: (name: WorkerName) => URL;
  /** Host that the optional embeddings service runs on. */
  readonly extraHosts: readonly string[];
  readonly forcedLevel: Level | null;
  /** The server's face has ended by itself. */
  readonly onFinished: () => void;
  /** A thread died; nothing can be served any more. */
  readonly onCrash: (thread: WorkerName, message: string) => void;
  readonly say: (line: string) => void;
}

/** A started process. */
export interface Running<V extends ServerVerbs = ServerVerbs> {
  readonly report: SandboxReport;
  readonly checks: readonly Check[];
  readonly server: V;
  /** Where the HTTP face listens; empty for the others. */
  readonly address: string;
  /** Stops the server, then removes what main put on disk. */
  close(): Promise<void>;
}

/** A way out was found, or a control failed: the process must not serve. */
export class SandboxLeak extends Error {
  override readonly name = "SandboxLeak";

  constructor(readonly checks: readonly Check[]) {
    const bad = checks.filter(({ outcome }) => outcome === "leaked" || outcome === "broken");
    super(bad.map(({ name, outcome, detail }) => `${name}: ${outcome} (${detail})`).join("; "));
  }
}

/**
 * Starts everything and runs the self-test.
 *
 * @throws SandboxLeak when anything got out; Error when the data directory cannot be used.
 */
export async function launch<V extends ServerVerbs & Verbs<V>>(options: LaunchOptions): Promise<Running<V>> {
  const libc = openLibc();
  hideProcess(libc);
  const runtimeDir = makeRuntimeDir(options.config);
  wipeEnvironment(libc);
  const host = prepare(options, runtimeDir);

  const broker = startWorker("broker", "inherit", options);
  const forMain = new MessageChannel(), forServer = new MessageChannel();
  broker.postMessage({ host, ports: [forMain.port1, forServer.port1] }, [forMain.port1, forServer.port1]);
  const brokerVerbs = connectCalls<BrokerVerbs>(forMain.port2);
  const probing = brokerVerbs.probe();

  const abi = enterDomain(libc, host);
  const openWorker = makeInnerWorkers(options, host, abi > 0);
  const server = startServer<V>(options, host, forServer.port2, openWorker);
  const [own, { bubblewrap, checks: inBubblewrap }] = await Promise.all([
    server.start({ host, face: options.face, ripgrep: options.ripgrep, hasLandlock: abi > 0 }),
    probing,
  ]);
  const checks = [...own, ...inBubblewrap];
  // Where bubblewrap works, no child is ever started in Landlock alone.
  if (abi > 0 && !bubblewrap.works) checks.push(...await connectCalls<SpawnerVerbs>(openWorker("spawner")).selfTest());
  const { unconfined } = host.config;
  const report = makeReport({ landlockAbi: abi, bubblewrap, unconfined, root: Deno.uid() === 0 });
  if (!unconfined && checks.some(({ outcome }) => outcome === "leaked" || outcome === "broken")) {
    await brokerVerbs.cleanUp();
    throw new SandboxLeak(checks);
  }
  const address = await server.serve(report);
  return {
    report,
    checks,
    server,
    address,
    async close() {
      await server.stop();
      if (report.level === "landlock" || report.level === "none") await brokerVerbs.sweep("");
      await brokerVerbs.cleanUp(); // the canary is out of this thread's own reach by now
    },
  };
}

/** Makes the directories and the canary while this thread may still do anything. */
function prepare({ config, forcedLevel }: LaunchOptions, runtimeDir: string): HostConfig {
  Deno.mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const scratchDir = `${runtimeDir}/scratch`;
  Deno.mkdirSync(scratchDir, { mode: 0o700 });
  const canary: Canary = {
    path: `${runtimeDir}/canary`,
    link: `${config.dataDir}/.canary-${crypto.randomUUID()}`, // not in a root: nothing is written among a user's files
    secret: crypto.randomUUID(),
  };
  Deno.writeTextFileSync(canary.path, canary.secret, { mode: 0o600 });
  Deno.writeTextFileSync(`${config.dataDir}/.own`, "own");
  Deno.symlinkSync(canary.path, canary.link);
  const marker = `${Deno.pid}-${crypto.randomUUID()}`;
  return { config, canary, runtimeDir, scratchDir, marker, serverPid: Deno.pid, forcedLevel };
}

/** A private directory that no root contains, or the canary in it would prove nothing. */
function makeRuntimeDir({ roots, unconfined }: Config): string {
  const given = [Deno.env.get("XDG_RUNTIME_DIR"), Deno.env.get("TMPDIR"), "/tmp", "/var/tmp", "/dev/shm"];
  for (const dir of given) {
    try {
      if (!dir) continue;
      const real = Deno.realPathSync(dir);
      if (!unconfined && roots.some((root) => isInside(real, root))) continue;
      return Deno.makeTempDirSync({ dir: real, prefix: "llmc-mcp-" });
    } catch {
      // not there or not writable: the next one
    }
  }
  throw new Error("no temporary directory outside the allowed roots; set TMPDIR to one");
}

/** Confines this thread and every worker made from now on; returns the Landlock ABI, 0 when there is none. */
function enterDomain(libc: Libc, host: HostConfig): number {
  const off = host.forcedLevel === "bwrap" || host.forcedLevel === "none";
  if (off || landlockAbi(libc) === 0) return 0;
  return restrictThread(libc, serverPolicy(host)).abi;
}

/** What the server, and within it the spawner's children, may reach. */
function serverPolicy({ config, scratchDir }: HostConfig): Policy {
  return {
    readOnly: ["/proc", "/sys/fs/cgroup", ...etcPaths(true), ...ownFiles()],
    readExecute: [...SYSTEM_DIRS, ...foreignBinaryDirs(config.binaries, config.roots), programDir(config)],
    readWrite: [...config.roots, scratchDir],
    readWriteNoExecute: [config.dataDir],
    devices: [...SAFE_DEVICES, ...TERMINAL_DEVICES],
    connectPorts: null,
  };
}

/** Where the embedded ripgrep is put: in the data directory, which no tool and no child may touch. */
export function programDir({ dataDir }: Pick<Config, "dataDir">): string {
  return `${dataDir}/bin`;
}

/** What this program itself still opens inside the domain; `deno run` loads modules from disk. */
function ownFiles(): string[] {
  if (Deno.build.standalone) return [Deno.execPath()];
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  return [Deno.execPath(), new URL("../../", import.meta.url).pathname, cache];
}

function startServer<V extends ServerVerbs & Verbs<V>>(
  options: LaunchOptions,
  host: HostConfig,
  brokerPort: MessagePort,
  openWorker: ReturnType<typeof makeInnerWorkers>,
): V {
  const { config } = host;
  const granted = [...config.roots, config.dataDir];
  const worker = startWorker("server", {
    read: granted,
    write: granted,
    run: options.ripgrep.path ? [options.ripgrep.path] : [],
    net: [...options.face.kind === "http" ? [listenAddress(config)] : [], ...options.extraHosts],
    env: [],
    sys: [],
    ffi: false,
    import: false,
  }, options);
  const toMain = new MessageChannel(), assets = new MessageChannel();
  serveCalls<MainVerbs>(toMain.port1, {
    openWorker: (name) => Promise.resolve(openWorker(name)),
    finished() {
      options.onFinished();
      return Promise.resolve();
    },
    say(line) {
      options.say(line);
      return Promise.resolve();
    },
  });
  serveAssets(assets.port1, makeAssets());
  const ports = { broker: brokerPort, main: toMain.port2, assets: assets.port2 };
  worker.postMessage(ports, [brokerPort, toMain.port2, assets.port2]);
  return connectCalls<V>(worker);
}

/** `host:port` as Deno's permission check writes it; port 0 needs the whole host. */
function listenAddress({ settings: { server: { host, port } } }: Config): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === 0 ? name : `${name}:${port}`;
}

/** Workers inside the domain, each made when it is first needed. */
function makeInnerWorkers(options: LaunchOptions, host: HostConfig, hasLandlock: boolean) {
  const workers = new Map<"spawner" | "indexer", Worker>();
  return (name: "spawner" | "indexer"): MessagePort => {
    if (name === "spawner" && !hasLandlock) throw new Error("the spawner needs Landlock");
    const channel = new MessageChannel();
    const known = workers.get(name);
    if (known) {
      known.postMessage({ ports: [channel.port1] }, [channel.port1]);
      return channel.port2;
    }
    const worker = startWorker(name, innerPermissions(name, options, host), options);
    const assets = new MessageChannel();
    serveAssets(assets.port1, makeAssets());
    worker.postMessage({ host, ports: [channel.port1], assets: assets.port2 }, [channel.port1, assets.port2]);
    workers.set(name, worker);
    return channel.port2;
  };
}

function innerPermissions(
  name: "spawner" | "indexer",
  { extraHosts }: LaunchOptions,
  { config }: HostConfig,
): Deno.PermissionOptions {
  // The spawner answers typed requests only, and the kernel confines it and its children.
  if (name === "spawner") return "inherit";
  const read = [...config.roots, config.dataDir];
  return { read, write: [config.dataDir], net: [...extraHosts], run: [], env: [], sys: [], ffi: false, import: false };
}

function startWorker(name: WorkerName, permissions: Deno.PermissionOptions, options: LaunchOptions): Worker {
  const worker = new Worker(options.workerUrl(name), { type: "module", name, deno: { permissions } });
  worker.onerror = (event) => {
    event.preventDefault();
    options.onCrash(name, event.message);
  };
  return worker;
}
