/** The ripgrep for tests: this machine's own, or the vendored one unpacked into artifacts/. @module */
import { fileURLToPath } from "node:url";
import { makeAssets } from "../../src/sys/assets.ts";
import { findRipgrep } from "../../src/sys/search/find_ripgrep.ts";

/** Absolute path of a ripgrep. @throws Error when there is none; install ripgrep, or run: deno task vendor */
export async function testRipgrep(): Promise<string> {
  const found = await findRipgrep({
    searchPath: ["/usr/local/bin", "/usr/bin"],
    assets: makeAssets(),
    cacheDir: fileURLToPath(new URL("../../artifacts/bin", import.meta.url)),
  });
  if (found.path === null) throw new Error(found.reason);
  return found.path;
}
