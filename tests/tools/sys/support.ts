/** Calls the tools of this folder with machine facts, a configuration, and real handles only. @module */
import type { z } from "zod";
import { settingsSchema } from "../../../src/config/schema.ts";
import type { MachineFacts } from "../../../src/sysinfo/machine_facts.ts";
import type { HandleStore } from "../../../src/store/handles.ts";
import { parseArguments } from "../../../src/call/arguments.ts";
import type { Tool, ToolContext } from "../../../src/call/tool.ts";
import { openStore } from "../../store/support.ts";

/** A structure, and the text for a model. */
export interface Called<O extends z.ZodType> {
  readonly result: z.output<O>;
  readonly text: string;
}

/** What a test may vary. */
export interface CallOptions {
  readonly resultTokens?: number;
  readonly dataDir?: string;
}

/** Handles in a directory, and calls that use them. */
export function withFacts(facts: MachineFacts, { resultTokens = 8_000, dataDir }: CallOptions = {}): {
  readonly handles: HandleStore | undefined;
  call<I extends z.ZodObject, O extends z.ZodType>(tool: Tool<I, O>, args?: unknown): Promise<Called<O>>;
} & Disposable {
  const settings = settingsSchema.parse({ tools: { result_tokens: resultTokens } });
  const store = dataDir === undefined ? undefined : openStore({ dataDir });
  const known = {
    config: { settings },
    owner: "test",
    facts,
    handles: store?.handles,
    signal: new AbortController().signal,
  };
  return {
    handles: store?.handles,
    async call(tool, args = {}) {
      const parsed = parseArguments(tool.input, args);
      const result = tool.output.parse(await tool.run(parsed, onlyKnown(known)));
      return { result, text: tool.render?.(result, parsed) ?? JSON.stringify(result) };
    },
    [Symbol.dispose]: () => store?.[Symbol.dispose](),
  };
}

/** A context whose other services fail when they are touched. */
function onlyKnown(known: object): ToolContext {
  return new Proxy(known, {
    get(target, key) {
      if (key in target) return Reflect.get(target, key);
      throw new Error(`a tool that looks at the machine used ${String(key)}`);
    },
  }) as ToolContext; // the other services are not there on purpose
}
