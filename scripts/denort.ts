/**
 * Finds a `denort`, the bare runtime that `deno compile` puts in front of a program, where Deno's own download cannot be
 * reached: a published program that somebody else compiled begins with the same runtime. It is cut out and used only
 * when its hash is that of Deno's release, which vendor.lock.json pins.
 * @module
 */
import { packageDirs } from "./npm_package.ts";
import { exists, ROOT, sha256 } from "./project.ts";
import lock from "./vendor.lock.json" with { type: "json" };

interface Pinned {
  readonly package: string;
  readonly file: string;
  readonly size_bytes: number;
  readonly sha256: string;
}

function pinnedFor(arch: string): Pinned | undefined {
  return lock.denort.find((entry) => entry.deno === Deno.version.deno && entry.arch === arch);
}

function placeFor(arch: string): string {
  return `${ROOT}/.deno/denort-${Deno.version.deno}-${arch}`;
}

/** Path of the runtime that an earlier build brought; undefined when none did. */
export async function denortAtHand(arch: string): Promise<string | undefined> {
  const path = placeFor(arch), pinned = pinnedFor(arch);
  if (pinned === undefined || !await exists(path)) return undefined;
  return (await Deno.stat(path)).size === pinned.size_bytes ? path : undefined;
}

/**
 * Brings a runtime for this version of Deno below .deno/ and returns its path.
 *
 * @param arch Of the program to be made.
 * @throws Error when no source is pinned for this version and architecture, or when its bytes differ.
 */
export async function denortFromNpm(arch: string): Promise<string> {
  const path = placeFor(arch), pinned = pinnedFor(arch);
  if (pinned === undefined) {
    throw new Error(`no denort of Deno ${Deno.version.deno} for ${arch} is pinned in scripts/vendor.lock.json`);
  }
  const dirs = await packageDirs([pinned.package]);
  const program = await Deno.readFile(`${dirs.get(pinned.package)}/${pinned.file}`);
  const runtime = program.slice(0, pinned.size_bytes);
  if (await sha256(runtime) !== pinned.sha256) throw new Error(`${pinned.package}: its runtime is not the pinned one`);
  await Deno.mkdir(`${ROOT}/.deno`, { recursive: true });
  const temporary = `${path}.${crypto.randomUUID()}`;
  await Deno.writeFile(temporary, runtime, { mode: 0o755 });
  await Deno.rename(temporary, path);
  return path;
}
