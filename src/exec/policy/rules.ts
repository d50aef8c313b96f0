/**
 * Lists argument rules: one row for each way in which a common program runs another one or leaves the roots.
 * @module
 */

/**
 * What a rule does:
 * - `refuse`: always. The option starts a program that is not allowed, or hands the machine over.
 * - `confined`: only where the kernel holds the program; there, a value that is a path is still looked at.
 * - `path`: the value names a file, which must lie in the roots.
 * - `program`: the value is a command line, checked like any other.
 */
export type RuleAction = "refuse" | "confined" | "path" | "program";

/** One row. */
export interface Rule {
  /** Family, see `familyOf`. */
  readonly program: string;
  readonly action: RuleAction;
  /** Why, for the caller; completes "OPTION: …". */
  readonly reason: string;
  /** Options that the row is about. */
  readonly options?: readonly string[];
  /** Operands (or values of `options`, when there are any) that the row is about. */
  readonly matching?: RegExp;
  /** More operands than this are the row's business. */
  readonly maxOperands?: number;
  /** The options take a path. */
  readonly path?: boolean;
}

type Extra = Partial<Omit<Rule, "program" | "action" | "reason" | "options">>;

const row = (program: string, action: RuleAction, options: string, reason: string, extra: Extra = {}): Rule => ({
  program,
  action,
  reason,
  ...options === "" ? {} : { options: options.split(" ") },
  ...extra,
});

