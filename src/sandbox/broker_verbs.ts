/** What the broker answers: facts, signals, and children in bubblewrap. @module */
import { BWRAP } from "./bwrap.ts";
import { firstChild, makeChildHost } from "./child_host.ts";
import { makeFacts } from "./facts.ts";
import type { BrokerVerbs, Bubblewrap, Check, ChildVerbs, HostConfig } from "./protocol.ts";
import { breakOutArgs, judgeChild, SELF_TEST_SHELL } from "./self_test.ts";
import { wrapInBubblewrap, wrapInSession } from "./wrap.ts";

/** Children in bubblewrap, with any program: the self-test's shell need not be on the allowlist. */
function makeBubblewrapHost(host: HostConfig, program?: string): ChildVerbs {
  return makeChildHost({
    host: program ? { ...host, config: { ...host.config, binaries: { probe: program } } } : host,
    wrap: (request, path) => wrapInBubblewrap(host, request, path),
    payloadLeader: (pid) => firstChild(pid) ?? pid,
  });
}

async function bubblewrapVersion(): Promise<string> {
  const { stdout } = await new Deno.Command(BWRAP, { args: ["--version"], clearEnv: true, stdin: "null" }).output();
  return new TextDecoder().decode(stdout).replace("bubblewrap", "").trim();
}

/** bubblewrap works when its child runs, reads a root AND cannot read the canary. An error alone would prove neither. */
async function probe(host: HostConfig): Promise<{ bubblewrap: Bubblewrap; checks: Check[] }> {
  const name = "child in bubblewrap";
  const fail = (reason: string, version = "") => ({
    bubblewrap: { works: false, reason, version },
    checks: [{ outcome: "skipped" as const, name, detail: reason }],
  });
  if (host.forcedLevel === "landlock" || host.forcedLevel === "none") return fail("switched off for a test");
  try {
    const version = await bubblewrapVersion();
    const verbs = makeBubblewrapHost(host, SELF_TEST_SHELL);
    const cwd = host.config.roots[0] ?? "/tmp";
    const args = breakOutArgs(host, { signals: null, environment: null });
    const { id } = await verbs.spawn({ program: "probe", args, cwd, env: {}, stdin: "null", mark: "probe" });
    const check = await judgeChild(name, verbs, id);
    if (check.outcome === "broken") return fail(check.detail, version);
    return { bubblewrap: { works: check.outcome === "held", reason: check.detail, version }, checks: [check] };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return fail(`${BWRAP} is not installed`);
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** Children go into bubblewrap where it works; main sends none here when Landlock alone has to hold them. */
export function makeBrokerVerbs(host: HostConfig): BrokerVerbs {
  const inBubblewrap = makeBubblewrapHost(host);
  const unconfined = makeChildHost({
    host,
    wrap: (request, path) => wrapInSession(host, request, path, false),
    payloadLeader: (pid) => pid,
  });
  let verbs: ChildVerbs = unconfined;
  const wanted = host.config.settings.tools.confinement !== "off";
  return {
    ...makeFacts(host),
    async probe() {
      const result = await probe(host);
      if (result.bubblewrap.works && wanted) verbs = inBubblewrap;
      return result;
    },
    spawn: (request) => verbs.spawn(request),
    read: (id, stream) => verbs.read(id, stream),
    write: (id, data) => verbs.write(id, data),
    closeStdin: (id) => verbs.closeStdin(id),
    signal: (id, name) => verbs.signal(id, name),
    kill: (id) => verbs.kill(id),
    resize: (id, rows, cols) => verbs.resize(id, rows, cols),
    wait: (id) => verbs.wait(id),
    async cleanUp() {
      await Deno.remove(host.runtimeDir, { recursive: true }).catch(() => {}); // gone already: nothing to clean
      await Deno.remove(host.canary.link).catch(() => {});
    },
  };
}
