/** Fixture server for the conformance suite, over the product's HTTP transport. @module */
import { createRequestStateCodec, McpServer } from "@modelcontextprotocol/server";
import { makeChanges } from "../../../src/server/mcp/changes.ts";
import { makeWatches } from "../../../src/server/mcp/watches.ts";
import { makeTestApp } from "../app.ts";
import { openHttpFace } from "../http_face.ts";
import { addRounds } from "./rounds.ts";
import { addPrompts, addResources } from "./texts.ts";
import { addTools } from "./tools.ts";

/** A running fixture. */
export interface ConformanceServer extends AsyncDisposable {
  /** Address of its MCP endpoint. */
  readonly url: string;
}

/** The suite asks faster than the limits of one caller, and knows no token. */
const SETTINGS = {
  "mcp.server.port": 0,
  "mcp.auth.mode": "none",
  "mcp.limits.rate_limit_rps": 10_000,
  "mcp.limits.rate_limit_burst": 10_000,
};

/** Starts it on a free port. */
export async function startConformanceServer(): Promise<ConformanceServer> {
  const test = await makeTestApp({ settings: SETTINGS });
  const changes = makeChanges(), watches = makeWatches({ stamp: () => Promise.resolve("always the same") });
  const codec = createRequestStateCodec<string>({ key: crypto.getRandomValues(new Uint8Array(32)) });
  const face = openHttpFace(test, {
    makeServer({ lasting }) {
      const server = new McpServer({ name: "conformance-fixture", version: "1.0.0" }, {
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
          completions: {},
          logging: {},
        },
        requestState: { verify: codec.verify },
      });
      addTools(server, changes);
      addRounds(server, codec);
      addResources(server);
      addPrompts(server);
      if (lasting) {
        server.server.onclose = changes.subscribe(() => void server.server.sendToolListChanged().catch(() => {}));
      }
      return server.server;
    },
    watches,
    changes,
  });
  return {
    url: `${face.url}/mcp`,
    async [Symbol.asyncDispose]() {
      watches.close();
      await face.close();
      await test[Symbol.asyncDispose]();
    },
  };
}
