/// <reference lib="deno.unstable" />
/**
 * Starts the threads of this process in an order that makes the sandbox hold. In the executable, main stays outside
 * the domain as the broker: it has /proc, signals and bubblewrap, and never sees text from a model. The server worker
 * is created with narrowed Deno permissions and enters its Landlock domain before it touches a file; so do the indexer
 * and the spawner, which are created on request. Under `deno run` a worker reads its modules from disk on threads that
 * would be older than its domain. There the broker is a worker of its own, created first; then main enters the domain,
 * and with it every worker created afterwards. Nothing is served before the self-test has passed.
 * @module
 */
import type { Check } from "./permission_check.ts";
import { isInside, parentOf } from "../core/path.ts";
import { exists } from "../sys/files/exists.ts";
import type { Config } from "../config/resolve.ts";
import { makeBrokerVerbs } from "./broker_verbs.ts";
import { makeChildKernel } from "./child_kernel.ts";
import { forbidCoreDumps } from "./child_limits.ts";
import { hideProcess, wipeEnvironment } from "./hide_process.ts";
import { landlockAbi, planRuleset, restrictThread } from "./landlock.ts";
import { heldByLandlock, makeReport, mayLeaveStrays } from "./level.ts";
import { openLibc } from "../sys/libc.ts";
import { readMachineSettings } from "./machine_settings.ts";
import { readGitSettings, writeGitConfig } from "./private_home.ts";
import { prepareHost, sweepCanaryLinks } from "./prepare_host.ts";
import type {
  BrokerVerbs,
  HostConfig,
  InnerWorker,
  Level,
  SandboxReport,
  ServerVerbs,
  SpawnerVerbs,
} from "./protocol.ts";
import { unreachableRoot } from "./root_access.ts";
import { connectCalls, serveCalls, type Verbs } from "./rpc.ts";
import { makeRuntimeDir, sweepRuntimeDirs } from "./runtime_dir.ts";
import { programDir, serverPolicy } from "./server_policy.ts";
import { makeInnerWorkers, serverPermissions, startServer, startWorker, type WorkerOptions } from "./workers.ts";

/** What to start. */
export interface LaunchOptions extends Omit<WorkerOptions, "ripgrep"> {
  readonly config: Config;
  /** Looked for while the rest is prepared. */
  readonly ripgrep: Promise<WorkerOptions["ripgrep"]>;
  readonly forcedLevel: Level | null;
  /** Everything is up, and no request has been answered yet. */
  readonly beforeServing: () => void;
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
  const gitSettings = readGitSettings(Deno.env.toObject());
  wipeEnvironment(libc);
  const abi = options.forcedLevel === "bwrap" || options.forcedLevel === "none" ? 0 : landlockAbi(libc);
  const host = prepareHost(options, runtimeDir, abi);
  const { config } = host;

  const forMain = new MessageChannel(), forServer = new MessageChannel();
  const brokerPorts = [forMain.port1, forServer.port1];
  if (Deno.build.standalone) {
    const verbs = makeBrokerVerbs(host, makeChildKernel(libc, host));
    for (const port of brokerPorts) serveCalls(port, verbs);
  } else startWorker("broker", "inherit", options).postMessage({ host, ports: brokerPorts }, brokerPorts);
  const brokerVerbs = connectCalls<BrokerVerbs>(forMain.port2);
  const probing = brokerVerbs.probe();

  const workers: WorkerOptions = { ...options, ripgrep: await options.ripgrep };
  offerEmbedded(workers.ripgrep.path, host);
  writeGitConfig(host.homeDir, await gitSettings, config.roots);
  // Outside the executable this thread cannot look later; inside, it is not needed when everything works.
  const early = Deno.build.standalone ? undefined : readMachineSettings(config.container);
  const ruleset = abi > 0 ? planRuleset(serverPolicy(host)) : null;
  if (ruleset && !Deno.build.standalone) restrictThread(libc, ruleset);
  const domain = Deno.build.standalone ? ruleset : null;
  const openWorker = makeInnerWorkers(workers, host, domain);
  const openWatched = async (name: InnerWorker, renewed?: boolean) => {
    if (name === "spawner") await brokerVerbs.watch();
    const { bubblewrap } = await probing;
    return openWorker(name, !heldByLandlock(config, bubblewrap.works), renewed);
  };
  const server = startServer<V>(workers, host, forServer.port2, openWatched, domain !== null);
  const [own, { bubblewrap, checks: inBubblewrap }] = await Promise.all([
    server.start({
      host,
      face: options.face,
      ripgrep: workers.ripgrep,
      hasLandlock: abi > 0,
      domain,
      granted: serverPermissions(workers, host),
    }),
    probing,
  ]);
  const checks = [...own, ...inBubblewrap];
  if (abi > 0 && heldByLandlock(config, bubblewrap.works)) {
    checks.push(...await connectCalls<SpawnerVerbs>(openWorker("spawner")).selfTest());
  }
  const { unconfined } = config;
  const report = makeReport(
    { landlockAbi: abi, bubblewrap, unconfined, root: Deno.uid() === 0 },
    () => early ?? readMachineSettings(config.container),
  );
  if (!unconfined && checks.some(({ outcome }) => outcome === "leaked" || outcome === "broken")) {
    await brokerVerbs.cleanUp();
    throw failureOf(checks, config);
  }
  options.beforeServing();
  const address = await server.serve(report);
  // Now that it serves there is time; a command is gone too soon.
  if (options.face.kind !== "command") {
    void Promise.allSettled([sweepRuntimeDirs(parentOf(runtimeDir)), sweepCanaryLinks(host.storeDir)]);
  }
  return {
    report,
    checks,
    server,
    address,
    async close() {
      await server.stop();
      if (mayLeaveStrays(config, bubblewrap.works)) await brokerVerbs.sweep("");
      await brokerVerbs.cleanUp(); // the canary is out of this thread's own reach by now
    },
  };
}

/** Puts an embedded program where children find it under its usual name. */
function offerEmbedded(ripgrep: string | null, { config, extraPrograms }: HostConfig): void {
  if (ripgrep === null || !isInside(ripgrep, programDir(config))) return;
  Deno.mkdirSync(extraPrograms, { recursive: true });
  const path = `${extraPrograms}/rg`;
  if (exists(path)) Deno.removeSync(path);
  Deno.linkSync(ripgrep, path);
}

/** A control that failed says nothing of a way out where programs could not even come in. */
function failureOf(checks: readonly Check[], config: Config): Error {
  const reason = checks.some(({ outcome }) => outcome === "leaked") ? null : unreachableRoot(config);
  return reason === null ? new SandboxLeak(checks) : new Error(reason);
}