/** The table. The order does not matter: every row that fits is applied. */
export const RULES: readonly Rule[] = [
  // Search
  row("rg", "refuse", "--pre", "it runs a program for each file"),
  row("rg", "refuse", "--hostname-bin", "it runs a program to find the host's name"),
  row("rg", "confined", "-z --search-zip", "it runs whatever decompressors are on the path"),
  row("rg", "confined", "-L --follow", "it follows links out of the roots"),
  row("rg", "path", "-f --file --ignore-file", "it reads a file"),
  row("grep", "path", "-f --file --exclude-from", "it reads a file"),
  row("grep", "confined", "-R --dereference-recursive", "it follows links out of the roots"),
  row("fd", "confined", "-L --follow", "it follows links out of the roots"),
  row("fd", "program", "-x --exec -X --exec-batch", "it runs a program for each hit"),
  row("jq", "path", "-f --from-file -L", "it reads a file"),
  // find: -exec and its relatives are read in inspect_find.ts
  row("find", "confined", "-delete", "it deletes files"),
  row("find", "confined", "-fprint -fprint0 -fprintf -fls", "it writes a file", { path: true }),
  row("find", "confined", "-L -follow", "it follows links out of the roots"),
  row("find", "path", "-files0-from -newer -anewer -cnewer -samefile", "it reads a file"),
  // Reading
  row("sort", "refuse", "--compress-program", "it runs a program on its temporary files"),
  row("sort", "confined", "-o --output", "it writes a file", { path: true }),
  row("sort", "confined", "-T --temporary-directory", "it writes files", { path: true }),
  row("sort", "confined", "--files0-from", "it reads files that a file names", { path: true }),
  row("wc", "confined", "--files0-from", "it reads files that a file names", { path: true }),
  row("du", "confined", "--files0-from", "it reads files that a file names", { path: true }),
  row("du", "confined", "-L --dereference", "it follows links out of the roots"),
  row("du", "path", "-X --exclude-from", "it reads a file"),
  row("tree", "confined", "-o -R", "it writes a file", { path: true }),
  row("tree", "confined", "-l", "it follows links out of the roots"),
  row("ls", "confined", "-L --dereference -H --dereference-command-line", "it follows links out of the roots"),
  row("stat", "confined", "-L --dereference", "it follows links out of the roots"),
  row("uniq", "confined", "", "its second operand is a file that it writes", { maxOperands: 1 }),
  row("xxd", "confined", "", "its second operand is a file that it writes", { maxOperands: 1 }),
  row("file", "path", "-f --files-from -m --magic-file", "it reads a file"),
  row("file", "confined", "-C --compile", "it writes a file"),
  row("file", "confined", "-z -Z --uncompress --uncompress-noreport", "it runs decompressors"),
  row("diff", "path", "-X --exclude-from --from-file --to-file", "it reads a file"),
  row("diff", "confined", "-l --paginate", "it runs pr"),
  row("date", "path", "-f --file -r --reference", "it reads a file"),
  row("date", "confined", "-s --set", "it sets the clock of the machine"),
  row("split", "refuse", "--filter", "it runs a program for each part"),
  // Text tools that are languages of their own; their programs are read in inspect_sed.ts and inspect_awk.ts
  row("sed", "confined", "-i --in-place", "it changes files"),
  row("sed", "confined", "-f --file", "it runs a script that was not checked", { path: true }),
  row("awk", "refuse", "-l --load", "it loads native code"),
  row("awk", "refuse", "-D --debug", "its debugger takes commands"),
  row("awk", "confined", "-f --file -E --exec -i --include", "it runs a script that was not checked", { path: true }),
  // Archives
  row("tar", "refuse", "--to-command", "it runs a program for each member"),
  row("tar", "refuse", "--checkpoint-action", "it can run a program while it works", {
    matching: /^(?:exec|totals)|exec=/,
  }),
  row("tar", "program", "-I --use-compress-program", "it runs a program to compress"),
  row("tar", "refuse", "--rsh-command --rmt-command", "it runs a program to reach another machine"),
  row("tar", "refuse", "-F --info-script --new-volume-script", "it runs a program at each volume"),
  row("tar", "refuse", "-f --file", "a name with a colon is reached through a remote shell", { matching: /^[^/]*:/ }),
  row("tar", "confined", "-P --absolute-names", "it extracts members to the paths that they name"),
  row("tar", "path", "-C --directory -X --exclude-from -T --files-from", "it names a file or directory"),
  row("zip", "refuse", "-T --test -TT --unzip-command", "it runs a program to test the archive"),
  // Builds
  row("make", "confined", "--eval -E", "it runs recipes from the command line"),
  row("make", "confined", "-C --directory -f --file --makefile -I --include-dir", "it runs recipes", { path: true }),
  // git: "git" before the sub-command, "git *" after any, see inspect_git.ts
  row("git", "refuse", "--exec-path", "git runs its sub-commands from there", { matching: /./ }),
  row("git", "refuse", "--config-env", "settings from there can run programs"),
  row("git", "path", "-C --git-dir --work-tree", "it works in that directory"),
  row("git *", "refuse", "--upload-pack --receive-pack", "it runs that program on the other end"),
  row("git *", "refuse", "--ext-diff", "it runs the program that the repository names"),
  ...["clone", "fetch", "pull", "push", "ls-remote", "remote", "submodule", "archive", "fetch-pack", "send-pack"].map((
    name,
  ) => row(`git ${name}`, "refuse", "", "a transport of this kind runs a program", { matching: /^[\w.+-]+::/ })),
  row("git *", "confined", "--textconv", "it runs the program that the repository names"),
  row("git *", "confined", "--output --template --reference", "it names a file or directory", { path: true }),
  row("git grep", "refuse", "-O --open-files-in-pager", "it runs a program on the files it finds"),
  row("git clone", "refuse", "-u", "it runs that program on the other end"),
  row("git push", "refuse", "--exec", "it runs that program on the other end"),
  row("git archive", "refuse", "--exec", "it runs that program on the other end"),
  row("git diff", "confined", "--no-index", "it reads files outside the repository"),
  // Network
  row(
    "curl",
    "confined",
    "-o --output -O --remote-name -K --config -T --upload-file -F --form",
    "it reads or writes files",
  ),
  row("curl", "refuse", "--unix-socket --abstract-unix-socket", "a socket of this machine can give control of it"),
  row("curl", "confined", "", "it reads a file of this machine", { matching: /^file:/i }),
  row("wget", "confined", "-O --output-document -i --input-file --config -e --execute", "it reads or writes files"),
  row("wget", "refuse", "--use-askpass", "it runs a program to ask for a password"),
  row("ssh", "refuse", "-o -F -P", "its options can run programs", { matching: /command|include|match|^\/|^\./i }),
  row("scp", "refuse", "-S -o -F", "it runs a program to connect"),
  row("sftp", "refuse", "-S -o -F -D", "it runs a program to connect"),
  row("rsync", "refuse", "-e --rsh --rsync-path", "it runs a program to connect"),
  // The machine
  row(
    "docker",
    "refuse",
    "-v --volume --mount --privileged --device --pid --cap-add --volumes-from -H --host",
    "it reaches outside the roots",
  ),
  row("systemctl", "refuse", "-H --host -M --machine", "it acts on another machine"),
  row("systemctl", "refuse", "", "it changes units", {
    matching: /^(?:edit|link|set-property|import-environment|set-environment)$/,
  }),
  row("journalctl", "confined", "-D --directory --file --root --image", "it reads files", { path: true }),
  row("man", "refuse", "-P --pager -H --html -X --gxditview", "it runs a program to show the page"),
  row("gdb", "refuse", "-ex --eval-command -x --command -iex", "it runs commands"),
];

/** Programs that are refused whatever their arguments are, unless a wrapper rule in wrappers.ts understands them. */
export const REFUSED_PROGRAMS: Readonly<Record<string, string>> = Object.fromEntries(
  ("watch script parallel unshare nsenter chroot busybox toybox strace ltrace perf valgrind fakeroot faketime expect unbuffer " +
    "rlwrap dbus-run-session dbus-launch xvfb-run systemd-run at batch crontab start-stop-daemon pkexec runuser capsh setpriv prlimit " +
    "bwrap firejail proxychains socat ncat tmux screen dtach abduco entr catchsegv linux32 linux64 setarch run-parts sg newgrp " +
    "login ssh-agent tini dumb-init proot chpst envdir setuidgid softlimit")
    .split(" ").map((name) => [name, "it runs any program that it is given"]),
);
