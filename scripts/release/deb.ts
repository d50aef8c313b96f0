/** Builds the Debian package: executable, service, configuration, manual page. Uses none of Debian's tools. @module */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { ROOT } from "../project.ts";
import { ar } from "./ar.ts";
import type { Built } from "./built.ts";
import type { Common } from "./common_files.ts";
import { layOut, type PackedFile, tarGz } from "./packed_file.ts";
import { ARCHS, PRODUCT } from "./product.ts";

const SOURCE = `${ROOT}/packaging/deb`;
const DOC = "usr/share/doc/llmc-mcp";
const CONFFILES = ["etc/llmc/llmc.toml"];

/** Makes `llmc-mcp_VERSION_ARCH.deb` and returns its path. */
export async function makeDeb({ arch, binary, workDir, outDir, time }: Built, common: Common): Promise<string> {
  const data = `${workDir}/deb/data`, control = `${workDir}/deb/control`;
  const files = [
    { path: "usr/bin/llmc-mcp", content: { from: binary }, mode: 0o755 },
    ...await systemFiles(common, time),
  ];
  await layOut(data, files, time);
  await layOut(control, await controlFiles(ARCHS[arch].deb, data, files), time);
  await tarGz(`${workDir}/deb/data.tar.gz`, data, ["."], time);
  await tarGz(`${workDir}/deb/control.tar.gz`, control, ["."], time);
  const output = `${outDir}/${PRODUCT.name}_${PRODUCT.version}_${ARCHS[arch].deb}.deb`;
  const member = async (name: string) => ({ name, bytes: await Deno.readFile(`${workDir}/deb/${name}`) });
  const version = { name: "debian-binary", bytes: new TextEncoder().encode("2.0\n") };
  await Deno.writeFile(output, ar([version, await member("control.tar.gz"), await member("data.tar.gz")], time));
  return output;
}

async function systemFiles(common: Common, time: number): Promise<PackedFile[]> {
  const license = await Deno.readTextFile(`${ROOT}/LICENSE`);
  const { bash, zsh, fish } = common.completions;
  const completion = (path: string, text: string | undefined): PackedFile[] =>
    text === undefined ? [] : [{ path, content: text }];
  return [
    { path: "etc/llmc/llmc.toml", content: { from: `${SOURCE}/llmc.toml` } },
    { path: "usr/lib/systemd/system/llmc-mcp.service", content: { from: `${SOURCE}/llmc-mcp.service` } },
    { path: "usr/lib/sysusers.d/llmc-mcp.conf", content: { from: `${SOURCE}/sysusers.conf` } },
    { path: "usr/share/man/man1/llmc-mcp.1.gz", content: packed(common.manPage) },
    ...completion("usr/share/bash-completion/completions/llmc-mcp", bash),
    ...completion("usr/share/zsh/vendor-completions/_llmc-mcp", zsh),
    ...completion("usr/share/fish/vendor_completions.d/llmc-mcp.fish", fish),
    { path: `${DOC}/copyright`, content: `${license}\nParts by others: THIRD_PARTY_NOTICES.gz beside this file.\n` },
    { path: `${DOC}/THIRD_PARTY_NOTICES.gz`, content: packed(common.notices) },
    { path: `${DOC}/sbom.cdx.json.gz`, content: packed(common.sbom) },
    { path: `${DOC}/changelog.gz`, content: packed(debianChangelog(time)) },
    // They keep their places, because of the links between them.
    ...common.documents.filter(({ path }) => path !== "LICENSE").map((file) => ({
      ...file,
      path: `${DOC}/${file.path}`,
    })),
  ];
}

/** In the form that the system's tools read; the real one is written for people. */
function debianChangelog(time: number): string {
  const date = new Date(time * 1000).toUTCString().replace("GMT", "+0000");
  const change = "  * What changed is in CHANGELOG.md beside this file.";
  const head = `${PRODUCT.name} (${PRODUCT.version}) unstable; urgency=medium`;
  return `${head}\n\n${change}\n\n -- ${PRODUCT.authors} <${PRODUCT.email}>  ${date}\n`;
}

function packed(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(text, { level: 9 }));
}

async function controlFiles(arch: string, data: string, files: readonly PackedFile[]): Promise<PackedFile[]> {
  let sizeBytes = 0;
  const sums: string[] = [];
  for (const { path } of files) {
    const bytes = await Deno.readFile(`${data}/${path}`);
    sizeBytes += bytes.length;
    if (!CONFFILES.includes(path)) sums.push(`${createHash("md5").update(bytes).digest("hex")}  ${path}\n`);
  }
  const script = (name: string) => ({ path: name, content: { from: `${SOURCE}/${name}` }, mode: 0o755 });
  return [
    { path: "control", content: controlText(arch, Math.ceil(sizeBytes / 1024)) },
    { path: "conffiles", content: CONFFILES.map((path) => `/${path}\n`).join("") },
    { path: "md5sums", content: sums.sort().join("") },
    script("postinst"),
    script("prerm"),
    script("postrm"),
  ];
}

function controlText(arch: string, sizeKib: number): string {
  return `Package: ${PRODUCT.name}
Version: ${PRODUCT.version}
Architecture: ${arch}
Maintainer: ${PRODUCT.authors} <${PRODUCT.email}>
Installed-Size: ${sizeKib}
Depends: libc6 (>= 2.27), libgcc-s1
Recommends: bubblewrap, git, ripgrep
Section: devel
Priority: optional
Description: ${PRODUCT.synopsis}
${wrap(PRODUCT.description, 78).map((line) => ` ${line}`).join("\n")}
`;
}

function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}
