/** Runs onboarding flows on real services over a temporary tree. @module */
import type { Bootload, CodeIndex, RootStatus } from "../../../src/code_search/index.ts";
import { OpsError } from "../../../src/core/error.ts";
import type { Facts } from "../../../src/sandbox/protocol.ts";
import { parseArguments } from "../../../src/call/arguments.ts";
import type { ToolContext } from "../../../src/call/tool.ts";
import { mcpRunOnboarding } from "../../../src/tools/onboarding/run_onboarding.ts";
import { makeTestApp } from "../../support/app.ts";

/** What a test may vary. */
export interface BenchOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** Folder below the root that is organised; one outside when it begins with a slash. */
  readonly downloads?: string;
  readonly allowApply?: boolean;
  readonly facts?: Partial<Facts>;
  /** What the code index, which lives in another thread, answers; absent: that it cannot be used. */
  readonly indexed?: { readonly root: string; readonly bootload: Partial<Bootload> };
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Flows over a tree. */
export interface FlowBench extends AsyncDisposable {
  readonly root: string;
  readonly handles: ToolContext["handles"];
  run(flow_name: string, options?: object, signal?: AbortSignal): Promise<Report>;
}

/** A structure, and its text for a model. */
export interface Report {
  readonly steps: readonly { readonly description: string; readonly result: string }[];
  readonly summary: string;
  readonly text: string;
  /** Result of the step whose description begins so. */
  step(description: string): string;
}

/** Makes a bench. Files are old enough to be moved. */
export async function flowBench(options: BenchOptions = {}): Promise<FlowBench> {
  const { downloads = "dl", allowApply = false } = options;
  const app = await makeTestApp({ files: options.files ?? {}, settings: options.settings ?? {} });
  for (const name of Object.keys(options.files ?? {})) {
    if (!name.endsWith("/")) await Deno.utime(`${app.root}/${name}`, OLD, OLD);
  }
  const settings = structuredClone(app.config.settings);
  settings.onboarding.downloads_dir = downloads.startsWith("/") ? downloads : `${app.root}/${downloads}`;
  settings.onboarding.allow_apply = allowApply;
  const services = app.app.services;
  const context = {
    ...services,
    config: { ...app.config, settings },
    facts: { ...makeFactsOf(services.facts), ...options.facts },
    index: indexOf(options, app.root),
    session: { agentId: "a", sessionId: "s", model: "m", budgetProfile: "default" },
    owner: "test",
    operation: { id: null, undoes: () => {} },
    others: { callable: () => [], call: () => Promise.reject(new Error("a flow called another tool")) },
    patience: "brief" as const,
    progress: () => {},
  };
  return {
    root: app.root,
    handles: services.handles,
    async run(flow_name, flowOptions, signal = new AbortController().signal) {
      const args = parseArguments(mcpRunOnboarding.input, {
        flow_name,
        ...flowOptions ? { options: flowOptions } : {},
      });
      const result = mcpRunOnboarding.output.parse(await mcpRunOnboarding.run(args, { ...context, signal }));
      const step = (description: string): string => {
        const found = result.steps.find((each) => each.description.startsWith(description));
        if (!found) throw new Error(`no step '${description}' in ${JSON.stringify(result.steps)}`);
        return found.result;
      };
      return { ...result, text: mcpRunOnboarding.render?.(result, args) ?? "", step };
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

const OLD = new Date(Date.UTC(2026, 0, 1));

/** The verbs that flows use, as own properties: a broker may be a proxy. */
function makeFactsOf(facts: Facts): Facts {
  return {
    processes: () => facts.processes(),
    findProcess: (pid) => facts.findProcess(pid),
    killProcess: (...args) => facts.killProcess(...args),
    system: () => facts.system(),
    hardware: () => facts.hardware(),
    cpu: () => facts.cpu(),
    listeners: () => facts.listeners(),
    deletedFiles: () => facts.deletedFiles(),
    processFiles: (pid) => facts.processFiles(pid),
    services: () => facts.services(),
    logs: (query) => facts.logs(query),
    sweep: (id) => facts.sweep(id),
    namesOf: (id) => facts.namesOf(id),
    portsOf: (id) => facts.portsOf(id),
  };
}

function indexOf({ indexed }: BenchOptions, root: string): CodeIndex {
  const unavailable = () => Promise.reject(new OpsError("INDEX_UNAVAILABLE", "the index cannot be opened"));
  const base = {
    search: unavailable,
    symbol: unavailable,
    rewrite: unavailable,
    sync: unavailable,
    rebuild: unavailable,
    close: () => Promise.resolve(),
  };
  if (!indexed) return { ...base, status: unavailable, bootload: unavailable };
  const status: RootStatus = {
    root: indexed.root.startsWith("/") ? indexed.root : `${root}/${indexed.root}`.replace(/\/$/, ""),
    state: "ready",
    files: 1,
    chunks: 1,
    size_bytes: 1,
    indexed_at: null,
  };
  const index = { fresh: true, files: 1, indexed_at: null, state: "ready" } as const;
  const empty = {
    plan: "",
    scope: "repo",
    notes: "",
    entry_points: [],
    modules: [],
    hot_files: [],
    last_commits: [],
  } as const;
  return {
    ...base,
    status: () => Promise.resolve([status]),
    bootload: (session_id, task_id) => Promise.resolve({ session_id, task_id, index, ...empty, ...indexed.bootload }),
  };
}
