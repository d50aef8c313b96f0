/** Says whether what programs change is recorded, and why not. @module */
import type { Config } from "../../config/resolve.ts";
import { networkOf } from "../../config/network.ts";

/** Whether the operator wants what programs change recorded. */
export function recordsPrograms({ settings }: Pick<Config, "settings">): boolean {
  return settings.undo.enabled && settings.undo.children;
}

/** What holds programs. */
export interface HeldBy {
  readonly bubblewrap: boolean;
  /** Without bubblewrap. */
  readonly landlock: boolean;
}

/** Why programs cannot be recorded on this machine, with this configuration; null when they are. */
export function whyNotRecorded({ settings }: Pick<Config, "settings">, heldBy: HeldBy): string | null {
  if (settings.tools.confinement === "off") return "mcp.tools.confinement is off";
  if (!heldBy.bubblewrap) return heldBy.landlock ? null : "neither bubblewrap nor Landlock works here";
  if (!Deno.build.standalone) return "it needs the executable";
  return networkOf(settings.tools) === "list" ? "mcp.tools.network is list" : null;
}
