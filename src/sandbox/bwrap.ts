/** Says what the namespace of a child holds, as arguments of bubblewrap. @module */
import type { Config } from "../config/resolve.ts";
import { networkOf } from "../config/network.ts";
import type { ChildRequest, HostConfig } from "./protocol.ts";
import { makeGuardedPaths } from "../core/guarded_paths.ts";
import { isInside, isInsideAny } from "../core/path.ts";
import { exists } from "../sys/files/exists.ts";
import { etcPaths, foreignPrograms } from "./system_paths.ts";

/** Only this path: Ubuntu's AppArmor profile allows user namespaces for it alone. */
export const BWRAP = "/usr/bin/bwrap";
const MB = 1_048_576;
const MERGED_USR = ["bin", "lib", "lib64", "sbin"];

/** What is mounted depends on. */
type BubblewrapHost = Pick<HostConfig, "config" | "ownFolders" | "homeDir" | "extraPrograms">;

/** What differs from child to child. */
export interface Around {
  /** The private temporary folder. */
  readonly tmp: string;
  /** Whether the caller is in the network of listed names, which the child then shares. */
  readonly enteredNetwork: boolean;
}

/** What a namespace holds. */
export interface NamespacePlan {
  /** Files that are copied into it, each to the same path, before anything is mounted. */
  readonly copied: readonly string[];
  /** bubblewrap's other arguments. The order matters: a later mount covers an earlier one. */
  readonly args: readonly string[];
}

/** What a child may see and do, apart from the filter of system calls. It depends on the folder in which it starts. */
export function planNamespace(
  { config: whole, ownFolders, homeDir, extraPrograms }: BubblewrapHost,
  { cwd, roots = whole.roots }: Pick<ChildRequest, "cwd" | "roots">,
  { tmp, enteredNetwork }: Around,
): NamespacePlan {
  const config = { ...whole, roots: roots.filter((root) => isInsideAny(root, whole.roots)) };
  const mode = networkOf(config.settings.tools), isWhole = config.roots.includes("/");
  const shared = mode === "on" || mode === "list" && enteredNetwork;
  const etc = isWhole ? [] : etcPaths(mode !== "off").filter(exists), copied = etc.filter(isSmallFile);
  const bound = etc.filter((path) => !copied.includes(path));
  const args = [
    ...isWhole ? wholeMachine() : systemMounts(config, bound, tmp, extraPrograms),
    // After --tmpfs /tmp, because a root may lie under /tmp.
    ...config.roots.filter((root) => root !== "/").flatMap((root) => ["--bind", root, root]),
    ...rootLinks(config, tmp),
    ...guardedMounts(config, cwd),
    ...maskProtected(config, ownFolders),
    // After the mask, which covers the data directory where that lies in a root.
    // Its home may have been removed with that under a running server: programs then run without one.
    ...["--bind-try", homeDir, homeDir],
    ...[extraPrograms].filter(exists).flatMap((path) => ["--ro-bind-try", path, path]),
    // Last, so that nothing is left to mount: the top of the private tree has no size either.
    ...isWhole ? [] : ["--remount-ro", "/"],
    ...["--unshare-all", ...shared ? ["--share-net"] : [], "--die-with-parent", "--new-session"],
    ...["--cap-drop", "ALL", "--hostname", "sandbox"],
  ];
  return { copied, args };
}

/**
 * Each mount costs a child some 0.2 ms, and copying a small file next to nothing: nothing is mounted twice, and nothing is
 * tried that is not there.
 *
 * @param etc What of /etc is mounted.
 */
function systemMounts(
  config: Config,
  etc: readonly string[],
  tmp: string,
  extraPrograms: string,
): string[] {
  const foreign = foreignPrograms(config, [...config.toolFolders, extraPrograms]);

  return [
    ...["--ro-bind", "/usr", "/usr"],
    ...MERGED_USR.flatMap((name) => ["--symlink", `usr/${name}`, `/${name}`]),
    ...etc.flatMap((path) => ["--ro-bind-try", path, path]),
    ...[...processFiles(), "--dev", "/dev", "--bind", tmp, "/tmp"],
    ...["/run", "/var/tmp", "/dev/shm"].flatMap((path) => sizedTmpfs(config.settings, path)),
    // What has no size of its own: it would be half of the machine's memory.
    ...["--remount-ro", "/dev"],
    ...[...config.toolFolders, ...foreign].filter(exists).flatMap((dir) => ["--ro-bind-try", dir, dir]),
  ];
}

/** An empty folder that holds no more than the operator allows. */
function sizedTmpfs(settings: Config["settings"], path: string): string[] {
  return ["--size", `${settings.linux_ops.program_limits.disk_mb * MB}`, "--tmpfs", path];
}

