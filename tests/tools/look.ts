/** The real application for read-only tools: typed calls, files with any bytes, errors that are thrown. @module */
import type * as z from "zod";
import { OpsError } from "../../src/core/error.ts";
import type { HandleStore } from "../../src/store/handles.ts";
import type { Tool } from "../../src/call/tool.ts";
import { makeTestApp, type TestAppOptions } from "../support/app.ts";

/** What a test may vary. */
export interface LookOptions extends Omit<TestAppOptions, "files"> {
  /** Puts the server's own data into the root, as `data`. */
  readonly dataInRoot?: boolean;
}

/** A tree, and calls into it. */
export interface Look extends AsyncDisposable {
  readonly root: string;
  readonly handles: HandleStore;
  /** The structure and the text of a call. @throws OpsError as the tool does. */
  call<I extends z.ZodObject, O extends z.ZodType>(
    tool: Tool<I, O>,
    args: z.input<I>,
  ): Promise<{ result: z.output<O>; text: string }>;
}

/** Who owns the handles of {@link Look.call}. */
export const OWNER = "test/session";

/** Makes a tree; names that end in `/` are directories. */
export async function look(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  { dataInRoot = false, settings, ...options }: LookOptions = {},
): Promise<Look> {
  const names = Object.fromEntries(Object.keys(files).map((name) => [name, ""]));
  const inRoot = dataInRoot ? { "mcp.data_dir": "../root/data" } : {};
  const app = await makeTestApp({ ...options, files: names, settings: { ...inRoot, ...settings } });
  for (const [name, content] of Object.entries(files)) {
    if (name.endsWith("/")) continue;
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(`${app.root}/${name}`, bytes);
  }
  return {
    root: app.root,
    handles: app.app.services.handles,
    async call(tool, args) {
      const { result, text, error } = await app.call(tool.name, args);
      if (error) throw new OpsError(error.code, error.message, error.hint);
      return { result: tool.output.parse(result), text };
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}
