/** `linux_fs_list`: lists a directory as a bounded tree, and says what it leaves out. @module */
import { restAt } from "../../core/bound.ts";
import { sleep } from "../../core/time.ts";
import * as z from "zod";
import { OpsError } from "../../core/error.ts";
import { wireName } from "../../core/escape_name.ts";
import { estimateTokens } from "../../core/tokens.ts";
import { makeTurnstile } from "../../core/turnstile.ts";
import { requireDirectory } from "../../sys/files/entry_info.ts";
import { pathTest } from "../../sys/files/globs.ts";
import {
  describeEntry,
  listAll,
  listTree,
  type Tree,
  type TreeEntry,
  type TreeRequest,
} from "../../sys/files/list_tree.ts";
import { type WalkDirectory, walkRoot } from "../../sys/files/walk.ts";
import { defineTool, type ToolContext } from "../../call/tool.ts";
import { bodyTokens, metaLine } from "../keep_rest.ts";
import { pathLines, showWire, treeLines } from "./tree_text.ts";

const entry = () =>
  z.object({
    path: z.string(),
    type: z.enum(["file", "dir", "symlink", "fifo", "socket", "char_device", "block_device", "other"]),
    size_bytes: z.int().optional(),
    mtime_iso: z.string().optional(),
    symlink_target: z.string().optional(),
  });

const output = () =>
  z.object({
    path: z.string(),
    entries: z.array(entry()),
    truncated: z.boolean(),
    handle: z.string().nullable(),
    /** By directory: entries that are not listed. */
    omitted: z.array(z.object({ path: z.string(), count: z.int() })),
    unreadable: z.array(z.object({ path: z.string(), reason: z.string() })),
    /** Directories that the bound left unopened. */
    unopened: z.int(),
    hidden: z.int(),
    /** The first of those that are left out. */
    first_hidden: z.array(z.string()),
    first_ignored: z.array(z.string()),
    ignored: z.int(),
  });

type Result = z.output<ReturnType<typeof output>>;

/** A handle holds no more paths than this. */
const MAX_KEPT = 200_000;
/** The walk for it outlives the call, but not for long. */
const MAX_WALK_MS = 20_000;
/** Of all callers: walks that go on behind answers, and how long one waits for its turn. */
const walks = makeTurnstile(2);
const MAX_WAIT_MS = 60_000;
/** It begins when the answer is on its way: its first slice would hold the answer up. */
const ANSWER_FIRST_MS = 3;
/** Up to this much per entry nothing needs counting. */
const USUAL_TOKENS = 12;

/** See the summary. */
export const fsList = defineTool({
  name: "linux_fs_list",
  title: "List directory",
  summary: "List a directory as a tree; links are not followed.",
  toolset: "fs",
  effect: "read",
  input: () =>
    z.strictObject({
      path: z.string().default("."),
      depth: z.int().min(0).max(10).default(2),
      include_hidden: z.boolean().default(false),
      file_glob: z.string().optional(),
      respect_gitignore: z.boolean().default(true),
      max_entries: z.int().min(1).max(5_000).default(500),
    }),
  output,
  render: (result, args) => [...listLines(result, args.file_glob !== undefined), ...notes(result, args)].join("\n"),
  async run(args, context) {
    const { paths, config, entries: look } = context;
    const real = await paths.existing(args.path), shown = paths.display(real);
    const { mtimeMs } = await requireDirectory(real, shown, look);
    if (args.depth === 0) {
      const itself = { ...describeEntry(real, "", "dir", look), mtimeMs };
      return toResult(shown, { ...NOTHING, entries: [itself] }, null);
    }
    const request: TreeRequest = {
      look,
      depth: args.depth,
      maxEntries: args.max_entries,
      includeHidden: args.include_hidden,
      respectIgnore: args.respect_gitignore,
      closed: config.protectedPaths,
      filter: args.file_glob === undefined ? null : pathTest(args.file_glob),
    };
    const root = walkRoot(real, request);
    const { tree, used } = await listWithin(root, request, context);
    const fault = tree.omitted.find(({ path }) => path === "")?.fault ?? null;
    if (fault !== null) throw new OpsError("PERMISSION_DENIED", `'${shown}' cannot be listed: ${fault}`);
    return toResult(shown, tree, tree.truncated ? keepAll(root, used, shown, context) : null);
  },
});

const NOTHING: Tree = {
  entries: [],
  omitted: [],
  unopened: 0,
  truncated: false,
  hidden: 0,
  ignored: 0,
  firstHidden: [],
  firstIgnored: [],
  seen: [],
};

