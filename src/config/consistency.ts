/** Checks settings that are valid alone but contradict each other. @module */
import type { Problem } from "./error.ts";
import { NETWORK_SETS, unknownNetworkSets } from "../core/network_list.ts";
import { networkOf } from "./network.ts";
import { PROGRAM_SETS, unknownSets } from "./program_sets.ts";
import type { Loaded } from "./load.ts";

/** Whether a host name or address only reaches this machine. */
function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  return name === "localhost" || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Every contradiction between settings. */
export function contradictions(loaded: Loaded): Problem[] {
  const { server, auth, tools, linux_ops: { process_limits: limits } } = loaded.settings;
  const problems: Problem[] = [];
  const report = (key: string, message: string) => {
    problems.push(loaded.fault(key, message));
  };
  if (server.tls_enabled && (server.tls_cert_file === "" || server.tls_key_file === "")) {
    report("mcp.server.tls_enabled", "needs both mcp.server.tls_cert_file and mcp.server.tls_key_file");
  }
  if (auth.mode === "token" && auth.token_env === "" && auth.token_file === "") {
    report("mcp.auth.mode", 'is "token", but neither mcp.auth.token_env nor mcp.auth.token_file names one');
  }
  if (!isLoopback(server.host)) {
    const open = `leaves ${server.host} open to the network; use it only with a loopback mcp.server.host`;
    if (auth.mode === "none") report("mcp.auth.mode", `"none" ${open}`);
    if (auth.allow_unauthenticated) report("mcp.auth.allow_unauthenticated", `true ${open}`);
  }
  if (limits.max_procs_per_session > limits.max_procs_total) {
    report("mcp.linux_ops.process_limits.max_procs_per_session", `is above max_procs_total, ${limits.max_procs_total}`);
  }
  if (limits.default_timeout_sec > limits.max_timeout_sec) {
    report("mcp.linux_ops.process_limits.default_timeout_sec", `is above max_timeout_sec, ${limits.max_timeout_sec}`);
  }
  for (const name of unknownSets(tools.run_cmd_allowlist)) {
    report("mcp.tools.run_cmd_allowlist", `${name} is not a set; there are ${Object.keys(PROGRAM_SETS).join(", ")}`);
  }
  for (const name of unknownNetworkSets(tools.network_allow)) {
    report("mcp.tools.network_allow", `${name} is not a set; there are ${Object.keys(NETWORK_SETS).join(", ")}`);
  }
  if (networkOf(tools) === "list") {
    const needs = "needs programs in namespaces, and so";
    if (tools.allowlist_scope === "tree") report("mcp.tools.network", `"list" ${needs} allowlist_scope = "command"`);
    if (tools.confinement === "off") report("mcp.tools.network", `"list" ${needs} confinement that is not "off"`);
  }
  return problems;
}
