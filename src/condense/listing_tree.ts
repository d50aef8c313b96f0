/** Condenses `tree`: indentation instead of drawn lines, and as many levels as fit. @module */
import { note } from "../core/bound.ts";
import { blockCost, countOf, type Draft } from "./page.ts";

const DRAWING = /^((?:[│|][\s\u00a0]{3}|[\s\u00a0]{4})*)(?:├── |└── |[|`]-- )/;

interface Node {
  readonly depth: number;
  readonly name: string;
}

/** @returns null when the lines hold no drawing. */
export function enrichTree(lines: readonly string[], budget: number): Draft | null {
  const nodes = lines.map(parseNode);
  if (nodes.filter((node) => node.depth > 0).length < 3) return null;
  for (const depth of depthsThatMayFit(nodes, budget)) {
    const rows = renderLevels(nodes, depth);
    if (depth > 1 && blockCost(rows, budget) > budget - 40) continue;
    const hidden = nodes.filter((node) => node.depth > depth).length;
    if (hidden === 0) return { text: rows.join("\n"), omitted: "", matchCount: nodes.length };
    const omitted = `${countOf(hidden, "entry", "entries")} below level ${depth}`;
    return { text: [...rows, note(`${omitted}, counted as [+n]`)].join("\n"), omitted, matchCount: nodes.length };
  }
  return null;
}

/** The deepest first. A row costs a token at least: of a tree of many levels only those near the top are rendered. */
function depthsThatMayFit(nodes: readonly Node[], budget: number): number[] {
  const counts = new Map<number, number>();
  for (const { depth } of nodes) counts.set(depth, (counts.get(depth) ?? 0) + 1);
  let rows = counts.get(0) ?? 0;
  const depths = [...counts.keys()].filter((depth) => depth > 0).sort((a, b) => a - b);
  return depths.filter((depth, at) => (rows += counts.get(depth) ?? 0) <= budget || at === 0).reverse();
}

function parseNode(line: string): Node {
  const match = DRAWING.exec(line);
  if (match === null) return { depth: 0, name: line };
  return { depth: (match[1]?.length ?? 0) / 4 + 1, name: line.slice(match[0].length) };
}

function renderLevels(nodes: readonly Node[], depth: number): string[] {
  const rows: string[] = [];
  for (let i = 0; i < nodes.length;) {
    const node = nodes[i];
    if (node === undefined) break;
    let next = i + 1;
    while (node.depth === depth && (nodes[next]?.depth ?? 0) > depth) next++;
    const hidden = next - i - 1;
    rows.push(" ".repeat(node.depth) + node.name + (hidden > 0 ? ` [+${hidden}]` : ""));
    i = next;
  }
  return rows;
}
