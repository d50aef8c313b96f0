/** Assembles the parts of MCP that both transports share. @module */
import { type ListChanges, type ListName, makeChanges } from "../server/mcp/changes.ts";
import { makeMcp } from "../server/mcp/server.ts";
import { makePrompts } from "../server/mcp/prompts.ts";
import { documents } from "../server/mcp/resources/documents.ts";
import { effectiveConfig } from "../server/mcp/resources/effective_config.ts";
import { files } from "../server/mcp/resources/files.ts";
import { processOutput } from "../server/mcp/resources/process_output.ts";
import { makeResources } from "../server/mcp/resources/resources.ts";
import { storedResults } from "../server/mcp/resources/stored_results.ts";
import { makeWatches, type Watches } from "../server/mcp/watches.ts";
import type { Envelope } from "../call/pipeline.ts";
import type { App } from "./app.ts";
import { makeInstructions } from "./instructions.ts";

/** MCP without a transport. */
export interface McpFace {
  readonly makeServer: ReturnType<typeof makeMcp>;
  readonly watches: Watches;
  readonly changes: ListChanges;
  close(): void;
}

/** @param envelope That of the app, or one with a gate in front. */
export function makeMcpFace(app: App, envelope: Envelope): McpFace {
  const { config, catalog, approvals, secrets, services: { paths, handles, processes } } = app;
  const resources = makeResources([
    documents(config, paths),
    effectiveConfig(config),
    storedResults(handles, envelope),
    files({ config, catalog, envelope, paths }),
    processOutput(processes, catalog),
  ], secrets.maskLong);
  const prompts = makePrompts(catalog, () => config.settings);
  const watches = makeWatches({ stamp: resources.stamp });
  const changes = makeChanges();

  /** What each list depends on; compared, so that a client is told only of what it would see. */
  const lists = (): Record<ListName, string> => {
    const { tools, approvals: { require }, resources: { sidecars } } = config.settings;
    return {
      tools: JSON.stringify([catalog.listed().map(({ name }) => name), tools.list, tools.name_style, require]),
      prompts: JSON.stringify(prompts.list().map(({ name }) => name)),
      resources: JSON.stringify([sidecars, resources.templates()]),
    };
  };
  let before = lists();
  const stop = app.onReload(() => {
    const now = lists();
    for (const name of ["tools", "prompts", "resources"] as const) {
      if (now[name] !== before[name]) changes.publish(name);
    }
    before = now;
  });
  const instructions = () => makeInstructions(config, catalog);
  return {
    makeServer: makeMcp({
      config,
      envelope,
      catalog,
      approvals,
      resources,
      prompts,
      paths,
      watches,
      changes,
      log: app.log,
      endSession: app.endSession,
      instructions,
    }),
    watches,
    changes,
    close() {
      stop();
      watches.close();
    },
  };
}
