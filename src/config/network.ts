/** Determines the network access of programs, whichever key sets it. @module */
import type { Settings } from "./schema.ts";

/** `on`: that of this machine; `list`: one of their own, with a way out to listed names; `off`: one of their own. */
export type NetworkMode = Settings["tools"]["network"];

/** The older key closes what the newer one opens. */
export function networkOf({ network, allow_outbound_network }: Settings["tools"]): NetworkMode {
  return allow_outbound_network ? network : "off";
}
