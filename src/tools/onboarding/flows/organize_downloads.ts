/** Flow `organize_downloads`: sorts loose files into folders by type, or previews the moves. @module */
import { restAt } from "../../../core/bound.ts";
import { OpsError } from "../../../core/error.ts";
import { showName } from "../../../core/escape_name.ts";
import { requireDirectory } from "../../../sys/files/entry_info.ts";
import { describeEntry } from "../../../sys/files/list_tree.ts";
import { makePacer } from "../../../sys/pacer.ts";
import { readDirectory, walkRoot } from "../../../sys/files/walk.ts";
import type { Changes } from "../../../sys/writer/writer.ts";
import { checkPolicy } from "../../../call/policy.ts";
import type { ToolContext } from "../../../call/tool.ts";
import { fsList } from "../../fs/list.ts";
import { keepRest } from "../../keep_rest.ts";
import { isGroupFolder } from "../file_groups.ts";
import type { Flow, FlowReport, FlowStep } from "../flow.ts";
import { type FolderContent, type Move, type MovePlan, planMoves } from "../plan_moves.ts";

/** A file that changed so lately may still be written. */
const FRESH_MS = 60_000;
/** Clients do not wait for ever: what is left after this is for the next run. */
const MAX_MOVING_MS = 35_000;
/** Moves that are named in the report; more are behind a handle. */
const NAMED_MOVES = 10;

/** See the module. */
export const organizeDownloads: Flow = {
  name: "organize_downloads",
  title: "Organize downloads",
  about: "Sorts the loose files of the downloads folder into folders by type; only plans unless apply is allowed.",
  takesPath: false,
  async run({ apply }, context) {
    const { allow_apply } = context.config.settings.onboarding;
    checkPolicy(fsList, context.config.settings);
    const { real, shown } = await findFolder(context);
    const content = await look(real, shown, context);
    const plan = planMoves(content);
    const steps = [
      { description: `Scanned ${shown}`, result: describeContent(content) },
      { description: "Grouped by type", result: describeGroups(plan) },
      { description: "Left where they are", result: describeStaying(plan) },
      { description: "Looked for names that are taken", result: `${plan.numbered} get a number` },
    ];
    return apply && allow_apply
      ? report(steps, await moveAll(real, plan.moves, context), context)
      : propose(steps, plan, apply, context);
  },
};

async function findFolder({ config, paths }: ToolContext): Promise<{ real: string; shown: string }> {
  const { downloads_dir } = config.settings.onboarding;
  const real = await paths.existing(downloads_dir).catch((error: unknown) => {
    if (!(error instanceof OpsError)) throw error;
    const hint = `${error.hint.replace(/\.?$/, ".")} The folder is set by mcp.onboarding.downloads_dir.`;
    throw new OpsError(error.code, error.message, hint);
  });
  const shown = paths.display(real);
  await requireDirectory(real, shown);
  return { real, shown };
}

/** What is in the folder, and in those that files may go to. */
interface Look extends FolderContent {
  readonly hidden: number;
}

/** Names and ages; links are not followed. */
async function look(real: string, shown: string, { config, entries: facts, signal }: ToolContext): Promise<Look> {
  const closed = config.protectedPaths, options = { includeHidden: false, respectIgnore: false, closed };
  const { entries, hidden, fault } = await readDirectory(walkRoot(real, options), options);
  if (fault !== null) throw new OpsError("PERMISSION_DENIED", `'${shown}' cannot be listed: ${fault}`);
  const pause = makePacer(signal), now = Date.now();
  const files: { name: string; isFresh: boolean }[] = [], inside = new Map<string, ReadonlySet<string>>();
  for (const { name, type } of entries) {
    await pause();
    const path = `${real}/${name}`;
    if (type === "file" && !closed.includes(path)) {
      const { mtimeMs = 0 } = describeEntry(path, name, type, facts);
      files.push({ name, isFresh: mtimeMs <= now && now - mtimeMs < FRESH_MS });
    } else if (type === "dir" && isGroupFolder(name)) {
      const all = { ...options, includeHidden: true };
      inside.set(name, new Set((await readDirectory(walkRoot(path, all), all)).entries.map((entry) => entry.name)));
    }
  }
  const others = entries.filter(({ type }) => type !== "file").map(({ name, type }) => ({
    name,
    isFolder: type === "dir",
  }));
  return { files, others, inside, hidden: hidden.length };
}

