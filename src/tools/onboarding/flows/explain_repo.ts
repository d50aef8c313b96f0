/** Flow `explain_repo`: what a repository contains, how it is built, where to start reading. @module */
import { isInside } from "../../../core/path.ts";
import { OpsError } from "../../../core/error.ts";
import { showName } from "../../../core/escape_name.ts";
import type { Bootload } from "../../../code_search/index.ts";
import { requireDirectory } from "../../../sys/files/entry_info.ts";
import { readText } from "../../../sys/files/read_text.ts";
import { readDirectory, type WalkEntry, walkRoot } from "../../../sys/files/walk.ts";
import { checkPolicy } from "../../../call/policy.ts";
import type { ToolContext } from "../../../call/tool.ts";
import { fsList } from "../../fs/list.ts";
import { BUILD_FILES } from "../build_files.ts";
import type { Flow, FlowStep } from "../flow.ts";
import { countLanguages, isProse } from "../languages.ts";

const SHOWN_NAMES = 40, SHOWN_LANGUAGES = 6, SHOWN_COMMANDS = 12, SHOWN_MODULES = 8, SHOWN_FILES = 5;
/** Of a build file or a guide, this much is read. */
const MAX_TEXT_BYTES = 64 * 1024;
/** Written for those who are new. */
const GUIDE = /^(?:readme|agents|contributing|contracts|claude|architecture|hacking|development)(?:\.[a-z]+)?$/i;

/** See the module. */
export const explainRepo: Flow = {
  name: "explain_repo",
  title: "Explain repository",
  about: "Describes a repository: languages, build commands, modules, entry points, latest commits, where to start.",
  takesPath: true,
  async run({ path = "." }, context) {
    checkPolicy(fsList, context.config.settings);
    const real = await context.paths.existing(path), shown = context.paths.display(real);
    await requireDirectory(real, shown);
    const entries = await listTop(real, shown, context);
    const [languages, commands, title, known] = await Promise.all([
      countFiles(real, context),
      findCommands(real, entries, context),
      readTitle(real, entries, context),
      askIndex(real, context),
    ]);
    const guides = entries.filter(({ name, type }) => type === "file" && GUIDE.test(name)).map(({ name }) =>
      showName(name)
    );
    const steps = [
      { description: `Listed ${shown}`, result: describeTop(entries) },
      { description: "Counted files by language", result: languages.text },
      { description: "Read build files", result: commands },
      {
        description: "Looked for guides",
        result: [guides.join(", ") || "none", title].filter((part) => part).join("; "),
      },
      ...known.steps,
    ];
    const start = [...guides.slice(0, 2), ...known.entryPoints.slice(0, 2)].join(", ");
    const kind = languages.main === null ? "No source code" : `Mostly ${languages.main}`;
    return {
      steps,
      summary: `${kind}, ${languages.files} files. ${
        start ? `Start with ${start}.` : "There is no guide to start with."
      }`,
    };
  },
};

async function listTop(real: string, shown: string, { config }: ToolContext): Promise<readonly WalkEntry[]> {
  const options = { includeHidden: false, respectIgnore: true, closed: config.protectedPaths };
  const { entries, fault } = await readDirectory(walkRoot(real, options), options);
  if (fault !== null) throw new OpsError("PERMISSION_DENIED", `'${shown}' cannot be listed: ${fault}`);
  return entries;
}

function describeTop(entries: readonly WalkEntry[]): string {
  const names = entries.map(({ name, type }) => showName(name) + (type === "dir" ? "/" : ""));
  return list(names, SHOWN_NAMES, " ") || "nothing that is not hidden or ignored";
}

/** Files that are neither hidden nor ignored, by language. */
async function countFiles(root: string, { search, signal }: ToolContext) {
  const { paths, complete } = await search.files(
    { root, pattern: "", includeHidden: false, includeIgnored: false },
    signal,
  );
  const counts = countLanguages(paths);
  const main = counts.find(([name]) => !isProse(name))?.[0] ?? null;
  const names = counts.slice(0, SHOWN_LANGUAGES).map(([name, files]) => `${name} ${files}`).join(", ");
  const files = `${paths.length}${complete ? "" : "+"}`;
  return { main, files, text: `${files} files${names && `: ${names}`}` };
}

/** Commands by build file, as they would be typed. */
async function findCommands(root: string, entries: readonly WalkEntry[], context: ToolContext): Promise<string> {
  const there = new Set(entries.filter(({ type }) => type === "file").map(({ name }) => name));
  const found = BUILD_FILES.filter(({ name }) => there.has(name));
  const parts = await Promise.all(found.map(async ({ name, runner, commands }) => {
    const names = commands(await readOwn(root, name, context));
    return names.length === 0 ? name : `${name} (${runner} ${list(names, SHOWN_COMMANDS, "|")})`;
  }));
  return parts.join(", ") || "none at the top";
}

/** First heading of the README. */
async function readTitle(root: string, entries: readonly WalkEntry[], context: ToolContext): Promise<string> {
  const readme = entries.find(({ name, type }) => type === "file" && /^readme(?:\.|$)/i.test(name));
  if (!readme) return "";
  const line = (await readOwn(root, readme.name, context)).match(/^#*[ \t]*([^\s#<![=-].*)$/m)?.[1] ?? "";
  return line && `README: ${line.slice(0, 120)}`;
}

/** Text of a file directly in the repository; empty for what is no text, links included that lead out of the roots. */
async function readOwn(root: string, name: string, { paths, signal }: ToolContext): Promise<string> {
  try {
    const real = await paths.existing(`${root}/${name}`);
    return (await readText(real, name, MAX_TEXT_BYTES, signal)).text ?? "";
  } catch (error) {
    if (error instanceof OpsError) return ""; // it says nothing then; the flow goes on
    throw error;
  }
}

/** What the code index knows, when this repository is in it. */
async function askIndex(
  real: string,
  { index, session }: ToolContext,
): Promise<{ steps: FlowStep[]; entryPoints: readonly string[] }> {
  const asked = index.status().then(async (roots) => {
    const isIndexed = roots.some(({ root }) => isInside(real, root) || isInside(root, real));
    return isIndexed ? await index.bootload(session.sessionId, "explain_repo") : null;
  });
  const known = await asked.catch((error: unknown) => {
    if (error instanceof OpsError) return error;
    throw error;
  });
  if (known === null || known instanceof OpsError) {
    const result = known === null ? "this folder is not indexed" : known.message;
    return { steps: [{ description: "Asked the code index", result }], entryPoints: [] };
  }
  return { steps: describeIndex(known), entryPoints: known.entry_points };
}

function describeIndex({ modules, entry_points, hot_files, last_commits }: Bootload): FlowStep[] {
  const about = modules.slice(0, SHOWN_MODULES).map(({ path, about }) => about ? `${path} (${about})` : path);
  return [
    { description: "Asked the code index for modules", result: about.join(", ") || "none" },
    { description: "Found entry points", result: list(entry_points, SHOWN_FILES, ", ") || "none" },
    { description: "Found the files that others lean on", result: list(hot_files, SHOWN_FILES, ", ") || "none" },
    { description: "Read the latest commits", result: list(last_commits, SHOWN_FILES, "; ") || "none" },
  ];
}

/** The first of some words, and how many more there are. */
function list(words: readonly string[], most: number, separator: string): string {
  const shown = words.slice(0, most).join(separator);
  return words.length > most ? `${shown}${separator}… ${words.length - most} more` : shown;
}
