/** Parses systemctl's list of units. @module */

/** One service. */
export interface Service {
  /** Without `.service`. */
  readonly name: string;
  /** `active`, `inactive`, `failed`, `activating`, … */
  readonly active: string;
  /** `running`, `exited`, `dead`, `failed`, `auto-restart`, … */
  readonly sub: string;
  readonly description: string;
}

/** Reads `systemctl list-units --plain --no-legend`; units that are only mentioned by others are left out. */
export function readServices(text: string): Service[] {
  return text.split("\n").flatMap((line) => {
    // A mark stands before failed units where --plain is not known.
    const [, unit, load, active, sub, description = ""] =
      line.match(/^[\s●○×*↻]*(\S+\.service)\s+(\S+)\s+(\S+)\s+(\S+)(?:\s+(.*))?$/) ?? [];
    if (!unit || !active || !sub || load === "not-found") return [];
    return [{ name: unit.slice(0, -".service".length), active, sub, description: description.trim() }];
  });
}

/** States that a caller may ask for. */
export const SERVICE_STATES = ["running", "failed", "active", "inactive", "all"] as const;

/** Whether a service is in a state that a caller asked for. */
export function isInState({ active, sub }: Service, state: (typeof SERVICE_STATES)[number]): boolean {
  if (state === "all") return true;
  return state === "running" ? sub === "running" : active === state;
}
