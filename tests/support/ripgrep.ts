/** The ripgrep that tests search with: that of this machine, or the vendored one put where the product puts it. @module */
import { makeAssets } from "../../src/sys/assets.ts";
import { binaryCacheDir } from "../../src/sys/extract.ts";
import { findRipgrep } from "../../src/sys/find_ripgrep.ts";

/** Absolute path of a ripgrep. @throws Error when there is none; install ripgrep, or run: deno task vendor */
export async function testRipgrep(): Promise<string> {
  const found = await findRipgrep({
    searchPath: ["/usr/local/bin", "/usr/bin"],
    assets: makeAssets(),
    cacheDir: binaryCacheDir(Deno.env.get("HOME") ?? "/tmp", Deno.env.get("XDG_CACHE_HOME")),
  });
  if (found.path === null) throw new Error(found.reason);
  return found.path;
}
