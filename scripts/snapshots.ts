/**
 * `deno task snapshots [--check]`: writes every tool's interface as a client sees it, and the short list, to
 * tests/snapshots/, so that a change appears in the diff of a commit.
 * @module
 */
import { makeCatalog } from "../src/call/catalog.ts";
import { leanSchema } from "../src/call/lean_schema.ts";
import { settingsSchema } from "../src/config/schema.ts";
import { toolFace } from "../src/server/mcp/face.ts";
import { tools } from "../src/tools/catalog.ts";
import { print, ROOT } from "./project.ts";

const FOLDER = `${ROOT}/tests/snapshots`;

/** The texts of the snapshots by file name. */
export function snapshotTools(): Readonly<Record<string, string>> {
  const faces = tools.map((tool) => ({
    ...toolFace(tool, "underscore"),
    toolset: tool.toolset,
    aliases: tool.aliases ?? [],
    // What `POST /tool` and the command line answer with, whether a client is told or not.
    result: leanSchema(tool.output, "output"),
  }));
  const settings = settingsSchema.parse({});
  const short = makeCatalog(tools, () => settings).shortList(new Set()).map((tool) => toolFace(tool, "underscore"));
  return { "tools.json": textOf(faces), "short_list.json": textOf(short) };
}

function textOf(faces: readonly object[]): string {
  return `${JSON.stringify(faces, null, 1)}\n`;
}

if (import.meta.main) {
  for (const [name, wanted] of Object.entries(snapshotTools())) {
    const path = `${FOLDER}/${name}`, found = await Deno.readTextFile(path).catch(() => "");
    if (found !== wanted && Deno.args.includes("--check")) {
      print(`tests/snapshots/${name} is out of date: deno task snapshots`);
      Deno.exit(1);
    }
    if (found !== wanted) await Deno.writeTextFile(path, wanted);
    print(found === wanted ? `tests/snapshots/${name} is up to date` : `wrote tests/snapshots/${name}`);
  }
}