function describeContent({ files, others, hidden }: Look): string {
  const folders = others.filter(({ isFolder }) => isFolder).length;
  return [
    count(files.length, "file"),
    count(folders, "folder"),
    count(others.length - folders, "link or device", "links or devices"),
    `${hidden} hidden`,
  ]
    .filter((part) => !part.startsWith("0 ")).join(", ") || "nothing there";
}

function describeGroups({ moves }: MovePlan): string {
  const groups = [...Map.groupBy(moves, ({ folder }) => folder)].sort(([, a], [, b]) => b.length - a.length);
  return groups.map(([folder, its]) => `${folder} ${its.length}`).join(", ") || "no file of a known type";
}

function describeStaying({ staying }: MovePlan): string {
  return [...staying].map(([reason, files]) => `${files} ${reason}`).join(", ") || "no files";
}

function propose(steps: readonly FlowStep[], plan: MovePlan, asked: boolean, context: ToolContext): FlowReport {
  const { moves } = plan, planned = { description: "Planned moves", result: nameMoves(moves, context) };
  const how = asked
    ? "the operator has to set mcp.onboarding.allow_apply = true first"
    : "to move them, call again with options.apply = true";
  const summary = moves.length === 0
    ? "Nothing to organize."
    : `Plan only: ${count(moves.length, "file")} would go into ${count(foldersOf(moves), "folder")}; ${how}.`;
  return { steps: [...steps, planned], summary };
}

/** What came of the moves. */
interface Outcome {
  readonly moved: readonly Move[];
  readonly failed: readonly { readonly from: string; readonly reason: string }[];
  /** Left for the next run, because time was up. */
  readonly left: number;
}

/** Moves file by file, never over anything; what cannot be moved stays and is reported. */
async function moveAll(real: string, moves: readonly Move[], context: ToolContext): Promise<Outcome> {
  const { writer, signal, progress } = context;
  const moved: Move[] = [], failed: { from: string; reason: string }[] = [], endMs = performance.now() + MAX_MOVING_MS;
  await writer.change([real], async (files) => {
    for (const [index, move] of moves.entries()) {
      if (performance.now() > endMs) break;
      signal.throwIfAborted();
      const reason = await moveOne(files, real, move);
      if (reason === null) moved.push(move);
      else failed.push({ from: move.from, reason });
      progress(index + 1, moves.length);
    }
  }, signal);
  return { moved, failed, left: moves.length - moved.length - failed.length };
}

/** Why it could not be moved; null when it was. */
async function moveOne(files: Changes, real: string, { from, folder, name }: Move): Promise<string | null> {
  const done = files.makeDirectories(`${real}/${folder}`)
    .then(() => files.move(`${real}/${from}`, `${real}/${folder}/${name}`));
  return await done.then(() => null, (error: unknown) => {
    if (error instanceof OpsError) return error.message;
    throw error;
  });
}

function report(steps: readonly FlowStep[], { moved, failed, left }: Outcome, context: ToolContext): FlowReport {
  const [first] = failed;
  const trouble = first ? `; ${failed.length} could not be moved, first ${showName(first.from)}: ${first.reason}` : "";
  const rest = left > 0 ? `; ${left} are left for another run` : "";
  return {
    steps: [...steps, { description: "Moved files", result: `${nameMoves(moved, context)}${trouble}${rest}` }],
    summary: `${count(moved.length, "file")} moved into ${count(foldersOf(moved), "folder")}${trouble}${rest}.`,
  };
}

/** The moves by name when they are few, else the first of them and a handle for all. */
function nameMoves(moves: readonly Move[], { handles, owner }: ToolContext): string {
  const lines = moves.map(({ from, folder, name }) => `${showName(from)} → ${showName(`${folder}/${name}`)}`);
  if (lines.length === 0) return "none";
  if (lines.length <= NAMED_MOVES) return lines.join("; ");
  const handle = keepRest(() => handles.put({ kind: "moves", owner, payload: lines.join("\n") }));
  return `${lines.length}: ${lines.slice(0, NAMED_MOVES).join("; ")}; …${handle && ` ${restAt(handle)}`}`;
}

function foldersOf(moves: readonly Move[]): number {
  return new Set(moves.map(({ folder }) => folder)).size;
}

function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}