/** The superuser owns the kernel's settings, whatever capabilities it has lost: the files themselves are closed. */
function processFiles(): string[] {
  const closed = Deno.uid() === 0 ? ["/proc/sys", "/proc/sysrq-trigger", "/proc/fs", "/proc/acpi", "/proc/scsi"] : [];
  return ["--proc", "/proc", ...closed.filter(exists).flatMap((path) => ["--ro-bind-try", path, path])];
}

/** Copied for each child, and in its memory as long as it runs: a long list of hosts is mounted instead. */
const MAX_COPIED_BYTES = 131_072;

function isSmallFile(path: string): boolean {
  try {
    const { isFile, size } = Deno.statSync(path);
    return isFile && size <= MAX_COPIED_BYTES;
  } catch {
    return false;
  }
}

/**
 * Links by which the operator named roots. One inside a root is there already, and so is one that an earlier program got
 * in the private /tmp.
 */
function rootLinks({ roots, rootSpellings = {} }: Config, tmp: string): string[] {
  const isPresent = (path: string) =>
    isInsideAny(path, roots) || isInside(path, "/tmp") && isLink(`${tmp}${path.slice("/tmp".length)}`);
  const missing = Object.entries(rootSpellings).filter(([path]) => !isPresent(path));
  return missing.flatMap(([path, real]) => ["--symlink", real, path]);
}

/** The operator made `/` a root: everything is there, but still no other process, and nothing outlives the call. */
function wholeMachine(): string[] {
  return ["--bind", "/", "/", "--ro-bind-try", "/sys", "/sys", ...processFiles(), "--dev", "/dev"];
}

/**
 * An empty directory over each folder that holds nothing but this program's files, and a closed file over each secret;
 * the other protected files stay as they are, read-only.
 */
function maskProtected(
  { protectedPaths, secretPaths, roots, settings }: Config,
  ownFolders: readonly string[],
): string[] {
  const inRoot = (path: string) => isInsideAny(path, roots);
  const folders = ownFolders.filter(inRoot);
  const files = protectedPaths.filter((path) => inRoot(path) && !folders.includes(path));
  return [
    ...pin([...folders, ...files], roots),
    ...folders.flatMap((path) => sizedTmpfs(settings, path)),
    // One in such a folder can still be read, as it could where it is the only file; it cannot be changed.
    ...files.filter((path) => !secretPaths.includes(path)).flatMap((path) => ["--ro-bind-try", path, path]),
    // bubblewrap would make the file if it were not there.
    ...secretPaths.filter(isFileThere).flatMap((path) => ["--ro-bind", "/dev/null", path]),
  ];
}

/** In `.git` only what is executed: git itself writes the rest. */
const FOR_CHILDREN: Readonly<Record<string, string>> = { ".git": ".git/hooks" };

/**
 * Guarded files and folders that are there, read-only: in each root, and in the folders from there to the child's. Others,
 * in deeper folders, and new ones are noticed (see guard_watch.ts).
 */
function guardedMounts({ settings, roots }: Config, cwd: string): string[] {
  const entries = settings.tools.guarded_paths.map((entry) => FOR_CHILDREN[entry] ?? entry);
  const { isAllowed } = makeGuardedPaths([], roots, settings.tools.unguarded_paths);
  const folders = new Set(roots.filter((root) => root !== "/"));
  for (const root of roots) {
    for (let folder = cwd; isInside(folder, root) && folder !== root && folder !== "/";) {
      folders.add(folder);
      folder = folder.slice(0, folder.lastIndexOf("/")) || "/";
    }
  }
  const found = [...folders].flatMap((folder) => entries.map((entry) => `${folder}/${entry}`))
    .filter((path) => exists(path) && isEntry(path) && !isAllowed(path));
  return [...pin(found, roots), ...found.flatMap((path) => ["--ro-bind-try", path, path])];
}

/** A file or folder; a link is left alone, because what it leads to is elsewhere. */
function isEntry(path: string): boolean {
  try {
    const { isFile, isDirectory } = Deno.lstatSync(path);
    return isFile || isDirectory;
  } catch {
    return false;
  }
}

function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch {
    return false;
  }
}

function isFileThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/**
 * Makes a mount of every folder on the way from a root to a protected path, because what is mounted cannot be renamed:
 * else a program would move the folder away, with what is protected in it, and put another one in its place.
 */
function pin(paths: readonly string[], roots: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    const root = roots.find((each) => isInside(path, each)) ?? "/";
    for (let end = path.lastIndexOf("/"); end > root.length; end = path.lastIndexOf("/", end - 1)) {
      folders.add(path.slice(0, end));
    }
  }
  const outermostFirst = [...folders].sort((one, other) => one.length - other.length);
  return outermostFirst.flatMap((folder) => ["--bind-try", folder, folder]);
}
