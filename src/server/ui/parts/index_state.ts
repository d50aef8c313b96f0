/** What code search knows of the roots. @module */
import { humanSize } from "../../../core/human_size.ts";
import type { RootStatus } from "../../../rag/index.ts";
import { type Markup, markup, visible } from "../markup.ts";
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
    return panel(
      "Code search",
      markup`<div class="scroll" tabindex="0" role="region" aria-label="Code search"><table class="plain"><thead><tr><th scope="col">Folder</th><th scope="col">State</th><th scope="col" class="number">Files</th><th scope="col" class="number">Pieces</th><th scope="col" class="number">Size</th><th scope="col">Last change</th></tr></thead>
<tbody>${rows}</tbody></table></div>`,
    );
  },
};

const NO_FOLDER = "No folder is indexed: mcp.rag.roots is empty, and no root is a git work tree.";
const STATE_CLASS: Readonly<Record<RootStatus["state"], string>> = {
  ready: "good",
  indexing: "run",
  empty: "plain",
  unavailable: "bad",
};

function rootRow({ root, state, files, chunks, size_bytes, indexed_at, reason }: RootStatus, nowMs: number): Markup {
  return markup`<tr><td><code>${visible(root)}</code>${
    reason === undefined ? "" : markup`<br><span class="muted">${visible(reason)}</span>`
  }</td><td><span class="badge ${STATE_CLASS[state]}">${state}</span></td><td class="number">${
    countText(files)
  }</td><td class="number">${countText(chunks)}</td><td class="number">${humanSize(size_bytes)}</td><td>${
    indexed_at === null ? "never" : dayText(Date.parse(indexed_at), nowMs)
  }</td></tr>`;
}
