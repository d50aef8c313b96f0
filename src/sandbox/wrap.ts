/** Builds the command line around a child: environment, session, terminal, confinement. @module */
import { quoteWord } from "../core/argv.ts";
import type { Wrapping } from "./child_host.ts";
import type { ChildKernel } from "./child_kernel.ts";
import { bubblewrapArgs, BWRAP } from "./bwrap.ts";
import { networkOf } from "../config/network.ts";
import { PROXY_ENV } from "./network/relay.ts";
import { withLinger } from "./linger.ts";
import type { ChildRequest, HostConfig, MarkedRequest } from "./protocol.ts";
import { sessionTmp } from "./session_tmp.ts";
import { markOf } from "./sweep.ts";
import { isInsideAny } from "../core/path.ts";

const SETSID = "/usr/bin/setsid", SETPRIV = "/usr/bin/setpriv", SCRIPT = "/usr/bin/script";

/**
 * Variables by which the loader and the C library run or open files. The wrapper, which is not confined yet, must not get
 * them; the others stay out of its arguments, which every user of the machine can read.
 */
const STEERS_LOADER =
  /^(?:LD_|DYLD_|MALLOC_|GLIBC_TUNABLES$|GCONV_PATH$|GETCONF_DIR$|LOCPATH$|NLSPATH$|HOSTALIASES$|LOCALDOMAIN$|NIS_PATH$|RES)/;

/** Puts the child into bubblewrap. @param enter The command that enters the network of listed names, if there is one. */
export function wrapInBubblewrap(
  host: HostConfig,
  request: MarkedRequest,
  program: string,
  { openFilter, isThere }: Pick<ChildKernel, "openFilter" | "isThere">,
  enter: readonly string[] = [],
): Wrapping {
  const command = withTerminal(request, [program, ...request.args]);
  const env = baseEnv(host, request, "/tmp");
  const filter = openFilter();
  const inside = Object.entries(env).filter(([name]) => STEERS_LOADER.test(name));
  return {
    confinement: "bwrap",
    // Its own session, so that a Ctrl-C for the server does not end it; `detached: true` does the same but costs more.
    command: SETSID,
    args: [
      ...enter,
      BWRAP,
      ...bubblewrapArgs(host, request, filter.fd, {
        tmp: sessionTmp(host, request),
        isThere,
        enteredNetwork: enter.length > 0,
      }),
      ...inside.flatMap(([name, value]) => ["--setenv", name, value]),
      "--",
      ...request.runsAlone ? command : withLinger(command),
    ],
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !STEERS_LOADER.test(name))),
    inherited: filter,
  };
}

/** Starts the child in the domain of the calling thread (or in none): it dies with that thread. */
export function wrapInSession(host: HostConfig, request: MarkedRequest, program: string, confined: boolean): Wrapping {
  const command = withTerminal(request, [program, ...request.args]);
  return {
    confinement: confined ? "landlock" : "none",
    command: SETSID,
    args: [SETPRIV, "--pdeathsig", "KILL", "--", ...command],
    env: baseEnv(host, request, sessionTmp(host, request)),
  };
}

/** The whole environment of a child: nothing of the server's own is in it. */
function baseEnv(
  { config, marker, homeDir, extraPrograms }: HostConfig,
  request: MarkedRequest,
  temp: string,
): Record<string, string> {
  const homeIsOpen = isInsideAny(config.homeDir, config.roots);
  return {
    PATH: [...config.programFolders, extraPrograms].join(":"),
    // Someone whose home is a root means that one; of its git settings only the generated ones count.
    ...homeIsOpen ? { HOME: config.homeDir, GIT_CONFIG_GLOBAL: `${homeDir}/.gitconfig` } : { HOME: homeDir },
    TMPDIR: temp,
    LANG: "C.UTF-8",
    ...config.userEnv,
    ...networkOf(config.settings.tools) === "list" ? PROXY_ENV : {},
    LC_MESSAGES: "C.UTF-8",
    TERM: request.pty ? "xterm" : "dumb",
    ...request.env,
    LLMC_PROC: markOf(marker, request.mark), // last, so that the request cannot override it: orphans are found by it
  };
}

/** Runs a command under a pseudo-terminal when one is asked for. */
function withTerminal({ pty }: ChildRequest, command: readonly string[]): readonly string[] {
  if (!pty) return command;
  const line = `stty rows ${Number(pty.rows)} cols ${Number(pty.cols)}; exec ${command.map(quoteWord).join(" ")}`;
  return [SCRIPT, "-qefc", line, "/dev/null"];
}
