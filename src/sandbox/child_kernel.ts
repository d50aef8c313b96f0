/** Asks the kernel to hold the children of a thread: limits, and a filter of system calls. @module */
import { encodeText } from "../core/bytes.ts";
import type { Inherited } from "./child_host.ts";
import type { Libc } from "../sys/libc.ts";
import { childFilter } from "./child_filter.ts";
import { limitChild } from "./child_limits.ts";
import { type GuardWatch, makeGuardWatch } from "./guard_watch.ts";
import type { HostConfig } from "./protocol.ts";
import { forbidNewPrivileges } from "./seccomp.ts";
import { limitOf } from "./sweep.ts";
import { type TreeBounds, treeBounds } from "./tree_bounds.ts";

const O_RDONLY = 0; // without O_CLOEXEC: bubblewrap reads it

/** The kernel's part in starting a child in namespaces. */
export interface ChildKernel {
  /** Sets the limits of a process that was just started. @param mark Of the request. */
  limit(pid: number, mark: string): void;
  /** Whether there is something at a path: an error of the runtime for each that is missing would cost more than the start. */
  isThere(path: string): boolean;
  /** The seccomp program, as bubblewrap's `--seccomp` wants it. */
  openFilter(): Inherited;
  readonly bounds: TreeBounds;
  /** Notices guarded files that children make. */
  readonly guard: GuardWatch | null;
}

/** For a thread that may call C functions. */
export function makeChildKernel(libc: Libc, host: HostConfig): ChildKernel {
  const { config, landlockAbi, runtimeDir, marker } = host;
  const facts = { namespaces: true, landlockAbi, root: Deno.uid() === 0 };
  const path = `${runtimeDir}/filter`;
  Deno.writeFileSync(path, childFilter(config, facts), { mode: 0o600 });
  const name = new TextEncoder().encode(`${path}\0`);
  const bounds = treeBounds(config);
  forbidNewPrivileges(libc); // so that the self-test starts bubblewrap under the same conditions
  return {
    guard: makeGuardWatch(libc, host, true),
    isThere: (path) => libc.access(encodeText(`${path}\0`), 0) === 0,
    limit: (pid, mark) => limitChild(libc, pid, limitOf(marker, mark), bounds, true),
    bounds,
    openFilter() {
      // Opened for each child: a position in the file would be shared, and one that starts next to it would read nothing.
      const fd = libc.open(name, O_RDONLY);
      if (fd < 0) throw new Error(`${path} cannot be opened`);
      return { fd, close: () => void libc.close(fd) };
    },
  };
}
