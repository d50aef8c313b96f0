/** Selects a ripgrep: a system one that is new enough, or the embedded one. @module */
import { sleep } from "../../core/time.ts";
import type { Assets } from "../assets.ts";
import { extractBinary } from "../extract.ts";

/** The chosen program, or why there is none. */
export type Ripgrep =
  | { readonly path: string; readonly version: string; readonly source: "path" | "embedded" }
  | { readonly path: null; readonly reason: string };

/** Where to look. */
export interface RipgrepPlaces {
  /** Folders in which programs are looked for, in this order. */
  readonly searchPath: readonly string[];
  /** Whether a program found there may be used; a program inside an allowed root could be rewritten by a tool. */
  readonly accepts?: (realPath: string) => boolean;
  readonly assets: Assets;
  /** Where the embedded program is put, see {@link extractBinary}. */
  readonly cacheDir: string;
}

/** Older versions lack options that the search relies on. */
const OLDEST_MAJOR = 13;

/** Finds ripgrep and asks it for its version. Never throws: a missing search program is a state to report. */
export async function findRipgrep(places: RipgrepPlaces): Promise<Ripgrep> {
  for (const path of installed(places)) {
    const version = await ripgrepVersion(path);
    if (version !== null && Number.parseInt(version) >= OLDEST_MAJOR) return { path, version, source: "path" };
  }
  return await embedded(places);
}

/** Real paths of programs named rg. */
function* installed({ searchPath, accepts = () => true }: RipgrepPlaces): Generator<string> {
  for (const dir of searchPath) {
    if (!dir.startsWith("/")) continue; // a relative folder means something else wherever the server starts
    try {
      const path = Deno.realPathSync(`${dir}/rg`);
      if (accepts(path)) yield path;
    } catch {
      // not here: the next folder may have it
    }
  }
}

async function embedded({ assets, cacheDir }: RipgrepPlaces): Promise<Ripgrep> {
  try {
    const path = await extractBinary(assets, "rg", cacheDir);
    if (path === null) return { path: null, reason: "no rg is installed, and this build carries none" };
    const version = await ripgrepVersion(path);
    if (version !== null) return { path, version, source: "embedded" };
    return {
      path: null,
      reason: `the embedded rg does not start from ${cacheDir}; is that file system mounted noexec?`,
    };
  } catch (error) {
    return {
      path: null,
      reason: `the embedded rg cannot be put on disk: ${error instanceof Error ? error.message : error}`,
    };
  }
}

/** What the system says of a file that some process has open for writing. */
const BUSY = /os error 26\b/;
const BUSY_TRIES = 40, BUSY_PAUSE_MS = 25;

/** Version such as "15.0.0"; null when the file does not run or is something else. */
async function ripgrepVersion(path: string): Promise<string | null> {
  for (let tries = 1;; tries++) {
    try {
      return await askVersion(path);
    } catch (error) {
      // A file that was written just now stays open in a child that another thread forked meanwhile, until that is exchanged.
      if (!BUSY.test(String(error)) || tries === BUSY_TRIES) return null;
      await sleep(BUSY_PAUSE_MS);
    }
  }
}

/** @throws whatever the system says when it cannot be started */
async function askVersion(path: string): Promise<string | null> {
  const command = new Deno.Command(path, {
    args: ["--version"],
    stdin: "null",
    stderr: "null",
    clearEnv: true,
    env: {},
  });
  const { stdout } = await command.output();
  return new TextDecoder().decode(stdout).match(/^ripgrep (\d+\.\d+\.\d+)/)?.[1] ?? null;
}
