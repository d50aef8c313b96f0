/** Opens the requested transport. Each is loaded on demand: a stdio server needs no HTTP. @module */
import type { Face } from "../sandbox/protocol.ts";
import { gateCalls } from "../server/http/call_gate.ts";
import type { UiPages } from "../server/ui/pages.ts";
import { readStdin, type StdoutWriter } from "../sys/stdio.ts";
import type { Envelope } from "../call/pipeline.ts";
import { userPrincipal } from "../call/principal.ts";
import type { App } from "./app.ts";

/** An open face. */
export interface OpenFace {
  /** Where it listens; empty when it does not. */
  readonly address: string;
  close(): Promise<void>;
}

/** Reads the code of a face, which takes as long as the self-test: nothing is opened by that. */
export async function preloadFace(face: Face): Promise<void> {
  if (face.kind === "command") return;
  await Promise.all([
    import("./mcp_face.ts"),
    face.kind === "stdio" ? import("../server/mcp/stdio.ts") : import("../server/http/serve.ts"),
  ]);
}

/** Opens it. `write` is for standard output; `onEnd` is called when the face ends by itself. */
export async function openFace(face: Face, app: App, write: StdoutWriter, onEnd: () => void): Promise<OpenFace> {
  if (face.kind === "command") return { address: "", close: () => Promise.resolve() };
  return face.kind === "stdio" ? await openStdio(app, write, onEnd) : await openHttp(face, app);
}

async function openStdio(app: App, write: StdoutWriter, onEnd: () => void): Promise<OpenFace> {
  const [{ makeMcpFace }, { serveOverStdio }] = await Promise.all([
    import("./mcp_face.ts"),
    import("../server/mcp/stdio.ts"),
  ]);
  const mcp = makeMcpFace(app, app.envelope); // how many calls run at a time, the connection bounds
  const sessionId = crypto.randomUUID();
  const face = serveOverStdio({
    makeServer: mcp.makeServer,
    peer: { owner: userPrincipal(app.config.roots), sessionId, lasting: true },
    watches: mcp.watches,
    log: app.log,
    streams: { input: readStdin(), write },
    onEnd,
  });
  return {
    address: "",
    async close() {
      mcp.close();
      await face.close();
    },
  };
}

async function openHttp(face: Face & { kind: "http" }, app: App): Promise<OpenFace> {
  const [{ makeMcpFace }, { serveOverHttp }, ui] = await Promise.all([
    import("./mcp_face.ts"),
    import("../server/http/serve.ts"),
    openUi(face, app),
  ]);
  const { config, catalog, log, services: { metrics } } = app;
  const envelope = gateCalls(ui?.envelope ?? app.envelope, {
    get concurrency() {
      return config.settings.limits.concurrency_per_token;
    },
    get queue() {
      return config.settings.limits.max_queued;
    },
    metrics,
    newId,
  });
  const mcp = makeMcpFace(app, envelope);
  const { url, close } = serveOverHttp({
    config,
    token: face.token,
    tls: face.tls,
    envelope,
    catalog,
    makeServer: mcp.makeServer,
    watches: mcp.watches,
    changes: mcp.changes,
    log,
    metrics,
    health: () => app.health(),
    ...ui ? { pages: ui.pages } : {},
    newId,
    now: () => performance.now(),
  });
  return {
    address: url,
    async close() {
      ui?.pages.close();
      mcp.close();
      await close();
    },
  };
}

/** The operator's page, and the envelope through which it sees the calls; null where it is switched off. */
async function openUi(face: Face & { kind: "http" }, app: App): Promise<{ envelope: Envelope; pages: UiPages } | null> {
  const { config, catalog, services, log, approvals } = app;
  if (!config.settings.server.ui_enabled) return null;
  const [{ makePages }, { watchCalls }, { makeApiDescription }] = await Promise.all([
    import("../server/ui/pages.ts"),
    import("../server/ui/call_watch.ts"),
    import("../server/http/api_description.ts"),
  ]);
  const epochMs = () => Date.now();
  const watch = watchCalls(app.envelope, {
    epochMs,
    newId,
    keeps: config.settings.observability.enabled,
    secrets: app.secrets,
  });
  const { calls, metrics, processes, handles, index } = services;
  const pages = makePages({
    token: face.token,
    config,
    watch,
    calls,
    metrics,
    processes,
    handles,
    approvals,
    report: app.sandbox,
    indexStatus: async () => await index.status(),
    api: makeApiDescription({ config, catalog }),
    effectOf: (tool) => catalog.find(tool)?.effect,
    log,
    epochMs,
    now: () => performance.now(),
  });
  return { envelope: watch.envelope, pages };
}

function newId(): string {
  return crypto.randomUUID();
}
