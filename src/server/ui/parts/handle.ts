/** One stored result: its origin, and its content page by page. @module */
import { humanSize } from "../../../core/bytes.ts";
import { visible } from "../../../core/visible.ts";
import { copyable } from "../copyable.ts";
import { facts } from "../facts.ts";
import type { HandlePiece } from "../handle_piece.ts";
import { PIECE_BYTES } from "../handle_piece.ts";
import { type Markup, markup } from "../markup.ts";
import { nothing, panel, type Part } from "../part.ts";
import { dayText, spanText } from "../wording.ts";
import { sourceOf } from "./handles.ts";

/** The piece was read before the page was opened: what a handle holds does not change. */
export const handlePart: Part = {
  id: "handle",
  className: "wide",
  render({ nowMs }, { piece }) {
    if (piece === null) return panel("Kept result", nothing("No result is named."));
    if ("problem" in piece) return panel("Kept result", nothing(piece.problem));
    const { info } = piece;
    return panel("Kept result", [
      facts([
        ["Handle", copyable(info.id)],
        ["Source", visible(sourceOf(info)) || "unknown"],
        ["Created", dayText(info.createdMs, nowMs)],
        ["Expires in", spanText(info.expiresMs - nowMs)],
        ["Size", humanSize(info.sizeBytes)],
        ...info.reference ? [["Stored", "not copied: read from its file now"] as const] : [],
        ...piece.slice.stale ? [["State", "its file has changed since"] as const] : [],
      ]),
      content(piece),
    ]);
  },
};

function content({ info, slice }: Extract<HandlePiece, { slice: object }>): Markup {
  const { content, startByte, endByte, total } = slice, size = total ?? info.sizeBytes;
  if (size === 0) return nothing("It is empty.");
  const last = Math.max(0, Math.ceil(size / PIECE_BYTES) - 1) * PIECE_BYTES;
  const at = (from: number, label: string, isThere: boolean) =>
    isThere ? markup`<a href="/ui/handle?item=${info.id}&amp;from=${from}" data-opens>${label}</a>` : "";
  const isFirst = startByte === 0, isLast = endByte >= size;
  const steps = isFirst && isLast
    ? ""
    : markup`<nav class="steps" aria-label="Pieces of the result">${at(0, "First", !isFirst)}${
      at(Math.max(0, startByte - PIECE_BYTES), "Previous", !isFirst)
    }<span>bytes ${startByte} to ${endByte} of ${size}</span>${at(endByte, "Next", !isLast)}${
      at(last, "Last", !isLast)
    }</nav>`;
  return markup`${steps}<pre class="text" tabindex="0" role="region" aria-label="Content">${visible(content)}</pre>`;
}
