/** The services of the tools that only look, real ones, over a tree that vanishes with its scope. @module */
import type * as z from "zod";
import { type Settings, settingsSchema } from "../../src/config/schema.ts";
import type { HandleStore } from "../../src/store/handles.ts";
import { makeSearch } from "../../src/sys/ripgrep.ts";
import { makePathGuard } from "../../src/te/path_guard.ts";
import type { Tool, ToolContext } from "../../src/te/tool.ts";
import { openStore } from "../store/support.ts";
import { testRipgrep } from "../support/ripgrep.ts";
import { tempTree } from "../support/temp_tree.ts";

/** What a test may vary. */
export interface LookOptions {
  readonly tools?: Partial<Settings["tools"]>;
  /** Paths below the root that belong to the server. */
  readonly protectedPaths?: readonly string[];
  readonly withoutRipgrep?: boolean;
  /** Bytes that all handles may take. */
  readonly handleQuota?: number;
}

/** A tree, and calls into it. */
export interface Look extends AsyncDisposable {
  readonly root: string;
  readonly handles: HandleStore;
  /** The structure and the lean text of a call. */
  call<I extends z.ZodObject, O extends z.ZodType>(
    tool: Tool<I, O>,
    args: z.input<I>,
    signal?: AbortSignal,
  ): Promise<{ result: z.output<O>; text: string }>;
}

/** Makes a tree; names that end in `/` are directories. */
export async function look(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  { tools, protectedPaths = [], withoutRipgrep = false, handleQuota = 1 << 28 }: LookOptions = {},
): Promise<Look> {
  const tree = await tempTree(files), data = await tempTree(), root = tree.root;
  const defaults = settingsSchema.parse({});
  const settings = { ...defaults, tools: { ...defaults.tools, ...tools } };
  const closed = protectedPaths.map((path) => `${root}/${path}`);
  const paths = makePathGuard({ roots: [root], homeDir: root, protectedPaths: closed });
  const store = openStore({ dataDir: data.root, maxBytes: handleQuota, checkSource: (path) => paths.existing(path) });
  const known: Partial<ToolContext> = {
    config: { ...NO_CONFIG, settings, roots: [root], dataDir: data.root, homeDir: root, protectedPaths: closed },
    owner: "test",
    paths,
    handles: store.handles,
    search: makeSearch({ program: withoutRipgrep ? null : await testRipgrep(), closed }),
  };
  return {
    root,
    handles: store.handles,
    async call(tool, args, signal = new AbortController().signal) {
      const parsed = tool.input.parse(args);
      const result = tool.output.parse(await tool.run(parsed, onlyKnown({ ...known, signal })));
      return { result, text: tool.render?.(result, parsed) ?? JSON.stringify(result) };
    },
    async [Symbol.asyncDispose]() {
      store[Symbol.dispose]();
      await tree[Symbol.asyncDispose]();
      await data[Symbol.asyncDispose]();
    },
  };
}

const NO_CONFIG = {
  unconfined: false,
  configFile: null,
  binaries: {},
  missingBinaries: [],
  origins: {},
  warnings: [],
};

/** A context whose other services fail when they are touched: these tools have no business with them. */
function onlyKnown(known: Partial<ToolContext>): ToolContext {
  return new Proxy(known, {
    get(target, key) {
      if (key in target) return Reflect.get(target, key);
      throw new Error(`a tool that only looks used ${String(key)}`);
    },
  }) as ToolContext;
}
