/** Opens the face that main asked for. Each is loaded only then: a stdio server needs no HTTP. @module */
import type { Face } from "../sandbox/protocol.ts";
import { makeMcp } from "../server/mcp.ts";
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
  const { config, envelope, catalog, log } = app;
  const makeServer = makeMcp({
    envelope,
    catalog,
    settings: config.settings,
    instructions: makeInstructions(config, catalog),
  });
  if (face.kind === "stdio") {
    const { serveOverStdio } = await import("../server/stdio.ts");
    const session = crypto.randomUUID();
    const { close } = serveOverStdio(makeServer, { owner: `stdio/${session}`, sessionId: session }, log, onEnd);
    return { address: "", close };
  }
  const { serveOverHttp } = await import("../server/http.ts");
  const { url, close } = serveOverHttp({
    config,
    token: face.token,
    tls: face.tls,
    envelope,
    makeServer,
    log,
    metrics: app.services.metrics,
    health: () => app.health(),
    onSessionEnd: (owner) => void app.services.processes.closeOwner(owner),
    newId: () => crypto.randomUUID(),
    now: () => Date.now(),
  });
  return { address: url, close };
}
