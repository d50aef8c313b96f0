/** Starts children in bubblewrap. @module */
import { encodeText } from "../core/bytes.ts";
import { type NamespacePlan, planNamespace } from "./bwrap.ts";
import type { HostDeps } from "./child_host.ts";
import type { ChildKernel } from "./child_kernel.ts";
import { withLinger } from "./linger.ts";
import { startNamespace, WAITING_SHELL } from "./namespace.ts";
import { isScriptable, namespaceScript } from "./namespace_script.ts";
import { firstChild } from "./process_group.ts";
import { HOME_CLEANER, type HostConfig, type MarkedRequest } from "./protocol.ts";
import { sessionTmp } from "./session_tmp.ts";
import { makeWaitingNamespaces, type NamespaceFor } from "./waiting_namespaces.ts";
import { childEnv, onTerminal } from "./wrap.ts";

/**
 * Variables by which the loader and the C library run or open files. bubblewrap, which is not confined yet, must not get
 * them.
 */
const STEERS_LOADER =
  /^(?:LD_|DYLD_|MALLOC_|GLIBC_TUNABLES$|GCONV_PATH$|GETCONF_DIR$|LOCPATH$|NLSPATH$|HOSTALIASES$|LOCALDOMAIN$|NIS_PATH$|RES)/;

/**
 * Children in bubblewrap, with any program: the self-test's shell need not be on the allowlist.
 *
 * @param entrance The command that enters the network of listed names; without it that network is out of reach.
 */
export function inBubblewrap(
  host: HostConfig,
  kernel: ChildKernel,
  { program, entrance = () => [] }: { readonly program?: string; readonly entrance?: () => readonly string[] } = {},
): HostDeps {
  const waiting = makeWaitingNamespaces({
    ...kernel,
    start(plan) {
      const process = startNamespace(kernel, plan, { command: WAITING_SHELL, env: {}, enter: [], stdin: "piped" });
      kernel.limit(process.pid, null);
      return process;
    },
  });

  const wantedBy = (request: MarkedRequest, enter: readonly string[]): NamespaceFor => {
    const tmp = sessionTmp(host, request);
    return {
      owner: request.session ?? "",
      plan: () => planNamespace(host, request, { tmp, enteredNetwork: enter.length > 0 }),
    };
  };

  return {
    limit: program ? undefined : kernel.limit, // the self-test ends at once
    isHeld: true,
    confinement: "bwrap",
    host: program ? { ...host, config: { ...host.config, binaries: { probe: program } } } : host,
    start(request, path) {
      const enter = entrance(), wanted = wantedBy(request, enter), plan = wanted.plan();
      const command = onTerminal(request, [path, ...request.args]), env = childEnv(host, request, "/tmp");
      const lingers = request.runsAlone !== true;
      if (request.stdin !== "null" || program || !isScriptable(env)) {
        const { outside, inside } = divide(env);
        return startNamespace(kernel, inFolder(plan, request.cwd, inside), {
          command: lingers ? withLinger(command) : command,
          env: outside,
          enter,
          stdin: request.stdin === "null" ? "null" : "piped",
        });
      }
      const keeps = host.keepsNamespace && enter.length === 0 && request.program !== HOME_CLEANER;
      const { LLMC_PROC = "" } = env;
      const child = (keeps ? waiting.take(wanted, plan) : null) ??
        startNamespace(kernel, plan, { command: WAITING_SHELL, env: { LLMC_PROC }, enter, stdin: "piped" });
      void tell(child, namespaceScript({ cwd: request.cwd, env, command, lingers }));
      if (keeps) waiting.replace(child, wanted);
      return child;
    },
    payloadLeader: (pid) => firstChild(pid) ?? pid,
    leave: waiting.leave,
    close: waiting.close,
  };
}

/** Has a waiting shell run a script, which is all of its input. */
async function tell({ stdin }: Deno.ChildProcess, script: string): Promise<void> {
  const writer = stdin.getWriter();
  await writer.write(encodeText(script)).then(() => writer.close()).catch(() => {}); // it says itself why it has ended
}

/** A plan whose program starts in a folder, with variables that bubblewrap itself must not get. */
function inFolder({ copied, args }: NamespacePlan, cwd: string, env: Readonly<Record<string, string>>): NamespacePlan {
  const variables = Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]);
  return { copied, args: [...args, "--chdir", cwd, ...variables] };
}

function divide(env: Readonly<Record<string, string>>) {
  const entries = Object.entries(env);
  return {
    outside: Object.fromEntries(entries.filter(([name]) => !STEERS_LOADER.test(name))),
    inside: Object.fromEntries(entries.filter(([name]) => STEERS_LOADER.test(name))),
  };
}
