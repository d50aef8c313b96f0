/** Collects notes on a run besides its output: what the program could not see, and hooks that did not run. @module */
import type { ChildConfinement } from "./running_child.ts";
import type { Config } from "../config/resolve.ts";
import { isInsideAny, normalizePath } from "../core/path.ts";
import { SYSTEM_DIRS } from "../sandbox/system_paths.ts";
import { gitHooks } from "../sys/files/git_hooks.ts";
import type { Admission } from "./policy/gate.ts";

/** Programs that see the sandbox's processes or mounts, and the tool that sees the machine's. */
const VIEWS: Readonly<Record<string, string>> = {
  ps: "linux_proc_list",
  top: "linux_proc_list",
  pgrep: "linux_proc_list",
  pidof: "linux_proc_list",
  pstree: "linux_proc_tree",
  lsof: "linux_proc_list",
  df: "linux_sys_info disk",
  lsblk: "linux_sys_info disk",
  findmnt: "linux_sys_info disk",
};

/** Programs that read figures of the whole kernel, without the limits of a container, and the tool that knows both. */
const FIGURES: Readonly<Record<string, string>> = {
  free: "linux_sys_info memory",
  uptime: "linux_sys_info cpu",
  vmstat: "linux_sys_info memory",
  nproc: "linux_sys_info cpu",
};

/** Which hooks a sub-command of git runs, where they are there. */
const HOOKS: Readonly<Record<string, string>> = {
  commit: "pre-commit prepare-commit-msg commit-msg post-commit",
  merge: "pre-merge-commit commit-msg post-merge",
  pull: "post-merge",
  push: "pre-push",
  rebase: "pre-rebase post-rewrite",
  checkout: "post-checkout",
  switch: "post-checkout",
  am: "applypatch-msg pre-applypatch post-applypatch",
};

/** What was seen of a run. */
export interface Seen {
  readonly confinement: ChildConfinement;
  /** Whether it did not find a path. */
  readonly missed: boolean;
  /** Whether its output names the owner of a file that has no name in the sandbox. */
  readonly unmapped: boolean;
}

/** Notes for the caller, each a short text without brackets. */
export function runNotes(
  config: Config,
  admission: Admission,
  { confinement, missed, unmapped }: Seen,
): string[] {
  const { programs } = admission;
  const viewers = [...new Set(programs)].filter((name) => Object.hasOwn(VIEWS, name))
    .filter((name) => name !== "df" || !asksForRoots(config, admission));
  const notes: string[] = [];
  if (viewers.length > 0 && confinement === "bwrap") {
    const tools = new Set(viewers.map((name) => VIEWS[name]));
    const see = viewers.length === 1 ? "sees" : "see";
    notes.push(`${viewers.join(", ")} ${see} only the sandbox; the machine: ${[...tools].join(", ")}`);
  }
  const figures = viewers.length === 0 ? programs.find((name) => Object.hasOwn(FIGURES, name)) : undefined;
  if (figures !== undefined) notes.push(`the machine with its limits: ${FIGURES[figures]}`);
  const unseen = missed && confinement !== "none" ? unseenPath(config, admission) : undefined;
  if (unseen !== undefined) notes.push(`${unseen} is outside the roots: programs do not see it`);
  if (unmapped && confinement === "bwrap") {
    notes.push("owners other than the server's user appear as nobody; the owner: linux_fs_stat");
  }
  const hooks = programs.includes("git") ? hooksNotRun(config, admission, confinement) : "";
  if (hooks !== "") notes.push(`hooks not run: ${hooks}`);
  return notes;
}

/** Whether every `df` of the command names paths inside the roots: their file systems are the machine's. */
function asksForRoots({ roots }: Config, { program, args, cwd }: Admission): boolean {
  const line = [program, ...args].join(" ");
  const asked = [...line.matchAll(/(?:^|[\s/;&|(])df((?:\s+[^\s;&|()<>]+)*)/g)].map(([, words = ""]) =>
    words.split(/\s+/).filter((word) => word !== "" && !word.startsWith("-"))
  );
  return asked.length > 0 &&
    asked.every((paths) => paths.length > 0 && paths.every((path) => isInsideAny(normalizePath(path, cwd), roots)));
}

/** A path in the command that the sandbox hides: "No such file" would be only half of the truth. */
function unseenPath({ roots, toolFolders, dataDir }: Config, { args, cwd }: Admission): string | undefined {
  const seen = [
    ...roots,
    ...toolFolders,
    ...SYSTEM_DIRS,
    "/tmp",
    "/proc",
    "/dev",
    "/run",
    "/var/tmp",
    `${dataDir}/home`,
  ];
  const words = args.flatMap((word) => word.split(/[\s'"<>;&|()=]+/)).filter((word) => /^(?:\/|\.\.)/.test(word));
  return words.find((word) => !isInsideAny(normalizePath(word, cwd), seen));
}

/** Hooks run inside the sandbox; where nothing confines them they do not, nor those that are outside of it. */
function hooksNotRun(config: Config, { args, cwd }: Admission, confinement: ChildConfinement): string {
  const words = new Set(args.join(" ").split(/[\s;&|()]+/));
  const wanted = Object.keys(HOOKS).filter((name) => words.has(name)).flatMap((name) => HOOKS[name]?.split(" ") ?? []);
  const found = wanted.length > 0 ? gitHooks(cwd, config.roots) : null;
  if (found === null) return "";
  const visible = [...config.roots, ...config.toolFolders, ...SYSTEM_DIRS];
  if (!isInsideAny(found.folder, visible)) return `${found.folder} is outside the roots`;
  return confinement === "none" ? wanted.filter((name) => found.names.includes(name)).join(" ") : "";
}
