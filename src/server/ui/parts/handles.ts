/** Results that are kept for reading on. @module */
import { humanSize } from "../../../core/human_size.ts";
import type { HandleInfo } from "../../../store/handles.ts";
import { type Markup, markup, visible } from "../markup.ts";
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
    return panel(
      "Handles",
      markup`<div class="scroll" tabindex="0" role="region" aria-label="Handles"><table class="plain"><thead><tr><th scope="col">Handle</th><th scope="col">Made</th><th scope="col">Goes in</th><th scope="col" class="number">Size</th><th scope="col">From</th></tr></thead>
<tbody>${rows}</tbody></table></div>`,
      aside,
    );
  },
};

function handleRow(
  { id, createdMs, expiresMs, sizeBytes, reference, sourcePath, meta }: HandleInfo,
  nowMs: number,
): Markup {
  const from = sourcePath ?? (typeof meta.tool === "string" ? meta.tool : "");
  return markup`<tr id="${id}"><td><code>${shortened(id)}</code></td><td>${dayText(createdMs, nowMs)}</td><td>${
    spanText(expiresMs - nowMs)
  }</td><td class="number">${humanSize(sizeBytes)}</td><td>${from === "" ? "" : markup`<code>${visible(from)}</code>`}${
    reference ? markup` <span class="muted">read where it lies</span>` : ""
  }</td></tr>`;
}

/** Enough to recognise one; the whole would let a looker over the shoulder read it. */
function shortened(id: string): string {
  return `${id.slice(0, -12)}…`;
}
