/** Generates the `server.json` of a release for the MCP registry. @module */
import { sha256 } from "../project.ts";
import { PRODUCT } from "./product.ts";
import { type Repository, serverName } from "./repository.ts";

/** How a client starts what is in the bundle. */
const HOW_TO_START = {
  transport: { type: "stdio" },
  packageArguments: [
    { type: "positional", value: "stdio" },
    {
      type: "positional",
      valueHint: "root",
      description: "A folder that tools may touch; nothing outside of the folders named here can be read or written.",
      format: "filepath",
      isRequired: true,
      isRepeated: true,
    },
  ],
} as const;

/** Writes the file and returns its path. @param bundles Paths of the .mcpb files. */
export async function makeServerJson(
  repository: Repository,
  bundles: readonly string[],
  outDir: string,
): Promise<string> {
  const { url } = repository, { title, summary, version } = PRODUCT;
  const packages = await Promise.all(bundles.map(async (path) => ({
    registryType: "mcpb",
    identifier: `${url}/releases/download/v${version}/${path.slice(path.lastIndexOf("/") + 1)}`,
    version,
    fileSha256: await sha256(await Deno.readFile(path)),
    ...HOW_TO_START,
  })));
  const document = {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: serverName(repository),
    title,
    description: summary,
    repository: { url, source: "github" },
    version,
    packages,
  };
  const output = `${outDir}/server.json`;
  await Deno.writeTextFile(output, `${JSON.stringify(document, null, 2)}\n`);
  return output;
}
