/** The HTTP transport over a test's application, with servers of the test's own. @module */
import type { HttpDeps } from "../../src/server/http/deps.ts";
import { gateCalls } from "../../src/server/http/call_gate.ts";
import { makeChanges } from "../../src/server/mcp/changes.ts";
import { type HttpFace, serveOverHttp } from "../../src/server/http/serve.ts";
import type { TestApp } from "./app.ts";

/** More calls at a time than any of these tests makes. */
const CALLS = 100;

/** Opens it on a free port. */
export function openHttpFace(
  { app }: TestApp,
  own: Pick<HttpDeps, "makeServer" | "watches"> & Partial<Pick<HttpDeps, "changes">>,
): HttpFace {
  const { config, catalog, envelope, log, services: { metrics } } = app;
  const newId = () => crypto.randomUUID();
  return serveOverHttp({
    changes: makeChanges(),
    ...own,
    config,
    token: null,
    tls: null,
    envelope: gateCalls(envelope, { concurrency: CALLS, queue: CALLS, metrics, newId }),
    catalog,
    log,
    metrics,
    health: () => Promise.resolve({}),
    newId,
    now: () => performance.now(),
  });
}
