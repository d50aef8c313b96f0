/** Selects the thread that starts programs. @module */
import type { AppDeps } from "./deps.ts";
import type { Config } from "../config/resolve.ts";
import { networkOf } from "../config/network.ts";
import { OpsError } from "../core/error.ts";
import { once, onceDone } from "../core/once.ts";
import { needsScopedThread } from "../sandbox/child_filter.ts";
import { recordsPrograms, whyNotRecorded } from "../sandbox/recorder/coverage.ts";
import { heldByLandlock } from "../sandbox/level.ts";
import { entriesChangedAt } from "../sandbox/root_entries.ts";
import type { ChildVerbs, SandboxReport } from "../sandbox/protocol.ts";

/** A domain cannot be widened: where entries of a root were granted one by one, new entries take another thread. */
function makeRenewed(spawner: AppDeps["spawner"], config: Config): () => Promise<ChildVerbs> {
  let plannedAt = entriesChangedAt(config), current = onceDone(() => spawner());
  return () => {
    const changedAt = entriesChangedAt(config);
    if (changedAt !== plannedAt) {
      plannedAt = changedAt;
      current = onceDone(() => spawner(true));
    }
    return current();
  };
}

/** What children in bubblewrap change is recorded only where a thread of its own starts them. */
function canBeRecorded(config: Config): boolean {
  return recordsPrograms(config) && whyNotRecorded(config, { bubblewrap: true, landlock: false }) === null;
}

const NO_LISTED_NETWORK = "mcp.tools.network = list cannot be held on this machine: bubblewrap does not work here";
const LISTED_NETWORK_HINT =
  "Programs are refused until the operator sets network to off or on, or makes bubblewrap work.";

/**
 * Children go into bubblewrap where it works, from a thread whose domain keeps abstract sockets closed where that is needed;
 * else, or where the kernel has to hold the allowlist for the whole tree, Landlock alone holds them; without either the broker starts them.
 */
export function childHost(
  { broker, spawner, startup }: Pick<AppDeps, "broker" | "spawner" | "startup">,
  sandbox: () => SandboxReport,
): () => Promise<ChildVerbs> {
  const { config } = startup.host, { confinement, allowlist_scope } = config.settings.tools;
  const inBroker = () => Promise.resolve(broker);
  const choose = once((): () => Promise<ChildVerbs> => {
    const { landlockAbi, bubblewrap } = sandbox();
    if (networkOf(config.settings.tools) === "list" && heldByLandlock(config, bubblewrap.works)) {
      throw new OpsError("SANDBOX_UNAVAILABLE", NO_LISTED_NETWORK, LISTED_NETWORK_HINT);
    }
    if (confinement === "off") return inBroker;
    if (!heldByLandlock(config, bubblewrap.works)) {
      const hasThread = needsScopedThread(config, landlockAbi) || canBeRecorded(config);
      return hasThread ? onceDone(() => spawner()) : inBroker;
    }
    if (landlockAbi > 0) return makeRenewed(spawner, config);
    if (allowlist_scope === "command") return inBroker;
    const hint = "The operator set mcp.tools.allowlist_scope = tree; this kernel has no Landlock to hold it.";
    throw new OpsError("SANDBOX_UNAVAILABLE", "the allowlist cannot be enforced on this machine", hint);
  });
  return async () => await choose()();
}
