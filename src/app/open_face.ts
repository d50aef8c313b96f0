/** Opens the face that main asked for. Each is loaded only then: a stdio server needs no HTTP. @module */
import type { Face } from "../sandbox/protocol.ts";
import { makeMcp } from "../server/mcp.ts";
import type { Envelope } from "../te/envelope.ts";
import type { App } from "./app.ts";
import { makeInstructions } from "./instructions.ts";

/** An open face. */
export interface OpenFace {
  /** Where it listens; empty when it does not. */
  readonly address: string;
  close(): Promise<void>;
}

/** Opens it. `onEnd` is called when it ends by itself. */
export async function openFace(face: Face, app: App, onEnd: () => void): Promise<OpenFace> {
  if (face.kind === "command") return { address: "", close: () => Promise.resolve() };
  const { config, catalog, log } = app;
  const makeServers = (envelope: Envelope) =>
    makeMcp({ envelope, catalog, settings: config.settings, instructions: makeInstructions(config, catalog) });
  if (face.kind === "stdio") {
    const { serveOverStdio } = await import("../server/stdio.ts");
    const session = crypto.randomUUID();
    const makeServer = makeServers(app.envelope);
    const { close } = serveOverStdio(makeServer, { owner: `stdio/${session}`, sessionId: session }, log, onEnd);
    return { address: "", close };
  }
  const [{ serveOverHttp }, { gateCalls }] = await Promise.all([
    import("../server/http.ts"),
    import("../server/call_gate.ts"),
  ]);
  const { metrics, processes } = app.services;
  const newId = () => crypto.randomUUID();
  const envelope = gateCalls(app.envelope, {
    get concurrency() {
      return config.settings.limits.concurrency_per_token;
    },
    get queue() {
      return config.settings.limits.rate_limit_burst;
    },
    metrics,
    newId,
  });
  const { url, close } = serveOverHttp({
    config,
    token: face.token,
    tls: face.tls,
    envelope,
    catalog,
    makeServer: makeServers(envelope),
    log,
    metrics,
    health: () => app.health(),
    onSessionEnd: (owner) => void processes.closeOwner(owner),
    newId,
    now: () => performance.now(),
  });
  return { address: url, close };
}
