/**
 * `deno task snapshots [--check]`: writes every tool's interface as a client sees it to tests/snapshots/tools.json, so
 * that a change appears in the diff of a commit.
 * @module
 */
import { leanSchema, toolFace } from "../src/server/mcp/face.ts";
import { tools } from "../src/tools/catalog.ts";
import { print, ROOT } from "./project.ts";

const PATH = `${ROOT}/tests/snapshots/tools.json`;

/** The text of the snapshot. */
export function snapshotTools(): string {
  const faces = tools.map((tool) => ({
    ...toolFace(tool, "underscore"),
    toolset: tool.toolset,
    aliases: tool.aliases ?? [],
    // What `POST /tool` and the command line answer with, whether a client is told or not.
    result: leanSchema(tool.output, "output"),
  }));
  return `${JSON.stringify(faces, null, 1)}\n`;
}

if (import.meta.main) {
  const wanted = snapshotTools();
  const found = await Deno.readTextFile(PATH).catch(() => "");
  if (found !== wanted && Deno.args.includes("--check")) {
    print("tests/snapshots/tools.json is out of date: deno task snapshots");
    Deno.exit(1);
  }
  if (found !== wanted) await Deno.writeTextFile(PATH, wanted);
  print(found === wanted ? "tests/snapshots/tools.json is up to date" : "wrote tests/snapshots/tools.json");
}
