/** What the sandbox holds on this machine, and what would make it hold more. @module */
import type { Config } from "../config/resolve.ts";
import type { Bubblewrap, Level, SandboxReport } from "./protocol.ts";

/** Combines what was found into the report that people and tools see. */
export function makeReport(
  found: { landlockAbi: number; bubblewrap: Bubblewrap; unconfined: boolean; root: boolean },
): SandboxReport {
  const level = levelOf(found.landlockAbi > 0, found.bubblewrap.works);
  return { ...found, level, advice: adviceFor(level, found.bubblewrap) };
}

function levelOf(landlock: boolean, bubblewrap: boolean): Level {
  if (landlock) return bubblewrap ? "full" : "landlock";
  return bubblewrap ? "bwrap" : "none";
}

function adviceFor(level: Level, { reason }: Bubblewrap): string {
  if (level === "full") return "";
  if (level === "bwrap") return "Landlock needs Linux 5.13 or newer with 'landlock' in the kernel's lsm= list.";
  return adviceForBubblewrap(reason);
}

/** One command for each way in which bubblewrap is known to fail. */
function adviceForBubblewrap(reason: string): string {
  if (reason.includes("not installed")) return "Install bubblewrap: apt-get install bubblewrap";
  if (reason.includes("uid map") || reason.includes("namespace") || reason.includes("Operation not permitted")) {
    return "Allow user namespaces: sysctl -w kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0";
  }
  if (reason.includes("RTM_NEWADDR")) {
    return "The container forbids network namespaces: run it with --cap-add NET_ADMIN.";
  }
  return `bubblewrap does not work here: ${reason.slice(0, 200)}`;
}

/**
 * Whether children are started in Landlock alone: where bubblewrap does not work, or where the kernel has to hold the
 * allowlist for every program in the tree, which only Landlock can.
 */
export function heldByLandlock({ settings }: Config, bubblewrapWorks: boolean): boolean {
  return !bubblewrapWorks || settings.tools.allowlist_scope === "tree";
}

/** Whether children can leave processes behind: no process namespace ends these with the child. */
export function mayLeaveStrays(config: Config, bubblewrapWorks: boolean): boolean {
  return config.settings.tools.confinement === "off" || heldByLandlock(config, bubblewrapWorks);
}
