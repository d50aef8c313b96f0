/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/**
 * Spawner worker: confines its own thread with a Landlock domain inside the server's, and starts children there. They
 * see the roots and a scratch directory, not the data directory, and cannot signal or inspect the server, which is in
 * an outer domain.
 * @module
 */
import { networkOf } from "../config/network.ts";
import type { Config } from "../config/resolve.ts";
import { inBubblewrap } from "./bubblewrap_host.ts";
import { childFilter, needsScopedThread } from "./child_filter.ts";
import { makeChildHost } from "./child_host.ts";
import { makeChildKernel } from "./child_kernel.ts";
import { limitChild } from "./child_limits.ts";
import { dropCapabilitiesOfChildren } from "./drop_capabilities.ts";
import { type GuardWatch, makeGuardWatch } from "./guard_watch.ts";
import { landlockAbi, planRuleset, type Policy, restrictThread, scopeAbstractSockets } from "./landlock.ts";
import { type Libc, openLibc } from "../sys/libc.ts";
import type { HostConfig, SpawnerVerbs } from "./protocol.ts";
import { installListener } from "./recorder/listener.ts";
import { recordingFilter } from "./recorder/recorded_calls.ts";
import { serveCalls } from "./rpc.ts";
import { divideRoots } from "./root_entries.ts";
import { installFilter } from "./seccomp.ts";
import { breakOutArgs, judgeChild, SELF_TEST_SHELL } from "./self_test.ts";
import { limitOf } from "./sweep.ts";
import { treeBounds } from "./tree_bounds.ts";
import { isInsideAny } from "../core/path.ts";
import { etcPaths, foreignPrograms, SAFE_DEVICES, SYSTEM_DIRS, TERMINAL_DEVICES } from "./system_paths.ts";
import { startInSession } from "./wrap.ts";

/** What children may reach. */
function childPolicy({ config, scratchDir, homeDir, extraPrograms }: HostConfig): Policy {
  const network = networkOf(config.settings.tools) === "on";
  const { open: entries, readOnly, listed } = divideRoots(config), open = [...entries, scratchDir, homeDir];
  const foreign = foreignPrograms(config);
  const system = [...SYSTEM_DIRS, ...foreign, ...config.toolFolders, extraPrograms];
  const tree = config.settings.tools.allowlist_scope === "tree";
  return {
    readOnly: ["/proc", ...etcPaths(network), ...readOnly, ...tree ? system : []],
    listed,
    readExecute: tree ? listedPrograms(config) : system,
    // A program that a child wrote into a root is not on the list either.
    readWrite: tree ? [] : open,
    readWriteNoExecute: tree ? open : [],
    devices: [...SAFE_DEVICES, ...TERMINAL_DEVICES],
    connectPorts: network ? null : [],
  };
}

/** What starts a listed program: the loader, and the wrappers that this host puts around it. */
const STARTERS = [
  "/lib64/ld-linux-x86-64.so.2",
  "/lib/ld-linux-aarch64.so.1",
  "/usr/bin/setsid",
  "/usr/bin/setpriv",
  "/usr/bin/script",
  "/usr/bin/stty",
  SELF_TEST_SHELL,
];

/**
 * Files that may be executed when the allowlist binds every program in the tree. One in a root is not among them: it can
 * be overwritten there, and would then be whatever a child made of it.
 */
function listedPrograms({ binaries, roots, unconfined }: Config): string[] {
  const fixed = Object.values(binaries).filter((path) => unconfined || !isInsideAny(path, roots));
  return [...fixed, ...STARTERS];
}

/**
 * Children in bubblewrap, from a thread inside a domain that only scopes abstract sockets, or in none. It is not the broker's thread: in
 * a domain that could no longer look at processes outside.
 */
function makeScopedVerbs(host: HostConfig, recorder: MessagePort | undefined): SpawnerVerbs {
  const libc = openLibc(), kernel = makeChildKernel(libc, host);
  if (needsScopedThread(host.config, host.landlockAbi)) scopeAbstractSockets(libc);
  guard = kernel.guard;
  const deps = inBubblewrap(host, kernel), isRecorded = letRecord(libc, recorder);
  return { ...makeChildHost(() => deps, { ...kernel, isRecorded }), selfTest: () => Promise.resolve([]) };
}

