/** Calls tools with generated paths, and compares with what the kernel opens for each path. @module */
import type { PathFuzzResult } from "../../scripts/reports/security.ts";
import { makeRandom, type Random } from "../../tests/support/random.ts";
import { fuzzPath, type FuzzTree, INSIDE, makeFuzzTree } from "./fuzz_paths.ts";
import { type ServerCommand, startStdio, type StdioServer, type ToolReply } from "./stdio_server.ts";

/** How much. */
export interface PathFuzzOptions {
  readonly count: number;
  readonly seed: number;
  /** Starts the server over a root; it must have no home of its own but the given one. */
  command(root: string, home: string): ServerCommand;
  /** Stops early, with what was done by then. */
  readonly limitMs?: number;
}

const IN_FLIGHT = 32;
const KNOWN_ERRORS =
  /^(INVALID_PATH|NOT_FOUND|NOT_A_DIRECTORY|IS_DIRECTORY|PERMISSION_DENIED|INVALID_ARGUMENT|NOT_TEXT):/;

/** Runs the fuzz in a folder that it makes and removes. */
export async function fuzzPaths(
  { count, seed, command, limitMs = Infinity }: PathFuzzOptions,
): Promise<PathFuzzResult> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmc-paths-" }));
  try {
    const tree = await makeFuzzTree(dir), random = makeRandom(seed);
    const before = await snapshot(dir, tree);
    const found = { paths: 0, read: 0, refused: 0, escapes: [], wrong: [], broken: [] };
    await using server = await startStdio(command(tree.root, tree.home));
    const untilMs = performance.now() + limitMs;
    const worker = async () => {
      while (found.paths < count && performance.now() < untilMs) {
        found.paths++;
        await tryPath(server, tree, random, found);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
    const after = await snapshot(dir, tree);
    return after === before ? found : { ...found, escapes: [...found.escapes, `outside changed: ${after}`] };
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

interface Found {
  read: number;
  refused: number;
  readonly escapes: string[];
  readonly wrong: string[];
  readonly broken: string[];
}

async function tryPath(server: StdioServer, tree: FuzzTree, random: Random, found: Found): Promise<void> {
  const path = fuzzPath(random, tree), kind = random.below(10);
  const [name, args] = kind < 7
    ? ["linux_fs_read", { path }]
    : kind === 7
    ? ["linux_fs_list", { path, depth: 1, include_hidden: true }]
    : kind === 8
    ? ["linux_fs_stat", { path }]
    : ["linux_fs_write", { path: `${path}/new-${random.below(1e9)}`, content: "planted", mode: "create" }];
  const shown = JSON.stringify(path.slice(0, 400));
  const answer = await server.call(name, args).catch((error) => String(error));
  if (typeof answer === "string") return void found.broken.push(`${name} ${shown}: ${answer}`);
  if (holdsOutside(answer, tree)) found.escapes.push(`${name} ${shown}: ${answer.text.slice(0, 300)}`);
  if (answer.isError && !KNOWN_ERRORS.test(answer.text)) {
    found.broken.push(`${name} ${shown}: ${answer.text.slice(0, 300)}`);
  }
  if (kind < 7) judgeRead(path, shown, answer, tree, found);
}

/** Text of an outside file, a name that only the outside has, or the size of a canary file, which no inside file has. */
function holdsOutside({ text, structured }: ToolReply, { canary }: FuzzTree): boolean {
  const all = text + JSON.stringify(structured ?? null);
  return all.includes(canary) || /^(secret|root-evil\/?|id)$/m.test(text) ||
    all.includes(`"size_bytes":${canary.length},`);
}

function judgeRead(path: string, shown: string, answer: ToolReply, tree: FuzzTree, found: Found): void {
  const expected = openedByKernel(path, tree);
  if (answer.isError) found.refused++;
  else found.read++;
  if (expected !== null && answer.isError) found.wrong.push(`refused ${shown}: ${answer.text.slice(0, 200)}`);
  else if (expected !== null && !answer.text.startsWith(expected)) found.wrong.push(`another file for ${shown}`);
  else if (expected === null && !answer.isError) {
    found.wrong.push(`an answer for ${shown}: ${answer.text.slice(0, 200)}`);
  }
}

/** Text of the file in the root that a path opens, when the kernel is asked without any confinement; else null. */
function openedByKernel(path: string, { root, home }: FuzzTree): string | null {
  if (path.includes("\0")) return null;
  const expanded = path === "~" ? home : path.startsWith("~/") ? `${home}/${path.slice(2)}` : path;
  // `..` takes back a name, as in an address; it does not follow a link and go up from there.
  const names: string[] = [];
  for (const name of (expanded.startsWith("/") ? expanded : `${root}/${expanded}`).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  try {
    const full = `/${names.join("/")}`;
    // Half of a pair stands for a byte that is no UTF-8; no name in the tree has one. /proc is closed to tools.
    if (!full.isWellFormed() || full.startsWith("/proc/")) return null;
    if (!Deno.statSync(full).isFile) return null;
    const text = Deno.readTextFileSync(full);
    return text.startsWith(INSIDE) ? text : null;
  } catch {
    return null;
  }
}

/** Everything outside of the root, with its contents. */
async function snapshot(dir: string, { root }: FuzzTree): Promise<string> {
  const seen: string[] = [];
  const visit = async (folder: string) => {
    for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
      const path = `${folder}/${name}`;
      if (path === root || path === `${dir}/state`) continue;
      seen.push(isFile ? `${path}=${await Deno.readTextFile(path)}` : path);
      if (isDirectory) await visit(path);
    }
  };
  await visit(dir);
  return seen.sort().join("\n");
}
