/** Wraps a program in a shell that gives its background writers a moment to finish. @module */

const SHELL = "/bin/sh";
/** Looks at the namespace so often, this long apart, until only the shell is left: a quarter of a second. */
const LOOKS = 25, LOOK_SECONDS = "0.01";

/**
 * The script of that shell, which finds the command in its arguments. bubblewrap ends a namespace with its first process,
 * and with it helpers that still write: `exec > >(tee log)`, a worker that prints a moment after its parent. This shell is
 * that first process instead. Signals are caught, which the program does not inherit, so that they end the program and not
 * the shell. The shell's own messages ("Killed") are not the program's. What is still there after the wait is named.
 */
export const LINGER_SCRIPT = `
trap : HUP INT QUIT ALRM TERM USR1 USR2
exec 3>&2 2>/dev/null
(exec 2>&3 3>&-; exec "$@")
code=$? looks=0
while :; do
  set -- /proc/[0-9]*
  [ $# -gt 2 ] || exit $code
  [ $looks -lt ${LOOKS} ] || break
  looks=$((looks + 1))
  sleep ${LOOK_SECONDS}
done
names= count=0
for each; do
  case $each in /proc/1 | /proc/$$) continue ;; esac
  read -r name <$each/comm && names="$names\${names:+, }$name" count=$((count + 1))
done
case $count in 0) exit $code ;; 1) noun=process ;; *) noun=processes ;; esac
echo "[$count background $noun ended with the call: $names; use linux_proc_start]" >&3
exit $code
`;

/** The command line that runs a command under that shell. */
export function withLinger(command: readonly string[]): string[] {
  return [SHELL, "-c", LINGER_SCRIPT, "sh", ...command];
}
