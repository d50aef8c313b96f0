/** The command line that puts a child into bubblewrap. @module */
import type { Config } from "../config/resolve.ts";
import { etcPaths, foreignBinaryDirs, isInside } from "./system_paths.ts";

/** Only this path: Ubuntu's AppArmor profile allows user namespaces for it alone. */
export const BWRAP = "/usr/bin/bwrap";
const TMPFS_BYTES = 256 * 1024 * 1024;
const MERGED_USR = ["bin", "lib", "lib64", "sbin"];

/** bubblewrap's arguments up to the command. The order matters: a later mount covers an earlier one. */
export function bubblewrapArgs(config: Config, cwd: string): string[] {
  const network = config.settings.tools.allow_outbound_network;
  return [
    ...config.roots.includes("/") ? wholeMachine() : systemMounts(config, network),
    // After --tmpfs /tmp, because a root may lie under /tmp.
    ...config.roots.filter((root) => root !== "/").flatMap((root) => ["--bind", root, root]),
    ...maskProtected(config),
    ...["--unshare-all", ...network ? ["--share-net"] : [], "--die-with-parent", "--new-session"],
    ...["--cap-drop", "ALL", "--hostname", "sandbox", "--chdir", cwd, "--"],
  ];
}

function systemMounts(config: Config, network: boolean): string[] {
  return [
    ...["--ro-bind", "/usr", "/usr"],
    ...MERGED_USR.flatMap((name) => ["--symlink", `usr/${name}`, `/${name}`]),
    ...etcPaths(network).flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--proc", "/proc", "--dev", "/dev", "--size", `${TMPFS_BYTES}`, "--tmpfs", "/tmp"],
    ...foreignBinaryDirs(config.binaries, config.roots).flatMap((dir) => ["--ro-bind-try", dir, dir]),
  ];
}

/** The operator made `/` a root: everything is there, but still no other process, and nothing outlives the call. */
function wholeMachine(): string[] {
  return ["--bind", "/", "/", "--proc", "/proc", "--dev", "/dev"];
}

/** An empty directory over the data directory; the other protected files stay as they are, read-only. */
function maskProtected({ dataDir, protectedPaths, roots }: Config): string[] {
  const visible = protectedPaths.filter((path) => roots.some((root) => isInside(path, root)));
  return visible.flatMap((path) => path === dataDir ? ["--tmpfs", path] : ["--ro-bind-try", path, path]);
}
