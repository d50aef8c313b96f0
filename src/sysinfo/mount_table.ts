/** Parses the mount table and selects file systems that hold data. @module */
import { isInside } from "../core/path.ts";
import { unescapeOctal } from "./proc_text.ts";

/** One line of /proc/self/mountinfo. */
export interface MountRow {
  /** `major:minor` of the file system. */
  readonly device: string;
  /** The part of the file system that is mounted: `/` unless it is a bind mount or a subvolume. */
  readonly root: string;
  readonly mount: string;
  readonly type: string;
  readonly source: string;
  /** Options of the file system as a whole, such as the controllers of a cgroup hierarchy. */
  readonly options: string;
}

/** Reads /proc/self/mountinfo, whose format is in proc(5). */
export function readMountInfo(text: string): MountRow[] {
  return text.split("\n").flatMap((line) => {
    // A variable number of fields ends with a lone hyphen.
    const [left = "", right = ""] = line.split(" - ");
    const [, , device, root, mount] = left.split(" ");
    const [type, source, options = ""] = right.split(" ");
    if (!device || !root || !mount || !type || source === undefined) return [];
    return [{
      device,
      root: unescapeOctal(root),
      mount: unescapeOctal(mount),
      type,
      source: unescapeOctal(source),
      options,
    }];
  });
}

/** Interfaces of the kernel, memory, images that are full by nature, and layers over what is shown elsewhere. */
const NOT_STORAGE = new Set(
  ("proc sysfs devtmpfs devpts tmpfs cgroup cgroup2 securityfs debugfs tracefs mqueue hugetlbfs bpf pstore autofs rootfs " +
    "configfs fusectl binfmt_misc squashfs ramfs rpc_pipefs nsfs efivarfs selinuxfs iso9660 udf cramfs erofs overlay aufs " +
    "fuse.snapfuse fuse.lxcfs fuse.portal fuse.gvfsd-fuse fuse.squashfuse fuse.overlayfs fuse.fuse-overlayfs").split(
      " ",
    ),
);

/** File systems in memory: worth a line when files that matter are in them, or when they are nearly full. */
const IN_MEMORY: ReadonlySet<string> = new Set(["tmpfs", "ramfs"]);

/**
 * Mounts that are worth a line: one for each file system, under its best name. The root directory is one of them
 * whatever it is made of, because in a container it is an overlay, and the only thing that matters.
 *
 * @param roots Folders whose file systems always count, whatever they are made of.
 */
export function storageMounts(rows: readonly MountRow[], roots: readonly string[] = []): MountRow[] {
  const visible = visibleMounts(rows);
  const holding = new Set(roots.map((root) => mountOf(root, visible)));
  const byFileSystem = new Map<string, MountRow>();
  for (const row of visible.values()) {
    if (row.mount !== "/" && NOT_STORAGE.has(row.type) && !holding.has(row.mount)) continue;
    // Subvolumes have devices of their own and share their source; network and overlay sources are no names.
    const key = row.source.startsWith("/dev/") && row.source !== "/dev/root"
      ? row.source
      : `${row.device} ${row.source}`;
    const known = byFileSystem.get(key);
    if (!known || isBetter(row, known)) byFileSystem.set(key, row);
  }
  const found = [...byFileSystem.values()];
  if (!visible.has("/")) found.push(UNKNOWN_ROOT);
  return found.sort((a, b) => a.mount < b.mount ? -1 : 1);
}

/** File systems in memory that hold no root: they count only when they are nearly full. */
export function memoryMounts(rows: readonly MountRow[], roots: readonly string[]): MountRow[] {
  const visible = visibleMounts(rows);
  const holding = new Set(roots.map((root) => mountOf(root, visible)));
  return [...visible.values()].filter(({ mount, type }) => IN_MEMORY.has(type) && mount !== "/" && !holding.has(mount));
}

/** By path: what is mounted last covers what was there. */
function visibleMounts(rows: readonly MountRow[]): Map<string, MountRow> {
  return new Map(rows.map((row) => [row.mount, row]));
}

/** The mount that a folder is in. */
function mountOf(folder: string, visible: ReadonlyMap<string, MountRow>): string {
  const holding = [...visible.keys()].filter((mount) => isInside(folder, mount));
  return holding.reduce((longest, mount) => mount.length > longest.length ? mount : longest, "/");
}

/** After a chroot the table lacks the root directory. */
const UNKNOWN_ROOT: MountRow = { device: "", root: "/", mount: "/", type: "", source: "", options: "" };

/** The root directory, then whole file systems rather than parts of one, then short names. */
function isBetter(row: MountRow, than: MountRow): boolean {
  const rank = ({ mount, root }: MountRow) => mount === "/" ? 0 : root === "/" ? 1 : 2;
  const difference = rank(row) - rank(than);
  return difference === 0 ? row.mount.length < than.mount.length : difference < 0;
}
