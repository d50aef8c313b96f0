/** File trees for searches: 5,000 files of published packages, and 100,000 small ones. @module */
import { CACHE, installTree } from "../peers/install.ts";

/** A tree to search in, with a word that is in five files and one that is in hundreds of lines. */
export interface SearchTree {
  readonly root: string;
  readonly rare: string;
  readonly common: string;
}

const FILES = 5_000;
const RARE = "marigoldenrod", COMMON = "TypeError";
const TEXT = /\.(?:[cm]?js|[cm]?ts|json|md)$/;

/** The same files on every machine, because the packages are fixed. */
export async function searchTree(): Promise<SearchTree> {
  const tree = { root: `${await cacheFolder()}/search-tree`, rare: RARE, common: COMMON };
  if (await isThere(`${tree.root}/.done`)) return tree;
  const packages = await installTree();
  const paths = (await textFiles(packages, "")).sort();
  await Deno.remove(tree.root, { recursive: true }).catch(() => {});
  for (let index = 0; index < FILES; index++) {
    const path = paths[Math.floor(index * paths.length / FILES)];
    if (path === undefined) throw new Error(`there are only ${paths.length} files to search in`);
    const target = `${tree.root}/packages/${path}`;
    await Deno.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
    await Deno.copyFile(`${packages}/${path}`, target);
    const planted = `\n// the ${RARE} of file ${index}\n`;
    if (index % 1_000 === 500) await Deno.writeTextFile(target, planted, { append: true });
  }
  // A checkout of its own: ignore rules of a folder above do not reach into it.
  await Deno.mkdir(`${tree.root}/.git`);
  await Deno.writeTextFile(`${tree.root}/.done`, "");
  return tree;
}

/** Servers compare real paths with what they are asked for. */
async function cacheFolder(): Promise<string> {
  await Deno.mkdir(CACHE, { recursive: true });
  return await Deno.realPath(CACHE);
}

async function textFiles(top: string, below: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory, isFile } of Deno.readDir(`${top}/${below}`)) {
    const path = below === "" ? name : `${below}/${name}`;
    if (isDirectory && name !== ".bin") found.push(...await textFiles(top, path));
    else if (isFile && TEXT.test(name)) found.push(path);
  }
  return found;
}

/** A tree of 100,000 files in 2,040 folders. */
export async function walkTree(): Promise<string> {
  const root = `${await cacheFolder()}/walk-tree`;
  if (await isThere(`${root}/.done`)) return root;
  await Deno.remove(root, { recursive: true }).catch(() => {});
  for (let part = 0; part < 40; part++) {
    for (let group = 0; group < 50; group++) {
      const folder = `${root}/part_${part}/group_${group}`;
      await Deno.mkdir(folder, { recursive: true });
      const files = Array.from({ length: 50 }, (_, file) => Deno.writeTextFile(`${folder}/file_${file}.txt`, "x\n"));
      await Promise.all(files);
    }
  }
  await Deno.writeTextFile(`${root}/.done`, "");
  return root;
}

function isThere(path: string): Promise<boolean> {
  return Deno.stat(path).then(() => true, () => false);
}
