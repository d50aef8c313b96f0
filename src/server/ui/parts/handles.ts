/** Stored results. @module */
import { humanSize } from "../../../core/bytes.ts";
import type { HandleInfo } from "../../../store/handles.ts";
import { type CardRow, cardTable, type Column } from "../card_table.ts";
import { markup, visible } from "../markup.ts";
import { nothing, panel, type Part, UNREADABLE } from "../part.ts";
import { dayText, percentText, plural, spanText } from "../wording.ts";

/** The newest hundred, and how full the store is. */
export const handlesPart: Part = {
  id: "handles",
  className: "wide",
  render(moment) {
    const handles = moment.handles();
    if (handles === null) return panel("Handles", nothing(UNREADABLE));
    const { max_bytes: most } = moment.config.settings.handles;
    const aside = markup`<span class="muted">${plural(handles.count, "result")}, ${humanSize(handles.bytes)}: ${
      percentText(handles.bytes, most)
    } of ${humanSize(most)}</span>`;
    if (handles.list.length === 0) {
      return panel("Handles", nothing("No result was too long to be answered whole."), aside);
    }
    const rows = handles.list.map((each) => handleRow(each, moment.nowMs));
    return panel("Handles", cardTable("Handles", COLUMNS, rows), aside);
  },
};

const COLUMNS: readonly Column[] = [
  { name: "Handle" },
  { name: "Made" },
  { name: "Goes in" },
  { name: "Size", isNumber: true },
  { name: "From" },
];

function handleRow(info: HandleInfo, nowMs: number): CardRow {
  const { id, createdMs, expiresMs, sizeBytes, reference } = info, from = originOf(info);
  return {
    id,
    cells: [
      markup`<code>${shortened(id)}</code>`,
      dayText(createdMs, nowMs),
      spanText(expiresMs - nowMs),
      humanSize(sizeBytes),
      [from === "" ? "" : markup`<code>${visible(from)}</code>`, reference && markup` ${READ_IN_PLACE}`],
    ],
  };
}

const READ_IN_PLACE = markup`<span class="muted">read where it lies</span>`;

/** The file, the command or the tool that it came from; empty when that is not known. */
function originOf({ sourcePath, meta: { command, tool } }: HandleInfo): string {
  return sourcePath ?? [command, tool].find((each) => typeof each === "string") ?? "";
}

/** Enough to recognise one; the whole would let a looker over the shoulder read it. */
function shortened(id: string): string {
  return `${id.slice(0, -12)}…`;
}
