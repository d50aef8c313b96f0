/** Declares what the HTTP transport needs, and what its parts share. @module */
import type { Watches } from "../mcp/watches.ts";
import type { RateQueue } from "./rate_queue.ts";
import type { McpRoute } from "./routes/mcp.ts";
import type { Env } from "./reply.ts";
import type { makeMcp } from "../mcp/server.ts";
import type { ListChanges } from "../mcp/changes.ts";
import type { GatedEnvelope } from "./call_gate.ts";
import type { Catalog } from "../../call/catalog.ts";
import type { Metrics } from "../../obs/metrics.ts";
import type { Logger } from "../../obs/log.ts";
import type { Config } from "../../config/resolve.ts";
import type { Hono } from "hono";

/** What the face needs. */
export interface HttpDeps {
  readonly config: Config;
  readonly token: string | null;
  readonly tls: { cert: string; key: string } | null;
  /** Behind the gate, for MCP as well: calls count whichever route they came over. */
  readonly envelope: GatedEnvelope;
  readonly catalog: Catalog;
  readonly makeServer: ReturnType<typeof makeMcp>;
  readonly watches: Watches;
  readonly changes: ListChanges;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: () => Promise<Readonly<Record<string, unknown>>>;
  readonly pages?: Pages;
  readonly newId: () => string;
  /** Milliseconds; must not jump. */
  readonly now: () => number;
}

/** Pages for people, which prove in another way that they know the token. */
export interface Pages {
  readonly routes: Hono<Env>;
  /** Paths that answer without a token, such as the form that asks for it. */
  readonly open: readonly string[];
  /** The path at which a browser reads the description of the API. */
  readonly docs: string;
  /** Whether a request proves it: by a key that was given for the token. */
  hasProof(request: Request): boolean;
}

/** What the parts of a running face share. */
export interface RunningTransport {
  readonly queue: RateQueue;
  readonly mcp: McpRoute;
  readonly closing: AbortController;
}
