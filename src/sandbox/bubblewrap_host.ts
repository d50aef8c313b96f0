/** Describes how children are started in bubblewrap. @module */
import type { HostDeps } from "./child_host.ts";
import type { ChildKernel } from "./child_kernel.ts";
import { firstChild } from "./process_group.ts";
import type { HostConfig } from "./protocol.ts";
import { wrapInBubblewrap } from "./wrap.ts";

/**
 * Children in bubblewrap, with any program: the self-test's shell need not be on the allowlist.
 *
 * @param entrance The command that enters the network of listed names; without it that network is out of reach.
 */
export function inBubblewrap(
  host: HostConfig,
  kernel: ChildKernel,
  { program, entrance = () => [] }: { readonly program?: string; readonly entrance?: () => readonly string[] } = {},
): HostDeps {
  return {
    limit: program ? undefined : kernel.limit, // the self-test ends at once
    isHeld: true,
    host: program ? { ...host, config: { ...host.config, binaries: { probe: program } } } : host,
    wrap: (request, path) => wrapInBubblewrap(host, request, path, kernel, entrance()),
    payloadLeader: (pid) => firstChild(pid) ?? pid,
  };
}
