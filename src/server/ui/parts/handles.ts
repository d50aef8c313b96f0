/** Stored results, by handle. @module */
import { visible } from "../../../core/visible.ts";
import { humanSize } from "../../../core/bytes.ts";
import type { HandleInfo } from "../../../store/handles.ts";
import { type CardRow, cardTable, type Column } from "../card_table.ts";
import { markup } from "../markup.ts";
import { nothing, panel, type Part, UNREADABLE } from "../part.ts";
import { dayText, percentText, plural, spanText } from "../wording.ts";
import { handleLink } from "./handle_link.ts";

/** The newest hundred, and how full the store is. */
export const handlesPart: Part = {
  id: "handles",
  className: "wide",
  render(moment) {
    const handles = moment.handles();
    if (handles === null) return panel(TITLE, nothing(UNREADABLE));
    const { max_bytes: most } = moment.config.settings.handles;
    const aside = markup`<span class="muted">${plural(handles.count, "result")}, ${humanSize(handles.bytes)}: ${
      percentText(handles.bytes, most)
    } of ${humanSize(most)}</span>`;
    if (handles.list.length === 0) {
      return panel(TITLE, nothing("No results are stored: every result fitted into its answer."), aside);
    }
    const rows = handles.list.map((each) => handleRow(each, moment.nowMs));
    return panel(TITLE, cardTable(TITLE, COLUMNS, rows), aside);
  },
};

const TITLE = "Kept results (handles)";
const COLUMNS: readonly Column[] = [
  { name: "Handle" },
  { name: "Created" },
  { name: "Expires in" },
  { name: "Size", isNumber: true },
  { name: "Source" },
];

function handleRow(info: HandleInfo, nowMs: number): CardRow {
  const { id, createdMs, expiresMs, sizeBytes, reference } = info, from = sourceOf(info);
  return {
    id,
    cells: [
      handleLink(id),
      dayText(createdMs, nowMs),
      spanText(expiresMs - nowMs),
      humanSize(sizeBytes),
      [from === "" ? "" : markup`<code>${visible(from)}</code>`, reference && markup` ${READ_IN_PLACE}`],
    ],
  };
}

const READ_IN_PLACE = markup`<span class="muted">read from its file, not copied</span>`;

/** The file, command, search or tool that it came from; empty when that is not known. */
export function sourceOf({ sourcePath, meta: { command, path, pattern, tool } }: HandleInfo): string {
  return sourcePath ?? [command, path, pattern, tool].find((each) => typeof each === "string") ?? "";
}
