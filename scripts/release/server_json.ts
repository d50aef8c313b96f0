/** `server.json` of a release, for the MCP registry: the committed one with version, address and hash filled in. @module */
import { ROOT, sha256 } from "../project.ts";
import { PRODUCT } from "./product.ts";
import { repositoryUrl, serverName } from "./repository.ts";

/** The parts of the committed file that change. */
interface Template {
  readonly packages: readonly Record<string, unknown>[];
  readonly [key: string]: unknown;
}

/** Writes the file and returns its path. @param bundles Paths of the .mcpb files. */
export async function makeServerJson(bundles: readonly string[], outDir: string): Promise<string> {
  const template: Template = JSON.parse(await Deno.readTextFile(`${ROOT}/server.json`));
  const [pattern] = template.packages;
  const url = await repositoryUrl() ?? "https://github.com/OWNER/llmc-mcp";
  const packages = await Promise.all(bundles.map(async (path) => ({
    ...pattern,
    identifier: `${url}/releases/download/v${PRODUCT.version}/${path.slice(path.lastIndexOf("/") + 1)}`,
    version: PRODUCT.version,
    fileSha256: await sha256(await Deno.readFile(path)),
  })));
  const document = {
    ...template,
    name: await serverName(),
    description: PRODUCT.summary,
    repository: { url, source: "github" },
    version: PRODUCT.version,
    packages,
  };
  const output = `${outDir}/server.json`;
  await Deno.writeTextFile(output, `${JSON.stringify(document, null, 2)}\n`);
  return output;
}
