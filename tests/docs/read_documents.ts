/** Parses documents: shell blocks, links, headings. @module */
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

/**
 * Command lines of this program in running text, unless they hold a placeholder such as `DIR`.
 *
 * @param names The commands; a text that is just the name of one is not an example.
 */
export function inlineCommands(document: string, text: string, names: ReadonlySet<string>): ShownCommand[] {
  const isPlaceholder = (word: string) => /^[A-Z]{2,}$/.test(word) || word.includes("…");
  return outsideBlocks(text).flatMap(([line, prose]) =>
    [...prose.matchAll(/`(llmc-mcp [^`]+)`/g)].flatMap(([, command = ""]) =>
      names.has(command) || command.split(" ").some(isPlaceholder) ? [] : [{ document, line, text: command }]
    )
  );
}

/** What looks like a command in a block that no test would read: `path:line text`. */
export function unmarkedCommands(document: string, text: string): string[] {
  const blocksOf = [...text.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)];
  return blocksOf.filter(([, , marked = ""]) => !/^(?:sh|bash|shell)$/.test(marked)).flatMap(([, , , content = ""]) =>
    content.split("\n").filter((line) => /^\s*(?:\$ )?(?:llmc-mcp|curl|make|npx|docker|sudo|export) /.test(line))
  ).map((line) => `${document}: ${line}`);
}

/** The command lines below `Examples:` in a help text; their meaning comes after a `#`. */
export function helpExamples(page: string, help: string): ShownCommand[] {
  const lines = help.split("\n"), start = lines.indexOf("Examples:") + 1;
  if (start === 0) return [];
  return lines.slice(start).flatMap((line, index) => {
    const command = line.replace(/\s+#.*$/, "").trim();
    return command === "" ? [] : [{ document: `${page} --help`, line: start + index + 1, text: command }];
  });
}

/** The lines outside of blocks, counted from 1. */
function outsideBlocks(text: string): (readonly [number, string])[] {
  let inside = false;
  return text.split("\n").flatMap((line, index) => {
    const isFence = /^ *```/.test(line);
    if (isFence) inside = !inside;
    return inside || isFence ? [] : [[index + 1, line] as const];
  });
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
