/**
 * Finds a `denort`, the bare runtime that `deno compile` puts in front of a program, where Deno's own download cannot be
 * reached: a published program that somebody else compiled begins with the same runtime. It is cut out and used only
 * when its hash is that of Deno's release, which vendor.lock.json pins.
 * @module
 */
import { packageDirs } from "./npm_package.ts";
import { exists, ROOT, sha256 } from "./project.ts";
import lock from "./vendor.lock.json" with { type: "json" };

/**
 * Path of a runtime for this version of Deno, kept below .deno/.
 *
 * @param arch Of the program to be made.
 * @throws Error when no source is pinned for this version and architecture, or when its bytes differ.
 */
export async function denortFromNpm(arch: string): Promise<string> {
  const version = Deno.version.deno;
  const pinned = lock.denort.find((entry) => entry.deno === version && entry.arch === arch);
  if (pinned === undefined) {
    throw new Error(`no denort of Deno ${version} for ${arch} is pinned in scripts/vendor.lock.json`);
  }
  const path = `${ROOT}/.deno/denort-${version}-${arch}`;
  if (await exists(path) && (await Deno.stat(path)).size === pinned.size_bytes) return path;
  const dirs = await packageDirs([pinned.package]);
  const file = `${dirs.get(pinned.package)}/${pinned.file}`;
  const runtime = (await Deno.readFile(file)).slice(0, pinned.size_bytes);
  if (await sha256(runtime) !== pinned.sha256) {
    throw new Error(`${pinned.package}: its runtime is not the one that was pinned`);
  }
  await Deno.mkdir(`${ROOT}/.deno`, { recursive: true });
  const temporary = `${path}.${crypto.randomUUID()}`;
  await Deno.writeFile(temporary, runtime, { mode: 0o755 });
  await Deno.rename(temporary, path);
  return path;
}
