/**
 * `deno task test-packages [PATH…]`: makes the release when it is old, then installs and runs every package where its
 * users would. Needs root and Debian's archive.
 * @module
 */
import { debianBase } from "./debian_base.ts";
import { print, ROOT } from "./project.ts";
import { RELEASE_DIR } from "./release/product.ts";
import { releaseIfOld } from "./release_if_old.ts";
import { closingLine, readCounts } from "./test_counts.ts";

/** A hanging run is ended, so that it can be looked at. */
const RUN_TIMEOUT_MS = 25 * 60_000;
async function main(paths: readonly string[]): Promise<number> {
  if (Deno.uid() !== 0) {
    print("test-packages: needs root, to make a Debian system and to mount in it");
    return 1;
  }
  const base = await debianBase();
  await releaseIfOld();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", ...paths.length > 0 ? paths : ["tests/packages"]],
    cwd: ROOT,
    env: { LLMC_DEBIAN_BASE: base, LLMC_RELEASE_DIR: RELEASE_DIR, LLMC_BIN: `${ROOT}/dist/llmc-mcp` },
    stdin: "null",
    stdout: "piped",
    signal: AbortSignal.timeout(RUN_TIMEOUT_MS),
  }).spawn();
  let output = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += text;
    print(text.replace(/\n$/, ""));
  }
  const { success } = await child.status;
  const counts = readCounts(output);
  const final = success || counts.failed > 0 ? counts : { ...counts, failed: 1 };
  print(closingLine(final));
  return final.failed > 0 || final.passed === 0 ? 1 : 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
