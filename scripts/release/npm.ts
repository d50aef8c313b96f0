/** Builds the npm package: a launcher and the executable for every architecture that was built. @module */
import { ROOT } from "../project.ts";
import type { Built } from "./built.ts";
import type { Common } from "./common_files.ts";
import { layOut, tarGz } from "./packed_file.ts";
import { ARCHS, PRODUCT } from "./product.ts";
import { findRepository, serverName } from "./repository.ts";

/** Makes `llmc-mcp-VERSION.tgz`, in the form of `npm pack`, and returns its path. */
export async function makeNpmPackage(builds: readonly Built[], { notices }: Common): Promise<string> {
  const [first] = builds;
  if (first === undefined) throw new Error("nothing was built");
  const { workDir, outDir, time } = first;
  const output = `${outDir}/${PRODUCT.name}-${PRODUCT.version}.tgz`;
  await layOut(`${workDir}/npm/package`, [
    { path: "package.json", content: await packageJson(builds) },
    { path: "README.md", content: { from: `${ROOT}/packaging/npm/README.md` } },
    { path: "LICENSE", content: { from: `${ROOT}/LICENSE` } },
    { path: "THIRD_PARTY_NOTICES", content: notices },
    { path: "bin/llmc-mcp", content: { from: `${ROOT}/packaging/npm/launcher.sh` }, mode: 0o755 },
    ...builds.map(({ arch, binary }) => ({
      path: `lib/linux-${ARCHS[arch].npm}/llmc-mcp`,
      content: { from: binary },
      mode: 0o755,
    })),
  ], time);
  await tarGz(output, `${workDir}/npm`, ["package"], time);
  return output;
}

async function packageJson(builds: readonly Built[]): Promise<string> {
  const repository = await findRepository();
  const manifest = {
    name: PRODUCT.name,
    version: PRODUCT.version,
    description: PRODUCT.summary,
    keywords: PRODUCT.keywords,
    license: PRODUCT.license,
    author: PRODUCT.authors,
    ...repository === null
      ? {}
      : { repository: { type: "git", url: `git+${repository.url}.git` }, mcpName: serverName(repository) },
    bin: { [PRODUCT.name]: "bin/llmc-mcp" },
    files: ["bin", "lib", "THIRD_PARTY_NOTICES"],
    os: ["linux"],
    cpu: builds.map(({ arch }) => ARCHS[arch].npm),
    libc: ["glibc"],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
