/** Summarises a repository for the start of a session, in under 600 tokens. @module */
import { type Database } from "../sys/database.ts";
import { estimateTokens } from "../core/tokens.ts";
import type { IndexFiles } from "../sys/files/index_files.ts";
import { type Guides, readGuides } from "./guides.ts";
import { makeImportResolver } from "./imports.ts";
import type { Bootload, CodeScope, IndexState } from "./index.ts";
import type { IndexReader } from "./index_reader.ts";
import { lastCommits } from "./last_commits.ts";

/** What it is made from. */
export interface BootloadDeps {
  readonly sessionId: string;
  readonly taskId: string;
  /** Real path; undefined when there is no folder at all. */
  readonly root: string | undefined;
  /** What its paths begin with in the index: empty when it is the indexed folder itself. */
  readonly start?: string;
  readonly reader: IndexReader | undefined;
  readonly index: IndexState;
  readonly files: IndexFiles;
}

/** Tokens of the whole, as JSON. */
const MOST_BOOTLOAD_TOKENS = 590;
const MOST_COMMITS = 5, MOST_MODULES = 10, MOST_ENTRY_POINTS = 6, MOST_HOT_FILES = 6, MOST_RULES = 8, MOST_NAMES = 4;

const ENTRY =
  /(?:^|\/)(?:main\.(?:ts|js|mjs|py|go|rs|c|cc|cpp|java|kt|swift|dart)|__main__\.py|manage\.py|wsgi\.py|app\.(?:py|ts|js|rb)|server\.(?:ts|js|py|go)|cli\.(?:ts|js|py)|index\.(?:ts|js|tsx)|lib\.rs|mod\.ts|Program\.cs|config\.ru|index\.php)$/i;
/** More telling names of entry points come first. */
const REAL_ENTRY = /(?:^|\/)(?:main\.|__main__|manage\.py|cli\.|server\.|app\.|Program\.cs)/i;

interface IndexedPath {
  readonly id: number;
  readonly path: string;
  readonly language: string;
  readonly kind: string;
  readonly isTest: boolean;
  readonly about: string;
}

interface Outline {
  readonly entryPoints: readonly string[];
  readonly modules: readonly { path: string; about: string }[];
  readonly hotFiles: readonly string[];
  readonly scope: CodeScope;
}

const EMPTY_OUTLINE: Outline = { entryPoints: [], modules: [], hotFiles: [], scope: "both" };
const depthOf = (path: string): number => path.split("/").length;

function readPaths({ prepare }: Database, start: string): IndexedPath[] {
  const rows = prepare("select id, path, language, kind, test, about from files where chunks > 0").all();
  return rows.filter((row) => String(row.path).startsWith(start)).map((row) => ({
    id: Number(row.id),
    path: String(row.path).slice(start.length),
    language: String(row.language),
    kind: String(row.kind),
    isTest: row.test === 1,
    about: String(row.about),
  }));
}

function findEntryPoints(code: readonly IndexedPath[]): string[] {
  return code.filter(({ path, isTest }) => !isTest && ENTRY.test(path)).map(({ path }) => path)
    .sort((a, b) =>
      Number(REAL_ENTRY.test(b)) - Number(REAL_ENTRY.test(a)) || depthOf(a) - depthOf(b) || (a < b ? -1 : 1)
    )
    .filter((path) => depthOf(path) <= 4).slice(0, MOST_ENTRY_POINTS);
}

/** Folders at the top; one that holds more than half of the sources is shown by its own folders. */
function findModules(files: readonly IndexedPath[], imports: Imports): { path: string; about: string }[] {
  const group = (prefix: string): Map<string, IndexedPath[]> => {
    const folders = new Map<string, IndexedPath[]>();
    for (const file of files) {
      if (!file.path.startsWith(prefix)) continue;
      const rest = file.path.slice(prefix.length), slash = rest.indexOf("/");
      if (slash < 0) continue;
      const folder = prefix + rest.slice(0, slash);
      const known = folders.get(folder);
      if (known === undefined) folders.set(folder, [file]);
      else known.push(file);
    }
    return folders;
  };
  const isSource = ({ kind, isTest }: IndexedPath) => kind === "code" && !isTest;
  const sources = files.filter(isSource).length;
  const folders = group("");
  for (const [folder, inner] of [...folders]) {
    const below = group(`${folder}/`);
    if (inner.filter(isSource).length <= sources / 2 || below.size < 2) continue;
    folders.delete(folder);
    for (const [name, list] of below) folders.set(name, list);
  }
  return [...folders].filter(([, list]) => list.some(({ kind }) => kind !== "data"))
    .sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1)).slice(0, MOST_MODULES)
    .map(([path, list]) => ({ path: `${path}/`, about: describeFolder(path, list, imports) }));
}

function describeFolder(folder: string, list: readonly IndexedPath[], imports: Imports): string {
  const speaks = list.filter(({ about, kind }) => about !== "" && kind === "code");
  const head = speaks.find(({ path }) =>
    /^(?:index|mod|__init__|lib|main|doc|package-info)\.\w+$/.test(path.slice(folder.length + 1))
  );
  const readme = list.find(({ path }) => /^readme\.\w+$/i.test(path.slice(folder.length + 1)));
  const said = head?.about ?? readme?.about ?? (list.length === 1 ? speaks[0]?.about : undefined) ?? "";
  const languages = new Map<string, number>();
  for (const { language } of list) languages.set(language, (languages.get(language) ?? 0) + 1);
  const [main] = [...languages].sort((a, b) => b[1] - a[1]);
  const count = `${list.length} ${main?.[0] ?? ""} ${list.length === 1 ? "file" : "files"}`;
  if (said !== "") return `${said.length > 80 ? `${said.slice(0, 79)}…` : said} (${list.length} files)`;
  return `${count}: ${mainNames(folder, list, imports).join(", ")}`;
}

