/** Refuses requests from DNS rebinding and foreign pages. @module */
import type { MiddlewareHandler } from "hono";
import type { Metrics } from "../../../obs/metrics.ts";
import { type Env, failWith } from "../reply.ts";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** What is accepted besides loopback. */
export interface HostGuardOptions {
  /** The host that the server listens on. */
  readonly host: string;
  readonly allowedHosts: readonly string[];
  /** As `scheme://host[:port]`. */
  readonly allowedOrigins: readonly string[];
  readonly metrics: Pick<Metrics, "authFailed">;
}

/** Hosts that mean every address of the machine. */
const EVERY_ADDRESS = new Set(["0.0.0.0", "::", "[::]"]);

const HOST_HINT = "Add the name to mcp.server.allowed_hosts if this server is meant to answer to it.";
const ORIGIN_HINT = "Add the origin to mcp.server.allowed_origins if its pages may call this server.";

/** Checks the host of every request, and where a browser says that a page made it, that it was one of this server's. */
export function hostGuard({ host, allowedHosts, allowedOrigins, metrics }: HostGuardOptions): MiddlewareHandler<Env> {
  const own = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const hosts = new Set([...LOOPBACK, own, ...allowedHosts].map((name) => name.toLowerCase()));
  const accepts = (name: string) => hosts.has(name) || (EVERY_ADDRESS.has(host) && isAddress(name));
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  return (context, next) => {
    const { headers, url } = context.req.raw;
    const target = authorityOf(url), header = headers.get("Host")?.toLowerCase() ?? null;
    // A request may name a host twice, in its first line and in a header; HTTP/2 has no such header.
    if (!accepts(hostName(header ?? target)) || !accepts(hostName(target))) {
      metrics.authFailed("host");
      return Promise.resolve(failWith(context, "FORBIDDEN", "this server does not answer to that Host", HOST_HINT));
    }
    const origin = headers.get("Origin")?.toLowerCase() ?? null;
    const foreign = origin === null
      ? headers.get("Sec-Fetch-Site") === "cross-site"
      : !origins.has(origin) && withoutScheme(origin) !== (header ?? target);
    if (foreign) {
      metrics.authFailed("origin");
      const message = "pages of that Origin may not call this server";
      return Promise.resolve(failWith(context, "FORBIDDEN", message, ORIGIN_HINT));
    }
    return next();
  };
}

/** `host:port` of a URL that need not be a valid one. */
function authorityOf(url: string): string {
  const start = url.indexOf("://") + 3, end = url.indexOf("/", start);
  return url.slice(start, end < 0 ? undefined : end).toLowerCase();
}

/** Whether a host is written as an address. A page that was rebound to this machine can only send a name. */
function isAddress(name: string): boolean {
  return /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])$/.test(name);
}

/** A proxy in front may speak HTTPS where this server speaks HTTP: the host and port must be the same. */
function withoutScheme(origin: string): string {
  return origin.replace(/^https?:\/\//, "");
}

/** `name:port` without the port. */
function hostName(hostPort: string): string {
  return hostPort.replace(/:\d+$/, "");
}
