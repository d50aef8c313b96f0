/** Builds the plain archive, which runs where it is unpacked. @module */
import { baseName, PRODUCT } from "./product.ts";
import type { Common } from "./common_files.ts";
import { layOut, type PackedFile, tarGz } from "./packed_file.ts";
import type { Built } from "./built.ts";

/** Makes `llmc-mcp-VERSION-linux-ARCH.tar.gz` and returns its path. */
export async function makeTarball({ arch, binary, workDir, outDir, time }: Built, common: Common): Promise<string> {
  const top = baseName(arch), output = `${outDir}/${top}.tar.gz`;
  await layOut(`${workDir}/tar/${top}`, [
    { path: PRODUCT.name, content: { from: binary }, mode: 0o755 },
    ...common.documents,
    { path: "THIRD_PARTY_NOTICES", content: common.notices },
    { path: "sbom.cdx.json", content: common.sbom },
    { path: "share/man/man1/llmc-mcp.1", content: common.manPage },
    ...completionFiles(common),
  ], time);
  await tarGz(output, `${workDir}/tar`, [top], time);
  return output;
}

function completionFiles({ completions: { bash, zsh, fish } }: Common): PackedFile[] {
  return [
    ...bash === undefined ? [] : [{ path: "share/completions/llmc-mcp.bash", content: bash }],
    ...zsh === undefined ? [] : [{ path: "share/completions/_llmc-mcp", content: zsh }],
    ...fish === undefined ? [] : [{ path: "share/completions/llmc-mcp.fish", content: fish }],
  ];
}
