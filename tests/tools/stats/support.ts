/** Calls the tools of this folder on real stores; services that they must not use throw. @module */
import type { z } from "zod";
import type { Config } from "../../../src/config/resolve.ts";
import { type Settings, settingsSchema } from "../../../src/config/schema.ts";
import { makeMetrics, type Metrics } from "../../../src/obs/metrics.ts";
import { makeCallLog } from "../../../src/store/call_log.ts";
import type { CallLog } from "../../../src/store/calls.ts";
import { parseArguments } from "../../../src/call/arguments.ts";
import type { Tool, ToolContext } from "../../../src/call/tool.ts";
import { openStore } from "../../store/support.ts";

/** Noon, so that yesterday and today are a step away. */
export const NOW = Date.UTC(2026, 4, 6, 12, 0, 30);

/** A caller of tools, and the stores that they look at. */
export interface StatsBench extends Disposable {
  readonly calls: CallLog;
  readonly metrics: Metrics;
  call<I extends z.ZodObject, O extends z.ZodType>(tool: Tool<I, O>, args: unknown): Promise<Answer<O>>;
}

/** What a tool answered: its structure, and the text for a model. */
export interface Answer<O extends z.ZodType> {
  readonly result: z.output<O>;
  readonly text: string;
}

/** Opens the stores. */
export function openBench(dataDir: string, observability: Partial<Settings["observability"]> = {}): StatsBench {
  const store = openStore({ dataDir, now: () => NOW });
  const { database, handles } = store;
  const calls = makeCallLog({ database, retentionDays: 0, now: () => NOW, warn: () => {} });
  const metrics = makeMetrics({ enabled: true, now: () => NOW });
  const config = configOf(dataDir, observability);
  const context = makeContext({ config, handles, calls, metrics });
  return {
    calls,
    metrics,
    async call(tool, args) {
      const parsed = parseArguments(tool.input, args);
      const result = tool.output.parse(await tool.run(parsed, context));
      return { result, text: tool.render?.(result, parsed) ?? JSON.stringify(result) };
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

function configOf(dataDir: string, observability: Partial<Settings["observability"]>): Config {
  const settings = settingsSchema.parse({ observability });
  return {
    settings,
    roots: [],
    unconfined: false,
    dataDir,
    homeDir: dataDir,
    configFile: null,
    projectFile: null,
    binaries: {},
    container: "",
    missingBinaries: [],
    otherBinaries: [],
    programFolders: [],
    toolFolders: [],
    userEnv: {},
    protectedPaths: [],
    secretPaths: [],
    operatorPaths: [],
    origins: {},
    warnings: [],
  };
}

function makeContext(given: Pick<ToolContext, "config" | "handles" | "calls" | "metrics">): ToolContext {
  const untouched = (name: string): never => {
    throw new Error(`a statistics tool asked for ${name}`);
  };
  return {
    ...given,
    session: { agentId: "a", sessionId: "s", model: "m", budgetProfile: "default" },
    owner: "o",
    operation: { id: null, undoes: () => {} },
    get journal() {
      return untouched("journal");
    },
    programChanges: null,
    signal: new AbortController().signal,
    patience: "brief",
    progress: () => {},
    get scripts() {
      return untouched("scripts");
    },
    get others() {
      return untouched("others");
    },
    get paths() {
      return untouched("paths");
    },
    get entries() {
      return untouched("entries");
    },
    get writer() {
      return untouched("writer");
    },
    get condense() {
      return untouched("condense");
    },
    get search() {
      return untouched("search");
    },
    get programs() {
      return untouched("programs");
    },
    get processes() {
      return untouched("processes");
    },
    get facts() {
      return untouched("facts");
    },
    get index() {
      return untouched("index");
    },
  };
}
