/** `script`: runs a short JavaScript program over all tools; only what it prints comes back. @module */
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";
import { apiOf, describeFunctions, preludeOf } from "./api.ts";

/** See the summary. */
export const script = defineTool({
  name: "script",
  title: "Run a script",
  summary: "Run JavaScript that calls tools, as in print(fs.read(path).content); only what it prints comes back.",
  toolset: "script",
  effect: "read",
  takesItsTime: true,
  passesOn: true,
  guide: (tools) => describeFunctions(apiOf(tools)),
  input: () => z.strictObject({ code: z.string().max(100_000) }),
  output: () =>
    z.object({
      output: z.string(),
      calls: z.int(),
      error: z.string().nullable(),
      /** Line of the program that the error comes from. */
      line: z.int().nullable(),
    }),
  failed: ({ error }) => error !== null,
  render({ output, error, line, calls }) {
    const text = output.trimEnd();
    if (error === null) return text === "" ? `[nothing was printed · ${calls} calls]` : text;
    // First, because a long text is cut at its end.
    return [`[${error}${line === null ? "" : ` · line ${line}`} · ${calls} calls]`, ...text === "" ? [] : [text]].join(
      "\n",
    );
  },
  async run({ code }, { scripts, others, signal }) {
    const api = apiOf(others.callable()), allowed = new Set(api.map(({ tool }) => tool));
    return await scripts.run({
      code,
      prelude: preludeOf(api),
      signal,
      async call(name, args, signal) {
        if (!allowed.has(name)) return { error: `a script cannot call '${name}'` };
        const answer = await others.call(name, args, signal);
        return answer.error ? { error: answer.text } : { value: answer.result };
      },
    });
  },
});
