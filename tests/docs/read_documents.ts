/** Takes documents apart: blocks of shell, links, headings. @module */
import { ROOT } from "../../scripts/project.ts";

/** A line of shell that a document tells its reader to type. */
export interface ShownCommand {
  /** Path of the document, from the top. */
  readonly document: string;
  readonly line: number;
  readonly text: string;
}

/** Every Markdown file of the project, from the top. */
export async function listDocuments(folder = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${ROOT}/${folder}`)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (isDirectory && !name.startsWith(".") && !FOREIGN.has(path)) found.push(...await listDocuments(path));
    else if (name.endsWith(".md")) found.push(path);
  }
  return found.sort();
}

/** Not the project's own, or made by it. */
const FOREIGN = new Set(["dist", "assets", "artifacts", "node_modules", "tests"]);

/** Commands in the blocks that are marked as shell, without comments; a line that ends in a backslash goes on. */
export function shellCommands(document: string, text: string): ShownCommand[] {
  const commands: ShownCommand[] = [];
  let inside = false, start = 0, open = "";
  for (const [index, line] of text.split("\n").entries()) {
    if (/^```/.test(line)) {
      inside = !inside && /^```(?:sh|bash|shell)$/.test(line);
      continue;
    }
    if (!inside) continue;
    if (open === "") start = index + 1;
    open += line.replace(/\\$/, "");
    if (line.endsWith("\\")) continue;
    const command = open.replace(/\s+#.*$/, "").trim();
    if (command !== "" && !command.startsWith("#")) commands.push({ document, line: start, text: command });
    open = "";
  }
  return commands;
}

/** The blocks that are marked as one language. */
export function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, marked]) => marked === language)
    .map(([, , content]) => content ?? "");
}

/** Targets of links and pictures, outside of code. */
export function links(text: string): string[] {
  const prose = text.replace(/^```.*?^```/gms, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? "");
}

/** Anchors as the usual hosts make them from headings. */
export function anchors(text: string): Set<string> {
  const headings = text.replace(/^```.*?^```/gms, "").matchAll(/^#+ +(.*)$/gm);
  return new Set(
    Array.from(
      headings,
      ([, title = ""]) => title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-"),
    ),
  );
}
