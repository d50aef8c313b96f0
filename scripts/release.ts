/**
 * `deno task release [--publish]`: builds the executable for every architecture whose runtime can be had and makes all
 * packages of it in dist/release/. Equal sources give equal packages. `--publish`: ends at once when nobody has said where
 * the release will be.
 * @module
 */
import { build } from "./build.ts";
import { exists, print, ROOT, sha256 } from "./project.ts";
import type { Built } from "./release/built.ts";
import { type Common, commonFiles } from "./release/common_files.ts";
import { makeDeb } from "./release/deb.ts";
import { makeBundle } from "./release/mcpb.ts";
import { makeNpmPackage } from "./release/npm.ts";
import { ARCHS, baseName, PRODUCT, RELEASE_DIR } from "./release/product.ts";
import { findRepository, type Repository } from "./release/repository.ts";
import { makeServerJson } from "./release/server_json.ts";
import { sourceDate } from "./release/source_date.ts";
import { makeTarball } from "./release/tarball.ts";
import type { Arch } from "./vendor.ts";

const WORK_DIR = `${ROOT}/dist/release-work`;

/** Builds for this machine first: that executable tells the help for all packages. */
async function buildAll(time: number): Promise<Built[]> {
  const builds: Built[] = [];
  const others = Object.keys(ARCHS).filter((arch): arch is Arch => arch !== Deno.build.arch);
  for (const arch of [Deno.build.arch, ...others]) {
    const own = arch === Deno.build.arch;
    try {
      const binary = await build(own ? {} : { target: ARCHS[arch].target });
      builds.push({ arch, binary, workDir: `${WORK_DIR}/${arch}`, outDir: RELEASE_DIR, time });
    } catch (error) {
      if (own) throw error;
      print(`release: none for ${arch}: ${error instanceof Error ? error.message.trim() : error}`);
    }
  }
  return builds;
}

/** Every package of one architecture; the paths of what was made. */
async function packageOne(built: Built, runnable: string): Promise<{ common: Common; bundle: string }> {
  const common = await commonFiles(built.arch, runnable, await sha256(await Deno.readFile(built.binary)), built.time);
  await Deno.writeTextFile(`${RELEASE_DIR}/${baseName(built.arch)}.cdx.json`, common.sbom);
  // The first two wait for programs that compress, the third keeps this thread busy.
  const [, , bundle] = await Promise.all([
    makeTarball(built, common),
    makeDeb(built, common),
    makeBundle(built, common),
  ]);
  return { common, bundle };
}

/** The list that `sha256sum --check` reads. */
async function writeSums(): Promise<string[]> {
  const names = (await Array.fromAsync(Deno.readDir(RELEASE_DIR))).map(({ name }) => name).sort();
  const lines = await Promise.all(
    names.map(async (name) => `${await sha256(await Deno.readFile(`${RELEASE_DIR}/${name}`))}  ${name}`),
  );
  await Deno.writeTextFile(`${RELEASE_DIR}/SHA256SUMS`, `${lines.join("\n")}\n`);
  return [...names, "SHA256SUMS"];
}

async function release(repository: Repository | null): Promise<void> {
  for (const dir of [RELEASE_DIR, WORK_DIR]) {
    if (await exists(dir)) await Deno.remove(dir, { recursive: true });
    await Deno.mkdir(dir, { recursive: true });
  }
  const builds = await buildAll(await sourceDate());
  const [own] = builds;
  if (own === undefined) throw new Error("nothing was built");
  const packaged = [];
  for (const built of builds) packaged.push(await packageOne(built, own.binary));
  const [first] = packaged;
  if (first !== undefined) await makeNpmPackage(builds, first.common);
  if (repository !== null) await makeServerJson(repository, packaged.map(({ bundle }) => bundle), RELEASE_DIR);
  await Deno.remove(WORK_DIR, { recursive: true });
  print(`${PRODUCT.name} ${PRODUCT.version} in dist/release/:`);
  for (const name of await writeSums()) {
    const { size } = await Deno.stat(`${RELEASE_DIR}/${name}`);
    print(`${(size / 1e6).toFixed(2).padStart(8)} MB  ${name}`);
  }
  if (repository === null) print(`release: without server.json, which says where the release is: ${UNKNOWN_PLACE}`);
}

const UNKNOWN_PLACE = "set GITHUB_REPOSITORY=owner/name, or a remote 'origin' on GitHub";

if (import.meta.main) {
  const started = performance.now();
  const repository = await findRepository();
  if (Deno.args.includes("--publish") && repository === null) {
    print(`release: cannot be published: ${UNKNOWN_PLACE}`);
    Deno.exit(1);
  }
  await release(repository);
  print(`release: ${((performance.now() - started) / 1000).toFixed(0)} s`);
}
