/** Selects the thread that starts programs. @module */
import type { AppDeps } from "./deps.ts";
import { OpsError } from "../core/error.ts";
import { onceDone } from "../core/once.ts";
import { needsScopedThread } from "../sandbox/child_filter.ts";
import { heldByLandlock } from "../sandbox/level.ts";
import type { ChildVerbs, SandboxReport } from "../sandbox/protocol.ts";

/**
 * Children go into bubblewrap where it works, from a thread whose domain keeps abstract sockets closed where that is needed; else, or where the kernel has to hold the allowlist for the whole tree,
 * Landlock alone holds them; without either the broker starts them.
 */
export function childHost(
  { broker, spawner, startup }: Pick<AppDeps, "broker" | "spawner" | "startup">,
  sandbox: () => SandboxReport,
): () => Promise<ChildVerbs> {
  const { config } = startup.host, { confinement, allowlist_scope } = config.settings.tools;
  const inSpawner = onceDone(spawner);
  return () => {
    const { landlockAbi, bubblewrap } = sandbox();
    if (confinement === "off") return Promise.resolve(broker);
    if (!heldByLandlock(config, bubblewrap.works)) {
      return needsScopedThread(config, landlockAbi) ? inSpawner() : Promise.resolve(broker);
    }
    if (landlockAbi > 0) return inSpawner();
    if (allowlist_scope === "command") return Promise.resolve(broker);
    const hint = "The operator set mcp.tools.allowlist_scope = tree; this kernel has no Landlock to hold it.";
    return Promise.reject(
      new OpsError("SANDBOX_UNAVAILABLE", "the allowlist cannot be enforced on this machine", hint),
    );
  };
}
