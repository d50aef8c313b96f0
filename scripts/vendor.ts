/**
 * Fetches the files that the executable embeds (ripgrep, grammars, QuickJS) from npm packages into assets/, each checked
 * against the hash in vendor.lock.json. Does nothing when they exist.
 * @module
 */
import type { AssetInfo } from "../src/sys/pack.ts";
import { packageDirs } from "./npm_package.ts";
import { exists, print, ROOT, sha256 } from "./project.ts";
import lock from "./vendor.lock.json" with { type: "json" };

/** Processor architectures that the product is built for, as Deno calls them. */
export type Arch = typeof Deno.build.arch;

interface LockedAsset {
  readonly asset: string;
  /** Absent when the file is the same everywhere. */
  readonly arch?: string;
  readonly package: string;
  readonly file: string;
  readonly size_bytes: number;
  readonly sha256: string;
}

/** Folder that the sources read their assets from. */
export const ASSETS = `${ROOT}/assets`;

const MANIFEST = "manifest.json";

/**
 * Fills `dir` with the assets for one architecture.
 *
 * @returns whether anything had to be written.
 * @throws Error when a package has other bytes than those that were pinned.
 */
export async function vendor(dir: string = ASSETS, arch: Arch = Deno.build.arch): Promise<boolean> {
  const locked: LockedAsset[] = lock.assets.filter((entry: LockedAsset) =>
    entry.arch === undefined || entry.arch === arch
  );
  const manifest = JSON.stringify(manifestOf(locked), null, 2) + "\n";
  if (await isComplete(dir, manifest, locked)) return false;
  const missing: LockedAsset[] = [];
  for (const entry of locked) {
    if (!await isPinned(`${dir}/${entry.asset}`, entry)) missing.push(entry);
  }
  const packages = await packageDirs(missing.map((entry) => entry.package));
  for (const entry of missing) {
    const from = `${packages.get(entry.package)}/${entry.file}`;
    if (!await isPinned(from, entry)) {
      throw new Error(`${entry.package}: ${entry.file} is not the file that was pinned`);
    }
    await place(`${dir}/${entry.asset}`, await Deno.readFile(from));
  }
  await place(`${dir}/${MANIFEST}`, new TextEncoder().encode(manifest));
  return true;
}

function manifestOf(locked: readonly LockedAsset[]): Record<string, AssetInfo> {
  const entries = locked.map((entry) => [entry.asset, { sha256: entry.sha256, sizeBytes: entry.size_bytes }]);
  return Object.fromEntries(entries);
}

/** The quick look: the manifest is written last, so sizes are enough behind it. */
async function isComplete(dir: string, manifest: string, locked: readonly LockedAsset[]): Promise<boolean> {
  const path = `${dir}/${MANIFEST}`;
  if (!await exists(path) || await Deno.readTextFile(path) !== manifest) return false;
  const sizes = locked.map(async (entry) => await sizeOf(`${dir}/${entry.asset}`) === entry.size_bytes);
  return (await Promise.all(sizes)).every(Boolean);
}

async function sizeOf(path: string): Promise<number | undefined> {
  return await exists(path) ? (await Deno.stat(path)).size : undefined;
}

async function isPinned(path: string, entry: LockedAsset): Promise<boolean> {
  return await sizeOf(path) === entry.size_bytes && await sha256(await Deno.readFile(path)) === entry.sha256;
}

/** Writes beside the target and renames, so that a program that reads the assets never sees half a file. */
async function place(path: string, bytes: Uint8Array): Promise<void> {
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  const temporary = `${path}.${crypto.randomUUID()}`;
  await Deno.writeFile(temporary, bytes, { createNew: true, mode: 0o644 });
  await Deno.rename(temporary, path);
}

if (import.meta.main) {
  const changed = await vendor();
  print(changed ? "assets: brought up to date" : "assets: complete");
}
