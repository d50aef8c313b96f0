/** `rag_bootload`: summarises the repository for the start of a session. @module */
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";
import { indexOutput } from "./search.ts";

const lines = () => z.array(z.string()).readonly();

const output = () =>
  z.object({
    session_id: z.string(),
    task_id: z.string(),
    plan: z.string(),
    scope: z.enum(["repo", "docs", "both"]),
    notes: z.string(),
    entry_points: lines(),
    modules: z.array(z.object({ path: z.string(), about: z.string() })).readonly(),
    hot_files: lines(),
    last_commits: lines(),
    index: indexOutput().readonly(),
  });

/** See the summary. */
export const ragBootload = defineTool({
  name: "rag_bootload",
  title: "Session start",
  summary: "What to know before working here: plan, rules, entry points, modules, last commits.",
  toolset: "rag",
  effect: "read",
  input: () => z.strictObject({ session_id: z.string().max(200).optional(), task_id: z.string().max(200).optional() }),
  output,
  render({ plan, scope, notes, entry_points, modules, hot_files, last_commits, index }) {
    const list = (title: string, items: readonly string[], separator: string) =>
      items.length === 0 ? [] : [`${title}: ${items.join(separator)}`];
    return [
      `plan: ${plan}`,
      `scope: ${scope}`,
      `the repository's own notes: ${notes}`,
      ...list("entry points", entry_points, ", "),
      ...list("modules", modules.map(({ path, about }) => `${path} ${about}`), "; "),
      ...list("most imported", hot_files, ", "),
      ...list("last commits", last_commits, "; "),
      ...index.state === "indexing" ? ["index: incomplete, still being built"] : [],
      ...index.warnings ?? [],
    ].join("\n");
  },
  run({ session_id, task_id = "-" }, { index, session }) {
    return index.bootload(session_id ?? session.sessionId, task_id);
  },
});
