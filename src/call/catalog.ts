/** Looks up tools by name or alias, and decides which are listed. @module */
import type { Settings } from "../config/schema.ts";
import { nearest } from "../config/suggest.ts";
import { OpsError } from "../core/error.ts";
import { fitsArguments } from "./arguments.ts";
import { describeMore, makeMore, type MeantCall, meantCall, MORE } from "./more.ts";
import { disabledBy } from "./policy.ts";
import type { Tool, Toolset } from "./tool.ts";

/** All tools. */
export interface Catalog {
  /** By canonical name, dotted form (`linux.fs_read`) or alias. */
  find(name: string): Tool | undefined;
  /** What clients are shown, in the order of the catalogue. */
  listed(): readonly Tool[];
  /** Those, and the groups that `more` alone leads to. */
  reachable(): readonly Tool[];
  /** The short list: what nearly every job needs, the opened groups, and `more`, which names the rest. */
  shortList(opened: ReadonlySet<string>): readonly Tool[];
  /** What a call means: that of another tool when it is one of `more` with arguments. */
  meant(name: string, args: unknown): MeantCall;
  /** Every tool but `more`. */
  readonly all: readonly Tool[];
  /** Whether a call with these arguments would run, so that it makes sense to ask a person about it. */
  accepts(tool: Tool, args: unknown): boolean;
  /** Whether a tool can be called now, listed or not. */
  isEnabled(name: string): boolean;
  /** The error for a name that is no tool's. */
  unknown(name: string): OpsError;
}

/** Groups for which the full list has no room unless the operator lists them. */
const BEHIND_MORE: readonly Toolset[] = ["code", "script"];

/** Indexes the tools. @param settings Asked at each listing: they may change. */
export function makeCatalog(tools: readonly Tool[], settings: () => Settings): Catalog {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    for (const name of [tool.name, dotted(tool.name), ...tool.aliases ?? []]) {
      if (byName.has(name) && byName.get(name) !== tool) throw new Error(`two tools are named ${name}`);
      byName.set(name, tool);
    }
  }
  const find = (name: string) => byName.get(name);
  const listed = () => {
    const now = settings(), toolsets = new Set<string>(now.tools.toolsets);
    return tools.filter((tool) => toolsets.has(tool.toolset) && disabledBy(tool, now) === null);
  };
  const reachable = () => {
    const now = settings(), toolsets = new Set<string>([...now.tools.toolsets, ...BEHIND_MORE]);
    return tools.filter((tool) => toolsets.has(tool.toolset) && disabledBy(tool, now) === null);
  };
  const hidden = () => reachable().filter(({ core }) => !core);
  const unknown = (name: string) => {
    const near = nearest(name, [...byName.keys()]);
    const shown = name.slice(0, 80);
    return new OpsError(
      "INVALID_ARGUMENT",
      `unknown tool '${shown}'`,
      near ? `Did you mean '${near}'?` : "List the tools first.",
    );
  };
  const more = makeMore({ hidden, reachable, find, unknown, say: (name) => shownName(name, settings()) });
  byName.set(MORE, more);
  return {
    all: tools,
    find,
    listed,
    reachable,
    shortList(opened) {
      const others = hidden();
      const first = [...listed().filter(({ core }) => core), ...others.filter(({ toolset }) => opened.has(toolset))];
      return others.length === 0 ? first : [...first, { ...more, summary: describeMore(others) }];
    },
    meant: (name, args) => meantCall({ find }, name, args),
    unknown,
    accepts(tool, args) {
      return disabledBy(tool, settings()) === null && fitsArguments(tool.input, args);
    },
    isEnabled(name) {
      const tool = byName.get(name);
      return tool !== undefined && disabledBy(tool, settings()) === null;
    },
  };
}

/** The name under which clients are shown a tool. */
export function shownName(name: string, { tools }: Pick<Settings, "tools">): string {
  return tools.name_style === "dotted" ? dotted(name) : name;
}

/** The form in which the specifications write a name: `linux.fs_read`, `rag.search`. */
export function dotted(name: string): string {
  return name.replace(/^(linux|rag)_/, "$1.");
}
