/** Lays out the files of a package with fixed modes and times, and writes reproducible archives. @module */
import { runTool } from "./run_tool.ts";

/** One file of a package. */
export interface PackedFile {
  /** Place in the package, without a slash in front. */
  readonly path: string;
  /** Content, or the file that holds it. */
  readonly content: string | Uint8Array<ArrayBuffer> | { readonly from: string };
  /** Only executables differ from the usual 0644. */
  readonly mode?: number;
}

/** Writes the files below `dir`, which must be empty or absent. @param time Seconds since 1970, of every file. */
export async function layOut(dir: string, files: readonly PackedFile[], time: number): Promise<void> {
  const folders = new Set<string>([dir]);
  for (const { path, content, mode = 0o644 } of files) {
    const target = `${dir}/${path}`;
    for (let folder = parent(target); folder.length > dir.length; folder = parent(folder)) folders.add(folder);
    await Deno.mkdir(parent(target), { recursive: true });
    if (typeof content === "object" && "from" in content) await Deno.copyFile(content.from, target);
    else if (typeof content === "string") await Deno.writeTextFile(target, content);
    else await Deno.writeFile(target, content);
    await Deno.chmod(target, mode);
    await Deno.utime(target, time, time);
  }
  // What the person's umask made of them must not show.
  for (const folder of folders) await Deno.chmod(folder, 0o755);
}

function parent(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** Packs what lies below `dir`: sorted, owned by root, one time. @param names Entries to pack, from `dir`. */
export async function tarGz(output: string, dir: string, names: readonly string[], time: number): Promise<void> {
  const fixed = ["--sort=name", "--format=gnu", `--mtime=@${time}`, "--owner=0", "--group=0", "--numeric-owner"];
  await runTool("tar", [
    "--create",
    ...fixed,
    "--use-compress-program=gzip -6n",
    `--file=${output}`,
    "-C",
    dir,
    ...names,
  ]);
}
