/** Says which key opens the network to a program that did not reach it. @module */
import { networkOf } from "../config/network.ts";
import type { Config } from "../config/resolve.ts";

/** What programs print when a name does not resolve, or nothing leads to an address; of libc, Node, Go, Rust, Java, Python. */
const UNREACHED =
  /name resolution|Could not resolve host|(?:Name or service|nodename nor servname) not known|unable to resolve host|Unknown host|UnknownHostException|getaddrinfo E|EAI_AGAIN|lookup \S+(?: on \S+)?: |(?:Network is|Network|network is) unreachable|ENETUNREACH/;

const TEXTS = {
  off: "programs have no network: mcp.tools.network = off",
  list:
    "only programs that use the HTTP proxy of $https_proxy have a network, to the names in mcp.tools.network_allow; " +
    "all programs with mcp.tools.network = on",
} as const;

/** Notes about the network. @param said The ends of standard error. @param failed Whether the program failed. */
export function networkNotes({ settings }: Pick<Config, "settings">, said: string, failed: boolean): string[] {
  const mode = networkOf(settings.tools);
  return mode !== "on" && failed && UNREACHED.test(said) ? [TEXTS[mode]] : [];
}
