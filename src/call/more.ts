/** `more`: shows the arguments of tools that the short list leaves out, and calls them. @module */
import * as z from "zod";
import { nearest } from "../config/suggest.ts";
import { OpsError } from "../core/error.ts";
import { signature } from "./signature.ts";
import { defineTool, type Tool, type Toolset } from "./tool.ts";

/** Name of the tool. */
export const MORE = "more";

/** What `more` knows of the catalogue. */
export interface MoreDeps {
  /** The tools that the short list leaves out. */
  readonly hidden: () => readonly Tool[];
  /** All tools that a model is told of. */
  readonly reachable: () => readonly Tool[];
  readonly find: (name: string) => Tool | undefined;
  readonly unknown: (name: string) => OpsError;
  /** The name under which clients are shown a tool. */
  readonly say: (name: string) => string;
}

/** A call: the tool that is meant, and its arguments. */
export interface MeantCall {
  readonly name: string;
  readonly args: unknown;
}

/** Makes the tool. */
export function makeMore(deps: MoreDeps): Tool {
  return defineTool({
    name: MORE,
    title: "Other tools",
    summary: "All other tools: their arguments, and calls of them.",
    toolset: "more",
    effect: "read",
    passesOn: true,
    input: () =>
      z.strictObject({
        tool: z.string().max(80).optional(),
        group: z.string().max(40).optional(),
        arguments: z.record(z.string(), z.unknown()).optional(),
      }),
    output: () =>
      z.object({
        /** The group that was asked for. */
        group: z.string().optional(),
        tools: z.array(
          z.object({ name: z.string(), summary: z.string(), arguments: z.string(), guide: z.string().optional() }),
        ),
      }),
    render: ({ tools }) =>
      tools.map(({ name, summary, arguments: taken, guide }) =>
        [`${name} ${taken}`, `  ${summary}`, ...guide === undefined ? [] : [guide]].join("\n")
      ).join("\n"),
    run({ tool, group }) {
      const faces = chosen(deps, tool, group).map((each) => ({
        name: deps.say(each.name),
        summary: each.summary,
        arguments: signature(each),
        ...each.guide && (tool ?? group) !== undefined ? { guide: each.guide(deps.reachable()) } : {},
      }));
      return Promise.resolve({ ...tool === undefined && group !== undefined ? { group } : {}, tools: faces });
    },
  });
}

/** What the tool is described with: every group, with the names of what it holds. */
export function describeMore(hidden: readonly Tool[]): string {
  const groups = [...Map.groupBy(hidden, ({ toolset }) => toolset)].map(([group, tools]) =>
    `${group}: ${tools.map(({ name }) => shortName(name, group)).join(" ")}`
  );
  const use = "Other tools: tool or group shows arguments, tool with arguments calls.";
  return `${use} ${groups.join("; ")}.`;
}

/** `list` of the group `fs` for `linux_fs_list`. */
function shortName(name: string, group: Toolset): string {
  return name.replace(/^linux_/, "").replace(`${group}_`, "");
}

/**
 * The call that `more {tool, arguments}` stands for, which takes the way of any other call from there on; the call itself
 * where no arguments are given, or another tool is called.
 */
export function meantCall(deps: Pick<MoreDeps, "find">, name: string, args: unknown): MeantCall {
  if (deps.find(name)?.name !== MORE) return { name, args };
  const { tool, name: named, group, arguments: wrapped, args: short, ...flat } = Object(args);
  const wanted: unknown = tool ?? named, inner: unknown = wrapped ?? short ?? (hasAny(flat) ? flat : undefined);
  if (typeof wanted !== "string" || inner === undefined) return { name, args };
  const meant = findShort(deps.find, wanted, group);
  if (meant?.name === MORE) return { name, args: { tool: MORE } }; // it does not call itself
  return { name: meant?.name ?? wanted, args: readObject(inner) };
}

/** Models forget the `arguments` around the arguments now and then. */
function hasAny(flat: object): boolean {
  return Object.values(flat).some((value) => value !== null && value !== undefined);
}

/** Models write an object as a text now and then. */
function readObject(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given);
  } catch {
    return given; // refused, as any other text in place of arguments
  }
}

function chosen(deps: MoreDeps, tool: string | undefined, group: string | undefined): readonly Tool[] {
  if (tool !== undefined) {
    const found = findShort(deps.find, tool, group);
    if (!found) throw deps.unknown(tool);
    return [found];
  }
  const shown = deps.hidden();
  if (group === undefined) return shown;
  const own = shown.filter(({ toolset }) => toolset === group.toLowerCase());
  if (own.length > 0) return own;
  const groups = [...new Set(shown.map(({ toolset }) => toolset))], near = nearest(group, groups);
  throw new OpsError(
    "INVALID_ARGUMENT",
    `unknown group '${group}'`,
    `${near ? `Did you mean '${near}'? ` : ""}Groups: ${groups.join(", ")}.`,
  );
}

/** By name, or by the short forms that the description shows: `list` with its group, `fs.list`, `fs_list`. */
function findShort(find: MoreDeps["find"], name: string, group: unknown): Tool | undefined {
  const plain = name.trim().replace(".", "_");
  const forms = [name, `linux_${plain}`, `linux_mcp_${plain}`];
  if (typeof group === "string") forms.unshift(`linux_${group}_${plain}`, `${group}_${plain}`);
  for (const form of forms) {
    const found = find(form);
    if (found) return found;
  }
  return undefined;
}
