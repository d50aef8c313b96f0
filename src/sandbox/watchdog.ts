/** Watchdog process: outlives a killed server for a moment and kills its remaining children. @module */

import { limitOf } from "./sweep.ts";

const SETSID = "/usr/bin/setsid", SHELL = "/bin/sh";

/**
 * Waits for the end of its input, which comes when the server is no more, however it ended. Then kills what carries the
 * mark, until two looks in a row find nothing: a process may have forked between the look and the kill, or have ended
 * while its child was not yet listed. `read` and `kill` are the shell's own, so that nothing new is started while the
 * server lives.
 */
const SCRIPT = `
trap '' HUP INT TERM
while read -r _; do :; done
pass=0 quiet=0
while [ "$pass" -lt 20 ]; do
  found=
  for file in $(
    grep -laF "LLMC_PROC=$1." /proc/[0-9]*/environ 2>/dev/null
    grep -la "^Max realtime timeout .* $2[0-9]* *us" /proc/[0-9]*/limits 2>/dev/null
  ); do
    pid=\${file#/proc/}
    kill -KILL "\${pid%/*}" 2>/dev/null && found=1
  done
  [ "$found" ] && quiet=0 || quiet=$((quiet + 1))
  [ "$quiet" -lt 2 ] || break
  pass=$((pass + 1))
done`;

/** Ends strays after the server was killed. */
export interface Watchdog {
  /** Starts it, the first time. */
  start(): void;
  /** Ends it: nothing is left that it would have to end. */
  end(): Promise<void>;
}

/**
 * Makes one, not yet started. For a thread outside every domain, so that no child can signal it.
 *
 * @param marker Of this server; see sweep.ts.
 */
export function makeWatchdog(marker: string): Watchdog {
  let process: Deno.ChildProcess | undefined;
  return {
    start() {
      process ??= new Deno.Command(SETSID, {
        args: [SHELL, "-c", SCRIPT, "llmc-watchdog", marker, limitOf(marker, "")],
        clearEnv: true, // it must not carry the mark itself
        env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
        cwd: "/",
        stdin: "piped", // only this process holds the other end
        stdout: "null",
        stderr: "null",
      }).spawn();
    },
    async end() {
      if (!process) return;
      process.stdin.close().catch(() => {}); // it may have ended already
      try {
        process.kill("SIGKILL");
      } catch {
        // it has ended, as it may when the machine runs out of memory
      }
      await process.status;
    },
  };
}
