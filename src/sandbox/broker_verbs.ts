/** Implements the broker's RPC methods: facts, signals, and children in bubblewrap. @module */
import { networkOf } from "../config/network.ts";
import type { Check } from "./permission_check.ts";
import { OpsError } from "../core/error.ts";
import { once } from "../core/once.ts";
import { BWRAP } from "./bwrap.ts";
import type { ChildKernel } from "./child_kernel.ts";
import { inBubblewrap } from "./bubblewrap_host.ts";
import { type HostDeps, makeChildHost } from "./child_host.ts";
import { makeFacts } from "./facts.ts";
import type { BrokerVerbs, Bubblewrap, HostConfig } from "./protocol.ts";
import { breakOutArgs, judgeChild, SELF_TEST_SHELL } from "./self_test.ts";
import { inNetwork } from "./network/in_network.ts";
import { makeListedNetwork } from "./network/listed_network.ts";
import { makeWatchdog } from "./watchdog.ts";
import { startInSession } from "./wrap.ts";

async function bubblewrapVersion(): Promise<string> {
  const { stdout } = await new Deno.Command(BWRAP, { args: ["--version"], clearEnv: true, stdin: "null" }).output();
  return new TextDecoder().decode(stdout).replace("bubblewrap", "").trim();
}

/** bubblewrap works when its child runs, reads a root AND cannot read the canary. An error alone would prove neither. */
async function probe(host: HostConfig, kernel: ChildKernel): Promise<{ bubblewrap: Bubblewrap; checks: Check[] }> {
  const name = "child in bubblewrap";
  const fail = (reason: string, version = "") => ({
    bubblewrap: { works: false, reason, version },
    checks: [{ outcome: "skipped" as const, name, detail: reason }],
  });
  if (host.forcedLevel === "landlock" || host.forcedLevel === "none") return fail("switched off for a test");
  try {
    // The attempt first: it takes longest, and has a processor of its own while the next thread is made.
    const questions = [breakOut(name, host, kernel), bubblewrapVersion()] as const;
    await Promise.allSettled(questions); // where one fails at once, the other one would go on after the answer
    const [check, version] = await Promise.all(questions);
    if (check.outcome === "broken") return fail(check.detail, version);
    return { bubblewrap: { works: check.outcome === "held", reason: check.detail, version }, checks: [check] };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return fail(`${BWRAP} is not installed`);
    return fail(error instanceof Error ? error.message : String(error));
  }
}

async function breakOut(name: string, host: HostConfig, kernel: ChildKernel): Promise<Check> {
  const deps = inBubblewrap(host, kernel, { program: SELF_TEST_SHELL }), verbs = makeChildHost(() => deps);
  const args = breakOutArgs(host, { signals: null, environment: null }), cwd = host.config.roots[0] ?? "/tmp";
  const { id } = await verbs.spawn({ program: "probe", args, cwd, env: {}, stdin: "null", mark: "probe" });
  return await judgeChild(name, verbs, id);
}

/**
 * The verbs. Nothing can be started before the probe has said how: children go into bubblewrap where it works. The broker
 * is outside every domain, so without bubblewrap it starts them only where nothing could hold them anyway, or where the
 * operator wants nothing held.
 */
export function makeBrokerVerbs(host: HostConfig, kernel: ChildKernel): BrokerVerbs {
  const { tools } = host.config.settings;
  const network = networkOf(tools) === "list" ? makeListedNetwork(tools.network_allow, host.runtimeDir) : null;
  const confined = inBubblewrap(host, kernel, network ?? {});
  const unconfined: HostDeps = {
    limit: kernel.limit,
    isHeld: false,
    confinement: "none",
    host,
    start: (request, path) => startInSession(host, request, path),
    payloadLeader: (pid) => pid,
  };
  const watchdog = makeWatchdog(host.marker), watch = once(() => watchdog.start());
  let chosen: HostDeps | undefined;
  const choose = (bubblewrapWorks: boolean): HostDeps | undefined => {
    if (tools.confinement === "off") return unconfined;
    if (bubblewrapWorks) return confined;
    return host.landlockAbi > 0 ? undefined : unconfined;
  };
  const started = makeChildHost(() => {
    if (chosen) return chosen;
    throw new OpsError("SANDBOX_UNAVAILABLE", "this thread cannot start programs");
  }, kernel);
  const children = inNetwork(started, network);
  return {
    ...makeFacts(host),
    ...children,
    async probe() {
      const result = await probe(host, kernel);
      chosen = choose(result.bubblewrap.works);
      return result;
    },
    watch: () => Promise.resolve(watch()),
    async spawn(request) {
      // In bubblewrap too: until that has told the kernel whom to die with, a program would outlive a killed server.
      watch();
      return await children.spawn(request);
    },
    async cleanUp() {
      await children.close();
      await watchdog.end();
      network?.close();
      kernel.guard?.close();
      await Deno.remove(host.runtimeDir, { recursive: true }).catch(() => {}); // gone already: nothing to clean
      await Deno.remove(host.canary.link).catch(() => {});
    },
  };
}
