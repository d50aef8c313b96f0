/** State of the code search index of each root. @module */
import { visible } from "../../../core/visible.ts";
import { humanSize } from "../../../core/bytes.ts";
import type { RootStatus } from "../../../code_search/index.ts";
import { type CardRow, cardTable, type Column } from "../card_table.ts";
import { markup } from "../markup.ts";
import { nothing, panel, type Part } from "../part.ts";
import { countText, dayText } from "../wording.ts";

/** One row for each indexed folder. */
export const indexPart: Part = {
  id: "index",
  className: "wide",
  render(moment) {
    const roots = moment.index();
    if (roots === null) return panel("Code search", nothing("The index does not answer now."));
    if (roots.length === 0) return panel("Code search", nothing(NO_FOLDER));
    const rows = roots.map((each) => rootRow(each, moment.nowMs));
    return panel("Code search", cardTable("Code search", COLUMNS, rows));
  },
};

const COLUMNS: readonly Column[] = [
  { name: "Folder" },
  { name: "State" },
  { name: "Files", isNumber: true },
  { name: "Chunks", isNumber: true },
  { name: "Size", isNumber: true },
  { name: "Indexed" },
];
const NO_FOLDER = "No folder is indexed: mcp.rag.roots is empty, and no root is a git work tree.";
const STATE_CLASS: Readonly<Record<RootStatus["state"], string>> = {
  ready: "good",
  indexing: "run",
  empty: "plain",
  unavailable: "bad",
};

function rootRow({ root, state, files, chunks, size_bytes, indexed_at, reason }: RootStatus, nowMs: number): CardRow {
  return {
    id: `index-${root}`,
    cells: [
      [
        markup`<code>${visible(root)}</code>`,
        reason !== undefined && markup`<br><span class="muted">${visible(reason)}</span>`,
      ],
      markup`<span class="badge ${STATE_CLASS[state]}">${state}</span>`,
      countText(files),
      countText(chunks),
      humanSize(size_bytes),
      indexed_at === null ? "never" : dayText(Date.parse(indexed_at), nowMs),
    ],
  };
}