/** The tree, with the names that the runtime does not show, and with fewer entries when they cost too much. */
async function listWithin(
  root: WalkDirectory,
  request: TreeRequest,
  context: ToolContext,
): Promise<{ tree: Tree; used: TreeRequest }> {
  const { search, config, signal } = context;
  const tree = await listTree(root, request, signal);
  if (request.extra === undefined) {
    // A tree that is cut is large: its top is looked at, the rest would take as long as the whole walk.
    const seen = tree.truncated ? tree.seen.slice(0, 1) : tree.seen;
    const extra = await search.raw.among(root.path || "/", seen, signal);
    if (extra.size > 0) return await listWithin(root, { ...request, extra }, context);
  }
  const maxTokens = bodyTokens(config);
  if (tree.entries.length * USUAL_TOKENS <= maxTokens) return { tree, used: request };
  const tokens = estimateTokens(listLines(toResult("", tree, null), request.filter !== null).join("\n"));
  if (tokens <= maxTokens) return { tree, used: request };
  const maxEntries = Math.max(1, Math.floor(tree.entries.length * 0.9 * maxTokens / tokens));
  return { tree: await listTree(root, { ...request, maxEntries }, signal), used: request };
}

/** Every path of the same listing, one on a line, behind a handle that is filled while the answer is on its way. */
function keepAll(
  root: WalkDirectory,
  request: TreeRequest,
  shown: string,
  { handles, owner }: ToolContext,
): string {
  const answered = sleep(ANSWER_FIRST_MS);
  const walk = () => listAll(root, { ...request, maxEntries: MAX_KEPT }, AbortSignal.timeout(MAX_WALK_MS));
  const walking = answered.then(() => walks.pass(walk, AbortSignal.timeout(MAX_WAIT_MS)));
  const payload = walking.then(({ paths, complete }) => {
    const lines = paths.map((path) => showWire(wirePath(path)));
    return [...lines, ...(complete ? [] : [metaLine(`the first ${MAX_KEPT} entries`)])].join("\n");
  });
  return handles.promise({ kind: "list", owner, meta: { path: shown } }, payload);
}

function toResult(shown: string, tree: Tree, handle: string | null): Result {
  const { omitted, unopened, truncated, hidden, ignored } = tree;
  const base = shown === "." || shown === "" ? "" : shown.endsWith("/") ? shown : `${shown}/`;
  const pathOf = (below: string) => below === "" ? shown : base + wirePath(below);
  return {
    path: shown,
    entries: tree.entries.map((one) => toEntry(one, pathOf(one.path))),
    truncated,
    handle,
    omitted: omitted.filter(({ count }) => count > 0).map(({ path, count }) => ({ path: pathOf(path), count })),
    unreadable: omitted.flatMap(({ path, fault }) => fault === null ? [] : { path: pathOf(path), reason: fault }),
    unopened,
    hidden,
    first_hidden: tree.firstHidden.map(wirePath),
    first_ignored: tree.firstIgnored.map(wirePath),
    ignored,
  };
}

function toEntry({ type, sizeBytes, mtimeMs, target }: TreeEntry, path: string): Result["entries"][number] {
  return {
    path,
    type,
    ...(sizeBytes === undefined ? {} : { size_bytes: sizeBytes }),
    ...(mtimeMs === undefined ? {} : { mtime_iso: new Date(mtimeMs).toISOString() }),
    ...(target === undefined ? {} : { symlink_target: wireName(target) }),
  };
}

function wirePath(below: string): string {
  return below.isWellFormed() ? below : below.split("/").map(wireName).join("/");
}

function listLines({ path, entries, omitted, unreadable }: Result, isFlat: boolean): string[] {
  const base = path === "." || path === "" ? 0 : path.endsWith("/") ? path.length : path.length + 1;
  const below = entries.map((one) => ({ ...one, path: one.path === path ? one.path : one.path.slice(base) }));
  if (isFlat) return pathLines(below);
  const relative = (full: string) => full === path ? "" : full.slice(base);
  return treeLines(below, [
    ...omitted.map((one) => ({ ...one, path: relative(one.path) })),
    ...unreadable.map((one) => ({ ...one, path: relative(one.path), count: 0 })),
  ]);
}

/** The line below the list, where there is something to say. */
function notes(
  { path, entries, handle, truncated, unopened, hidden, ignored, first_hidden, first_ignored }: Result,
  args: { file_glob?: string | undefined },
): string[] {
  const named = (count: number, kind: string, names: readonly string[]) =>
    count > 0 && `${count} ${kind} (${names.map(showWire).join(", ")}${count > names.length ? ", …" : ""})`;
  const left = [named(hidden, "hidden", first_hidden), named(ignored, "ignored", first_ignored)].filter((part) => part)
    .join(
      ", ",
    );
  const none = args.file_glob === undefined ? `${path} is empty` : `no file matches ${args.file_glob} in ${path}`;
  const parts = [
    entries.length === 0 && none,
    truncated && `${entries.length} entries of ${path} shown`,
    unopened > 0 && `${unopened} directories not opened`,
    left !== "" && `${left} left out`,
    handle !== null && restAt(handle),
  ];
  return parts.some((part) => part) ? [metaLine(...parts)] : [];
}
