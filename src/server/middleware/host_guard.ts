/** Refuses requests that a browser was tricked into sending here: DNS rebinding and foreign pages. @module */
import type { MiddlewareHandler } from "hono";
import type { Metrics } from "../../obs/metrics.ts";
import { type Env, failWith } from "../reply.ts";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** What is accepted besides loopback. */
export interface HostGuardOptions {
  /** The host that the server listens on. */
  readonly host: string;
  readonly allowedHosts: readonly string[];
  /** As `scheme://host[:port]`. */
  readonly allowedOrigins: readonly string[];
  readonly metrics: Metrics;
}

/** Names that a client may use for this server, as they stand in a Host header without the port. */
export function acceptedHosts({ host, allowedHosts }: Pick<HostGuardOptions, "host" | "allowedHosts">): string[] {
  return [...LOOPBACK, host.includes(":") ? `[${host}]` : host, ...allowedHosts].map((name) => name.toLowerCase());
}

/** Checks Host on every request, and Origin where there is one. */
export function hostGuard(options: HostGuardOptions): MiddlewareHandler<Env> {
  const hosts = new Set(acceptedHosts(options));
  const origins = new Set(options.allowedOrigins);
  return async (context, next) => {
    const host = hostName(context.req.header("Host") ?? "");
    if (!hosts.has(host)) {
      options.metrics.authFailed("host");
      return failWith(context, "FORBIDDEN", "this server does not answer to that Host");
    }
    const origin = context.req.header("Origin");
    if (origin !== undefined && !origins.has(origin) && !hosts.has(hostName(origin.replace(/^https?:\/\//, "")))) {
      options.metrics.authFailed("origin");
      return failWith(context, "FORBIDDEN", "pages of that Origin may not call this server");
    }
    await next();
  };
}

/** `name:port` without the port, in lower case. */
function hostName(hostPort: string): string {
  return hostPort.replace(/:\d+$/, "").toLowerCase();
}