function makeVerbs(host: HostConfig, recorder: MessagePort | undefined): SpawnerVerbs {
  const libc = openLibc();
  const abi = landlockAbi(libc);
  restrictThread(libc, planRuleset(childPolicy(host)));
  dropCapabilitiesOfChildren(libc);
  installFilter(libc, childFilter(host.config, { namespaces: false, landlockAbi: abi, root: Deno.uid() === 0 }));
  const bounds = treeBounds(host.config);
  guard = makeGuardWatch(libc, host, false);
  const watch = { bounds, guard, counted: retirement.counted, isRecorded: letRecord(libc, recorder) };
  const hostOf = (config: Config) =>
    makeChildHost(() => ({
      host: { ...host, config },
      isHeld: true,
      confinement: "landlock",
      start: (request, path) => startInSession(host, request, path),
      payloadLeader: (pid) => pid,
      limit: (pid, mark) => limitChild(libc, pid, limitOf(host.marker, mark), bounds, false),
    }), watch);
  return {
    ...hostOf(host.config),
    async selfTest() {
      // The self-test's shell need not be on the allowlist.
      const verbs = hostOf({ ...host.config, binaries: { probe: SELF_TEST_SHELL } });
      const args = breakOutArgs(host, {
        signals: abi >= 6 ? host.serverPid : null, // a domain's scope holds them from ABI 6 on
        environment: Deno.uid() === 0 ? null : host.serverPid, // root reads it; what was secret is overwritten there
      });
      const cwd = host.config.roots[0] ?? host.scratchDir;
      const { id } = await verbs.spawn({ program: "probe", args, cwd, env: {}, stdin: "null", mark: "probe" });
      return [await judgeChild("child in Landlock only", verbs, id)];
    },
  };
}

/**
 * Has the recorder look at what children change, from the next one on. It is the last thing that is installed: what this
 * thread itself writes from here on waits for the recorder as well.
 *
 * @returns false where the kernel cannot do that, or another program watches this one in the same way.
 */
function letRecord(libc: Libc, recorder: MessagePort | undefined): boolean {
  if (recorder === undefined) return false;
  try {
    recorder.postMessage(installListener(libc, recordingFilter()));
    return true;
  } catch {
    recorder.postMessage(null);
    return false;
  } finally {
    recorder.close();
  }
}

/** The first message brings the configuration, every one brings ports on which calls will arrive. */
interface Opening {
  readonly host?: HostConfig;
  /** Whether bubblewrap holds the children, and this thread only their sockets. */
  readonly scoped?: boolean;
  /** Leads to the thread that records what children change. */
  readonly recorder?: MessagePort;
  /** Another thread starts the next children; this one ends after its last. */
  readonly retires?: boolean;
  /** Nothing is asked of it any more. */
  readonly ends?: boolean;
  readonly ports: readonly MessagePort[];
}

/** So long the output of an ended child can still be read. */
const LINGER_MS = 60_000;

/** Ends the thread when it has retired and its last child has ended. */
function makeRetirement() {
  let retired = false, running = 0, timer: ReturnType<typeof setTimeout> | undefined;
  const consider = () => {
    clearTimeout(timer);
    if (retired && running === 0) timer = setTimeout(end, LINGER_MS);
  };
  return {
    retire() {
      retired = true;
      consider();
    },
    counted(count: number) {
      running = count;
      consider();
    },
  };
}

const retirement = makeRetirement();
let verbs: SpawnerVerbs | undefined, guard: GuardWatch | null = null;

/** Ends the thread. */
function end(): void {
  guard?.close();
  self.close();
}

self.onmessage = ({ data }: MessageEvent<Opening>) => {
  if (data.ends) return end();
  if (data.retires) return retirement.retire();
  if (data.host) verbs = (data.scoped ? makeScopedVerbs : makeVerbs)(data.host, data.recorder);
  for (const port of data.ports) if (verbs) serveCalls(port, verbs);
};
