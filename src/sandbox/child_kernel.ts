/** Asks the kernel to hold the children of a thread: limits, and a filter of system calls. @module */
import type { Libc } from "../sys/libc.ts";
import type { NamespacePlan } from "./bwrap.ts";
import { childFilter } from "./child_filter.ts";
import { limitChild } from "./child_limits.ts";
import { type GuardWatch, makeGuardWatch } from "./guard_watch.ts";
import { type Inherited, openArguments } from "./inherited_arguments.ts";
import { makeMountWatch } from "./mount_watch.ts";
import type { HostConfig } from "./protocol.ts";
import { forbidNewPrivileges } from "./seccomp.ts";
import { limitOf, waitingLimitOf } from "./sweep.ts";
import { type TreeBounds, treeBounds } from "./tree_bounds.ts";

/** The kernel's part in starting a child in namespaces. */
export interface ChildKernel {
  /** Sets the limits of a process that was just started. @param mark Of the request; null for one that waits for a request. */
  limit(pid: number, mark: string | null): void;
  /** Opens bubblewrap's arguments, with the filter of system calls among them. */
  openArguments(plan: NamespacePlan): Inherited;
  /** Whether something was mounted or unmounted since this was last asked. */
  mountsChanged(): boolean;
  readonly bounds: TreeBounds;
  /** Notices guarded files that children make. */
  readonly guard: GuardWatch | null;
}

/** For a thread that may call C functions. */
export function makeChildKernel(libc: Libc, host: HostConfig): ChildKernel {
  const { config, landlockAbi, runtimeDir, marker } = host;
  const facts = { namespaces: true, landlockAbi, root: Deno.uid() === 0 };
  const filter = `${runtimeDir}/filter`;
  Deno.writeFileSync(filter, childFilter(config, facts), { mode: 0o600 });
  const bounds = treeBounds(config);
  forbidNewPrivileges(libc); // so that the self-test starts bubblewrap under the same conditions
  return {
    guard: makeGuardWatch(libc, host, true),
    limit: (pid, mark) =>
      limitChild(libc, pid, mark === null ? waitingLimitOf(marker) : limitOf(marker, mark), bounds, true),
    bounds,
    openArguments: (plan) => openArguments(libc, filter, plan),
    mountsChanged: makeMountWatch(libc),
  };
}
