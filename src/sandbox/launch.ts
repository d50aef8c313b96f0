/// <reference lib="deno.unstable" />
/**
 * Starts the threads of this process so that the sandbox holds.
 *
 * In the executable main stays outside and is the broker: it has /proc, signals and bubblewrap, and sees no text of a
 * model. The server worker, made with narrowed Deno permissions, enters its Landlock domain before it touches a file;
 * so do the indexer and the spawner, which are made on request.
 *
 * Under `deno run` a worker reads its modules from disk, by threads that would be older than its domain. There the
 * broker is a worker of its own, made first; then main enters the domain, and with it every worker made afterwards.
 *
 * Nothing is served before the self-test held.
 * @module
 */
import { parentOf } from "../config/paths.ts";
import type { Config } from "../config/resolve.ts";
import { makeAssets, serveAssets } from "../sys/assets.ts";
import { makeBrokerVerbs } from "./broker_verbs.ts";
import { forbidCoreDumps, limitOpenFiles } from "./child_limits.ts";
import { hideProcess, wipeEnvironment } from "./hide_process.ts";
import { landlockAbi, planRuleset, restrictThread, type Ruleset } from "./landlock.ts";
import { heldByLandlock, makeReport, mayLeaveStrays } from "./level.ts";
import { openLibc } from "./libc.ts";
import type { Granted } from "./permission_check.ts";
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
import { serverPolicy } from "./server_policy.ts";
import { openStoreDir } from "./store_dir.ts";
import { isInside } from "./system_paths.ts";

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
  forbidCoreDumps(libc);
  const runtimeDir = makeRuntimeDir(options.config);
  wipeEnvironment(libc);
  const abi = options.forcedLevel === "bwrap" || options.forcedLevel === "none" ? 0 : landlockAbi(libc);
  const host = prepare(options, runtimeDir, abi > 0);

  const forMain = new MessageChannel(), forServer = new MessageChannel();
  const brokerPorts = [forMain.port1, forServer.port1];
  if (Deno.build.standalone) {
    const verbs = makeBrokerVerbs(host, (pid) => limitOpenFiles(libc, pid));
    for (const port of brokerPorts) serveCalls(port, verbs);
  } else startWorker("broker", "inherit", options).postMessage({ host, ports: brokerPorts }, brokerPorts);
  const brokerVerbs = connectCalls<BrokerVerbs>(forMain.port2);
  const probing = brokerVerbs.probe();

  const ruleset = abi > 0 ? planRuleset(serverPolicy(host)) : null;
  if (ruleset && !Deno.build.standalone) restrictThread(libc, ruleset);
  const domain = Deno.build.standalone ? ruleset : null;
  const openWorker = makeInnerWorkers(options, host, domain);
  const openWatched = async (name: "spawner" | "indexer") => {
    if (name === "spawner") await brokerVerbs.watch();
    return openWorker(name);
  };
  const server = startServer<V>(options, host, forServer.port2, openWatched, domain !== null);
  const [own, { bubblewrap, checks: inBubblewrap }] = await Promise.all([
    server.start({
      host,
      face: options.face,
      ripgrep: options.ripgrep,
      hasLandlock: abi > 0,
      domain,
      granted: serverPermissions(options, host),
    }),
    probing,
  ]);
  const checks = [...own, ...inBubblewrap];
  if (abi > 0 && heldByLandlock(host.config, bubblewrap.works)) {
    checks.push(...await connectCalls<SpawnerVerbs>(openWorker("spawner")).selfTest());
  }
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
      if (mayLeaveStrays(host.config, bubblewrap.works)) await brokerVerbs.sweep("");
      await brokerVerbs.cleanUp(); // the canary is out of this thread's own reach by now
    },
  };
}

