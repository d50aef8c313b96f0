/** A real source tree of more than a thousand files: an npm package that the lock file pins. @module */
import "lodash"; // only what is imported is fetched and has a place on disk

/** Copies the package into a folder; returns how many files it has. */
export async function copyRealTree(target: string): Promise<number> {
  const entry = new URL(import.meta.resolve("lodash"));
  return await copyTree(new URL("./", entry).pathname.replace(/\/$/, ""), target);
}

async function copyTree(from: string, to: string): Promise<number> {
  let files = 0;
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory, isFile } of Deno.readDir(from)) {
    if (isDirectory) files += await copyTree(`${from}/${name}`, `${to}/${name}`);
    if (!isFile) continue;
    await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
    files++;
  }
  return files;
}
