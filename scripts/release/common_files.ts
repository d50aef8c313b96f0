/** Files that every package of one architecture contains beside the executable. @module */
import { ROOT } from "../project.ts";
import type { Arch } from "../vendor.ts";
import { allComponents } from "./components.ts";
import { type Completions, type HelpPage, readCompletions, readHelp } from "./help_pages.ts";
import { renderManPage } from "./man_page.ts";
import { renderNotices } from "./notices.ts";
import type { PackedFile } from "./packed_file.ts";
import { renderSbom } from "./sbom.ts";

/** Texts for one architecture. */
export interface Common {
  readonly notices: string;
  readonly sbom: string;
  readonly manPage: string;
  readonly completions: Completions;
  /** Documents by their path from the top of the project, so that links between them hold. */
  readonly documents: readonly PackedFile[];
}

/**
 * Gathers them.
 *
 * @param runnable The executable for this machine: it tells its help for all.
 * @param sha256 Of the executable for `arch`.
 */
export async function commonFiles(arch: Arch, runnable: string, sha256: string, time: number): Promise<Common> {
  const components = await allComponents(arch);
  const help: HelpPage[] = await readHelp(runnable);
  return {
    notices: renderNotices(components),
    sbom: renderSbom(components, sha256, time),
    manPage: renderManPage(help, time),
    completions: await readCompletions(runnable),
    documents: await documents(),
  };
}

const TOP = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "llmc.toml"];
const FOLDERS = ["docs", "deploy", "schemas"];

/** Pictures are left out: they are for the web. */
async function documents(): Promise<PackedFile[]> {
  const paths: string[] = [...TOP];
  const visit = async (folder: string) => {
    for await (const { name, isDirectory } of Deno.readDir(`${ROOT}/${folder}`)) {
      if (isDirectory && name !== "images" && name !== "coverage") await visit(`${folder}/${name}`);
      else if (!isDirectory) paths.push(`${folder}/${name}`);
    }
  };
  for (const folder of FOLDERS) await visit(folder);
  return paths.sort().map((path) => ({ path, content: { from: `${ROOT}/${path}` } }));
}
