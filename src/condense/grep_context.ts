/** Condenses search hits with context lines: whole blocks, definitions first. @module */
import { cutLine, note } from "../core/bound.ts";
import type { GrepHit } from "./grep_lines.ts";
import type { RankedFile } from "./grep_rank.ts";
import { countOf, type Draft, folderOf, makePage, tally } from "./page.ts";

const MAX_LINE_CHARACTERS = 240;

/** Hits and context that follow each other. */
interface Block {
  readonly rows: readonly string[];
  readonly hits: number;
}

/** Prints the blocks that fit, the rest counted by folder. */
export function renderContext(files: readonly RankedFile[], found: number, budget: number): Draft {
  const page = makePage(budget);
  const hidden = new Map<string, number>();
  let shown = 0;
  for (const file of files) {
    const blocks = blocksOf(file.hits);
    let opened = false;
    for (const [i, block] of blocks.entries()) {
      const lead = opened ? ["--"] : file.path === "" ? [] : [file.path];
      if (page.addAll([...lead, ...block.rows])) {
        opened = true;
        shown += block.hits;
        continue;
      }
      const rest = blocks.slice(i).reduce((sum, each) => sum + each.hits, 0);
      const folder = folderOf(file.path, 2);
      hidden.set(folder, (hidden.get(folder) ?? 0) + rest);
      if (opened) page.add(note(`${rest} more here`));
      break;
    }
  }
  if (hidden.size === 0) return { text: page.text(), omitted: "" };
  const omitted = `${found - shown} of ${countOf(found, "match", "matches")}`;
  page.force(note(`${omitted} left out: ${tally(hidden)}`));
  return { text: page.text(), omitted };
}

function blocksOf(hits: readonly GrepHit[]): Block[] {
  const blocks: { rows: string[]; hits: number; end: number }[] = [];
  for (const hit of hits) {
    const last = blocks.at(-1);
    const row = `${hit.line}${hit.context ? "-" : ":"}${cutLine(hit.text, MAX_LINE_CHARACTERS)}`;
    if (last !== undefined && hit.line === last.end + 1) {
      last.rows.push(row);
      last.end = hit.line;
      last.hits += hit.context ? 0 : 1;
    } else blocks.push({ rows: [row], hits: hit.context ? 0 : 1, end: hit.line });
  }
  return blocks;
}
