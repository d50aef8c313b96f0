/** Starts children in bubblewrap, for the thread that calls it. @module */
import { firstChild, makeChildHost } from "./child_host.ts";
import type { ChildKernel } from "./child_kernel.ts";
import type { ChildVerbs, HostConfig } from "./protocol.ts";
import { wrapInBubblewrap } from "./wrap.ts";

/** Children in bubblewrap, with any program: the self-test's shell need not be on the allowlist. */
export function makeBubblewrapHost(host: HostConfig, kernel: ChildKernel, program?: string): ChildVerbs {
  return makeChildHost({
    limit: program ? undefined : kernel.limit, // the self-test ends at once
    isHeld: true,
    host: program ? { ...host, config: { ...host.config, binaries: { probe: program } } } : host,
    wrap: (request, path) => wrapInBubblewrap(host, request, path, kernel.openFilter()),
    payloadLeader: (pid) => firstChild(pid) ?? pid,
  });
}
