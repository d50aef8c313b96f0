/** Generates hostile paths, and a tree in which each of them could resolve to something. @module */
import type { Random } from "../../tests/support/random.ts";

/** A tree with everything that a path can stumble over. */
export interface FuzzTree {
  readonly root: string;
  readonly home: string;
  /** Text in every file outside of the root. */
  readonly canary: string;
  /** Paths in the root that lead to files, by whatever links. */
  readonly paths: readonly string[];
  /** Names that exist in it, as segments. */
  readonly names: readonly string[];
}

/** Text in every file in the root, before its number. */
export const INSIDE = "inside-";

/** Names that are legal on Linux and that some program somewhere takes for something else. */
const ODD_NAMES = [
  "a b",
  "a\nb",
  "a\tb",
  "-rf",
  "--help",
  "…",
  "..a",
  "a..",
  "...",
  "a\\b",
  "..\\",
  "%2e%2e",
  "%2f",
  "%00",
  "~",
  "~root",
  "$HOME",
  "`id`",
  "*",
  "?",
  "[a]",
  "{a,b}",
  "a:b",
  "file:",
  "CON",
  "'",
  '"',
  "\u00e9", // é in one character
  "e\u0301", // é in two: another name
  "\u202e",
  "\u200b",
  "\ufeff",
  "\uff0e\uff0e", // full-width dots
  "\u2025", // two dots in one character
  "\u2215", // a slash that is none
  "\u{1f600}",
  "\x7f",
  "\x1b[31m",
  "n".repeat(255),
  "é".repeat(127),
];

