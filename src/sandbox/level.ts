/** Determines the sandbox level of this machine, and how to raise it. @module */
import type { Config } from "../config/resolve.ts";
import { bubblewrapTrouble, landlockTrouble } from "./advice.ts";
import type { MachineSettings } from "./machine_settings.ts";
import type { Bubblewrap, Level, SandboxReport } from "./protocol.ts";

/**
 * Combines what was found into the report that people and tools see.
 *
 * @param machine Asked where something could hold more.
 */
export function makeReport(
  found: { landlockAbi: number; bubblewrap: Bubblewrap; unconfined: boolean; root: boolean },
  machine: () => MachineSettings,
): SandboxReport {
  const level = levelOf(found.landlockAbi > 0, found.bubblewrap.works);
  return { ...found, level, advice: adviceFor(level, found.bubblewrap, machine) };
}

function levelOf(landlock: boolean, bubblewrap: boolean): Level {
  if (landlock) return bubblewrap ? "full" : "landlock";
  return bubblewrap ? "bwrap" : "none";
}

function adviceFor(level: Level, { reason }: Bubblewrap, machine: () => MachineSettings): string {
  if (level === "full") return "";
  if (level === "bwrap") return landlockTrouble(machine()).advice;
  const { why, advice } = bubblewrapTrouble(reason, machine());
  return advice || `bubblewrap does not work here: ${why}`;
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
