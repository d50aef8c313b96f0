/** Builds the environment of a child and the command line around it, and starts one that is not put into a namespace. @module */
import { quoteWord } from "../core/argv.ts";
import { networkOf } from "../config/network.ts";
import { PROXY_ENV } from "./network/relay.ts";
import type { ChildRequest, HostConfig, MarkedRequest } from "./protocol.ts";
import { sessionTmp } from "./session_tmp.ts";
import { markOf } from "./sweep.ts";
import { isInsideAny } from "../core/path.ts";

const SETSID = "/usr/bin/setsid", SETPRIV = "/usr/bin/setpriv", SCRIPT = "/usr/bin/script";

/** Starts the child in the domain of the calling thread (or in none): it dies with that thread. */
export function startInSession(host: HostConfig, request: MarkedRequest, program: string): Deno.ChildProcess {
  return new Deno.Command(SETSID, {
    args: [SETPRIV, "--pdeathsig", "KILL", "--", ...onTerminal(request, [program, ...request.args])],
    cwd: request.cwd,
    clearEnv: true,
    env: childEnv(host, request, sessionTmp(host, request)),
    stdin: request.stdin === "null" ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** The whole environment of a child: nothing of the server's own is in it. */
export function childEnv(
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
export function onTerminal({ pty }: ChildRequest, command: readonly string[]): readonly string[] {
  if (!pty) return command;
  const line = `stty rows ${Number(pty.rows)} cols ${Number(pty.cols)}; exec ${command.map(quoteWord).join(" ")}`;
  return [SCRIPT, "-qefc", line, "/dev/null"];
}