/** Makes the tree below a folder that holds nothing else. */
export async function makeFuzzTree(dir: string): Promise<FuzzTree> {
  const canary = `canary${crypto.randomUUID().replaceAll("-", "")}`;
  const root = `${dir}/root`, home = `${dir}/home`;
  let count = 0;
  const paths = [
    "in-file",
    "in-dir/f",
    "in-dir/sub/deep/f",
    "in-absolute",
    "in-out-in/f",
    "dir/up/f",
    "dir/sub/upup/d/a",
  ];
  const inside = (path: string) => {
    paths.push(path);
    return Deno.writeTextFile(`${root}/${path}`, `${INSIDE}${count++}`);
  };
  const outside = async (path: string) => {
    const full = `${dir}/${path}`;
    await Deno.mkdir(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(full, canary);
  };
  for (const path of ["secret", "f", "a", "root-evil/f", "ROOT/f", "roo/f", "rootf", "outside/f", "outside/dir/f"]) {
    await outside(path);
  }
  for (const path of ["f", "a", ".ssh/id", "~/f"]) await outside(`home/${path}`);
  for (const name of ["dir", "dir/sub", "dir/sub/deep", "d"]) await Deno.mkdir(`${root}/${name}`, { recursive: true });
  for (const path of ["f", "a", "dir/f", "dir/sub/f", "dir/sub/deep/f", "d/f", "d/a"]) await inside(path);
  for (const name of ODD_NAMES) {
    await inside(name);
    await inside(`dir/${name}`);
  }
  const links: [string, string][] = [
    ["in-file", "f"],
    ["in-dir", "dir"],
    ["in-absolute", `${root}/dir/f`],
    ["in-round", "dir/../d/../dir/sub/f"],
    ["in-out-in", `../${root.split("/").at(-1)}/dir`],
    ["dir/up", ".."],
    ["dir/sub/upup", "../.."],
    ["out-file", "../secret"],
    ["out-dir", "../outside"],
    ["out-absolute", `${dir}/outside`],
    ["out-home", home],
    ["out-root", "/"],
    ["out-etc", "/etc"],
    ["out-proc", "/proc/self/root"],
    ["out-cwd", "/proc/self/cwd"],
    ["out-parent", ".."],
    ["out-evil", "../root-evil/f"],
    ["dangling", "nowhere"],
    ["dangling-out", "../nowhere"],
    ["loop", "loop"],
    ["loop-a", "loop-b"],
    ["loop-b", "loop-a"],
    ["chain-1", "chain-2"],
    ["chain-2", "chain-3/f"],
    ["chain-3", "out-dir"],
  ];
  for (const [name, target] of links) await Deno.symlink(target, `${root}/${name}`);
  await new Deno.Command("mkfifo", { args: [`${root}/fifo`] }).output();
  const plain = ["f", "a", "d", "dir", "sub", "deep", "up", "upup", "fifo", "missing"];
  return {
    root,
    home,
    canary,
    paths,
    names: [...plain, ...links.map(([name]) => name.split("/").at(-1) ?? ""), ...ODD_NAMES],
  };
}

const SEPARATORS = ["/", "/", "/", "/", "//", "/./", "///", "/../", "\\"];
const TAILS = ["", "", "", "", "/", "//", "/.", "/..", "\0", "\n", " ", ".", "\\", "?x", "#x", "::$DATA"];

/** One path: names, dots and tricks, joined in every way, below a beginning of every kind. */
export function fuzzPath(random: Random, tree: FuzzTree): string {
  const { root, home } = tree;
  const parent = root.slice(0, root.lastIndexOf("/"));
  const beginnings = ["", "", "", "./", "../", "/", `${root}/`, `${root}/`, `${root}/../`, root, `${root}x/`];
  const rare = [
    "~/",
    "~",
    "~root/",
    `${root}-evil/`,
    `${parent}/ROOT/`,
    `${root.toUpperCase()}/`,
    `${parent}/`,
    `${home}/`,
    "/proc/self/root/",
    `/proc/self/root${root}/`,
    "/proc/self/cwd/",
    "/proc/self/environ",
    `/proc/${Deno.pid}/root/`,
    "/proc/thread-self/root/",
    "/proc/self/fd/",
    "/dev/fd/0",
    "/dev/stdin",
    "/sys/kernel/",
    "/etc/passwd",
    "file://",
    `file://${root}/`,
    `//${root}/`,
    `/.${root}/`,
    `${root}/%2e%2e/`,
    `${root}\0/`,
    " ",
    "\ufeff",
    "C:\\",
    "\\\\?\\",
  ];
  if (random.chance(0.4)) return decorate(random, tree);
  let path = random.chance(0.25) ? random.pick(rare) : random.pick(beginnings);
  const count = random.chance(0.02) ? 40 + random.below(1_200) : random.below(6);
  for (let index = 0; index < count; index++) {
    path += (index > 0 ? random.pick(SEPARATORS) : "") + segment(random, tree);
  }
  path += random.pick(TAILS);
  return random.chance(0.1) ? mutate(random, path) : path;
}

/** A path that means a file in the root, with steps that come to nothing. */
function decorate(random: Random, { root, paths, names }: FuzzTree): string {
  const parts = random.pick(paths).split("/");
  const steps = parts.flatMap((part, index) => [
    ...random.chance(0.2) ? [random.pick([".", "", "./."])] : [],
    ...random.chance(0.2) ? [random.pick(names), ".."] : [],
    ...random.chance(0.05) && index > 0 ? ["..", parts[index - 1] ?? ""] : [],
    part,
  ]);
  const beginnings = [
    "",
    "",
    "./",
    `${root}/`,
    `${root}//`,
    `../${root.split("/").at(-1)}/`,
    "../../../../../../../..",
    "//",
  ];
  const path = `${random.pick(beginnings)}${steps.join("/")}`;
  return random.chance(0.05) ? mutate(random, path) : path;
}

function segment(random: Random, { names, root }: FuzzTree): string {
  const choice = random.below(20);
  if (choice < 11) return random.pick(names);
  if (choice < 15) return "..";
  if (choice === 15) return random.pick([".", "", "...", ".. ", " ..", "..\0", "%2e%2e", "%252e", "\uff0e\uff0e"]);
  if (choice === 16) return root.split("/").at(-1) ?? "";
  if (choice === 17) return "x".repeat(random.pick([1, 254, 255, 256, 1_000, 4_096]));
  if (choice === 18) return random.pick(names).normalize(random.pick(["NFC", "NFD", "NFKC", "NFKD"]));
  return anyText(random);
}

/** Text of any characters, halves of pairs among them. */
function anyText(random: Random): string {
  const length = random.below(8), ranges = [0x20, 0x7f, 0x100, 0x3000, 0xd800, 0xe000, 0xfff0];
  const codes = Array.from({ length }, () => random.pick(ranges) + random.below(0x60));
  return String.fromCharCode(...codes);
}

/** Changes, doubles, drops or swaps a character. */
function mutate(random: Random, path: string): string {
  const at = random.below(path.length + 1), rest = path.slice(at);
  const inserted = random.pick(["/", ".", "..", "\0", "~", "\\", "\u0000\u0001", "\u2024", "\ud83d", "%", "//"]);
  return random.pick([
    path.slice(0, at) + inserted + rest,
    path.slice(0, at) + rest.slice(1),
    path + rest,
    path.repeat(2),
  ]);
}
