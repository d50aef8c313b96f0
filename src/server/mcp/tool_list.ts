/** Chooses which tools a client is shown, and with which hints. @module */
import type { Catalog } from "../../call/catalog.ts";
import type { Tool, Toolset } from "../../call/tool.ts";
import type { Settings } from "../../config/schema.ts";
import { type ToolFace, toolFace } from "./face.ts";

/** What the list depends on, besides the client. */
export interface ToolListDeps {
  readonly catalog: Pick<Catalog, "listed" | "shortList">;
  readonly settings: Settings;
  /** Whether a person must consent to calls of a tool. */
  readonly needsConsent: (tool: Tool) => boolean;
}

/**
 * Clients that put only the names of tools before their model and load the rest on demand, by the name that they give
 * themselves: a long list costs them nothing, and a second search behind theirs would hide tools.
 */
const DEFERRING_CLIENTS: ReadonlySet<unknown> = new Set(["claude-code", "codex-mcp-client"]);
/** The one of them that reads hints in `_meta`. */
const CLAUDE_CODE = "claude-code";

/** @param opened groups that this connection has asked `more` for */
export function toolList(deps: ToolListDeps, client: unknown, opened: ReadonlySet<string>): ToolFace[] {
  const { catalog, settings: { tools: { list, name_style, result_tokens } }, needsConsent } = deps;
  const isDeferring = DEFERRING_CLIENTS.has(client), short = catalog.shortList(opened);
  const shown = list === "full" && !isDeferring ? catalog.listed() : isDeferring ? everything(deps) : short;
  return shown.map((tool) => {
    const face = toolFace(tool, name_style, needsConsent(tool));
    return client === CLAUDE_CODE ? { ...face, _meta: hintsOf(tool, result_tokens) } : face;
  });
}

/** All listed tools, and `more` where a short list has it. */
function everything({ catalog }: ToolListDeps): readonly Tool[] {
  const listed = catalog.listed();
  return [...listed, ...catalog.shortList(NONE).filter((tool) => !listed.includes(tool))];
}

const NONE: ReadonlySet<string> = new Set();

/** A token of dense text has as many characters at most. */
const CHARS_PER_TOKEN = 8;
/** The client takes no higher bound. */
const MAX_RESULT_CHARS = 500_000;

/** The core is loaded at once; the others are found by words; a result within our own bound is shown whole. */
function hintsOf({ core, title, toolset }: Tool, resultTokens: number): Record<string, unknown> {
  return {
    ...core
      ? { "anthropic/alwaysLoad": true }
      : { "anthropic/searchHint": `${TOPICS[toolset]}: ${title.toLowerCase()}` },
    "anthropic/maxResultSizeChars": Math.min(MAX_RESULT_CHARS, resultTokens * CHARS_PER_TOKEN),
  };
}

const TOPICS: Readonly<Record<Toolset, string>> = {
  fs: "files and folders",
  search: "search",
  run: "commands",
  proc: "processes",
  sys: "machine",
  rag: "code search",
  code: "symbols",
  stats: "statistics of calls",
  logs: "services and logs",
  mvp: "older names",
  te: "repository",
  ufo: "commands",
  script: "script, program over tools",
  more: "tools that are not listed",
};