/** Makes the directories and the canary while this thread may still do anything. */
function prepare({ config, forcedLevel }: LaunchOptions, runtimeDir: string, landlock: boolean): HostConfig {
  const storeDir = openStoreDir(config.dataDir);
  const scratchDir = `${runtimeDir}/scratch`;
  Deno.mkdirSync(scratchDir, { mode: 0o700 });
  const canary: Canary = {
    path: `${runtimeDir}/canary`,
    link: `${storeDir}/.canary-${crypto.randomUUID()}`, // not in a root: nothing is written among a user's files
    secret: crypto.randomUUID(),
  };
  Deno.writeTextFileSync(canary.path, canary.secret, { mode: 0o600 });
  Deno.writeTextFileSync(`${storeDir}/.own`, "own", { mode: 0o600 });
  Deno.symlinkSync(canary.path, canary.link);
  // What is not there cannot be covered, and a program in the roots could make it.
  const ownFolders = [config.dataDir, ...configFolders(config)].filter(makeFolder);
  const marker = `${Deno.pid}-${crypto.randomUUID()}`;
  return {
    config,
    ownFolders,
    canary,
    storeDir,
    runtimeDir,
    scratchDir,
    marker,
    serverPid: Deno.pid,
    landlock,
    forcedLevel,
  };
}

/** The folder among the user's configuration, if in a root: whoever can make it decides about the next start. */
function configFolders({ protectedPaths, unconfined }: Config): string[] {
  if (unconfined) return [];
  return protectedPaths.filter((path) => path.endsWith("/llmc/llmc.toml")).map((path) => parentOf(path))
    .filter((folder) => folder !== Deno.cwd()); // there it is a project that happens to have the name
}

/** Whether a folder is there in the end. */
function makeFolder(path: string): boolean {
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false; // who cannot make it here cannot make it in a child either
  }
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

function startServer<V extends ServerVerbs & Verbs<V>>(
  options: LaunchOptions,
  host: HostConfig,
  brokerPort: MessagePort,
  openWorker: MainVerbs["openWorker"],
  confinesItself: boolean,
): V {
  const { read, write, run, net } = serverPermissions(options, host);
  const worker = startWorker("server", {
    read: [...read],
    write: [...write],
    run: [...run],
    net: [...net],
    env: [],
    sys: [],
    ffi: confinesItself, // given away once it is in its domain
    import: false,
  }, options);
  const toMain = new MessageChannel(), assets = new MessageChannel();
  serveCalls<MainVerbs>(toMain.port1, {
    openWorker,
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

/** All that the server worker gets. */
function serverPermissions({ ripgrep, face, extraHosts }: LaunchOptions, { config, storeDir }: HostConfig): Granted {
  const folders = [...config.roots, storeDir];
  return {
    read: folders,
    write: folders,
    run: ripgrep.path ? [ripgrep.path] : [],
    net: [...face.kind === "http" ? [listenAddress(config)] : [], ...extraHosts],
  };
}

/** `host:port` as Deno's permission check writes it; port 0 needs the whole host. */
function listenAddress({ settings: { server: { host, port } } }: Config): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === 0 ? name : `${name}:${port}`;
}

/** Workers inside the domain, each made when it is first needed. */
function makeInnerWorkers(options: LaunchOptions, host: HostConfig, domain: Ruleset | null) {
  const workers = new Map<"spawner" | "indexer", Worker>();
  return (name: "spawner" | "indexer"): MessagePort => {
    const channel = new MessageChannel();
    const known = workers.get(name);
    if (known) {
      known.postMessage({ ports: [channel.port1] }, [channel.port1]);
      return channel.port2;
    }
    const worker = startWorker(name, innerPermissions(name, options, host, domain !== null), options);
    const assets = new MessageChannel();
    serveAssets(assets.port1, makeAssets());
    worker.postMessage({ host, domain, ports: [channel.port1], assets: assets.port2 }, [channel.port1, assets.port2]);
    workers.set(name, worker);
    return channel.port2;
  };
}

function innerPermissions(
  name: "spawner" | "indexer",
  { extraHosts }: LaunchOptions,
  { config, storeDir }: HostConfig,
  confinesItself: boolean,
): Deno.PermissionOptions {
  // The spawner answers typed requests only, and the kernel confines it and its children.
  if (name === "spawner") return "inherit";
  return {
    read: [...config.roots, storeDir],
    write: [storeDir],
    net: [...extraHosts],
    run: [],
    env: [],
    sys: [],
    ffi: confinesItself,
    import: false,
  };
}

function startWorker(name: WorkerName, permissions: Deno.PermissionOptions, options: LaunchOptions): Worker {
  const worker = new Worker(options.workerUrl(name), { type: "module", name, deno: { permissions } });
  worker.onerror = (event) => {
    event.preventDefault();
    options.onCrash(name, event.message);
  };
  return worker;
}