/** What is in a folder that says nothing of itself: its largest folders, then the files that most others import. */
function mainNames(folder: string, list: readonly IndexedPath[], imports: Imports): string[] {
  const below = Map.groupBy(list, ({ path }) => path.slice(folder.length + 1).split("/")[0] ?? "");
  const weight = (inner: readonly IndexedPath[]) => {
    const isFolder = inner.length > 1;
    return [Number(isFolder), isFolder ? inner.length : imports.get(inner[0]?.path ?? "") ?? 0] as const;
  };
  return [...below].map(([name, inner]) => ({ name, inner, weight: weight(inner) }))
    .sort((a, b) => b.weight[0] - a.weight[0] || b.weight[1] - a.weight[1] || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_NAMES).map(({ name, inner }) => inner.length > 1 ? `${name}/` : name);
}

/** How many files import a file, by its path. */
type Imports = ReadonlyMap<string, number>;

function countImports({ prepare }: Database, files: readonly IndexedPath[]): Imports {
  const resolve = makeImportResolver(files.map(({ path }) => path));
  const byId = new Map(files.map((file) => [file.id, file]));
  const counts = new Map<string, number>();
  for (const row of prepare("select file_id, target from imports").iterate()) {
    const from = byId.get(Number(row.file_id));
    if (from === undefined || from.isTest) continue;
    const target = resolve(from.path, String(row.target));
    if (target !== undefined && target !== from.path) counts.set(target, (counts.get(target) ?? 0) + 1);
  }
  return counts;
}

/** Files that most others import. */
function findHotFiles(imports: Imports): string[] {
  return [...imports].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_HOT_FILES).map(([path, count]) => `${path} (${count})`);
}

function readOutline(index: Database, start: string): Outline {
  const files = readPaths(index, start), code = files.filter(({ kind }) => kind === "code");
  const imports = countImports(index, files);
  const docs = files.filter(({ kind }) => kind === "docs").length;
  return {
    entryPoints: findEntryPoints(code),
    modules: findModules(files, imports),
    hotFiles: findHotFiles(imports),
    scope: code.length === 0 ? "docs" : docs > code.length ? "both" : "repo",
  };
}

function planOf({ names, commands }: Guides, hasCode: boolean, hasIndex: boolean): string {
  const rules = names.filter((name) => !/^readme/i.test(name));
  const steps = [
    rules.length > 0 ? `Follow ${rules.join(" and ")}.` : "",
    hasIndex
      ? "Ask rag_search first, then read the lines it names."
      : hasCode
      ? "Search with linux_search_content."
      : "",
    commands.length > 0 ? `Check changes with: ${commands.join("; ")}.` : "",
  ].filter((step) => step !== "");
  return steps.length > 0
    ? steps.join(" ")
    : "The folder is empty: nothing to follow yet, create files with linux_fs_write.";
}

/** Leaves out the least useful things until the whole is short enough. */
function shrink(full: Bootload): Bootload {
  const steps: ((now: Bootload) => Bootload)[] = [
    (now) => ({ ...now, hot_files: now.hot_files.slice(0, 4), last_commits: now.last_commits.slice(0, 4) }),
    (now) => ({ ...now, modules: now.modules.slice(0, 7) }),
    (now) => ({ ...now, notes: cutWords(now.notes, 120) }),
    (now) => ({ ...now, modules: now.modules.slice(0, 5), entry_points: now.entry_points.slice(0, 3) }),
    (now) => ({ ...now, hot_files: now.hot_files.slice(0, 2), last_commits: now.last_commits.slice(0, 2) }),
    (now) => ({ ...now, notes: cutWords(now.notes, 60), plan: cutWords(now.plan, 60) }),
    (now) => ({ ...now, modules: [], hot_files: [], entry_points: now.entry_points.slice(0, 1), last_commits: [] }),
    (now) => ({ ...now, session_id: now.session_id.slice(0, 40), task_id: now.task_id.slice(0, 40) }),
  ];
  let now = full;
  for (const step of steps) {
    if (estimateTokens(JSON.stringify(now)) <= MOST_BOOTLOAD_TOKENS) return now;
    now = step(now);
  }
  return now;
}

function cutWords(text: string, mostTokens: number): string {
  let shown = text;
  while (estimateTokens(shown) > mostTokens) shown = shown.slice(0, Math.floor(shown.length * 0.85)).trimEnd();
  return shown === text ? text : `${shown}…`;
}

/** Puts it together; what cannot be read is left out. */
export function makeBootload({ sessionId, taskId, root, start = "", reader, index, files }: BootloadDeps): Bootload {
  const guides: Guides = root === undefined
    ? { names: [], about: "", rules: [], commands: [] }
    : readGuides(files, root);
  const outline = reader?.read((database) => readOutline(database, start)) ?? EMPTY_OUTLINE;
  const hasFiles = root !== undefined && files.names(root).some((name) => !name.startsWith("."));
  const notes = [guides.about, ...guides.rules.slice(0, MOST_RULES)].filter((note) => note !== "");
  return shrink({
    session_id: sessionId,
    task_id: taskId,
    plan: planOf(guides, hasFiles, index.files > 0),
    scope: outline.scope,
    notes: notes.join("\n") ||
      (root === undefined ? "No folder is allowed yet: set mcp.tools.allowed_roots." : "No guide found."),
    entry_points: outline.entryPoints,
    modules: outline.modules,
    hot_files: outline.hotFiles,
    last_commits: root === undefined ? [] : lastCommits(files, root, MOST_COMMITS),
    index,
  });
}
