/** Latency of each tool. @module */
import { type Markup, markup } from "../markup.ts";
import type { ToolUsage } from "../../../store/calls.ts";
import { nothing, panel, type Part, UNREADABLE } from "../part.ts";
import { countText, durationText } from "../wording.ts";

/** A bar to the median and a paler one to the 95th percentile, on a logarithmic scale. */
export const latencyPart: Part = {
  id: "latency",
  className: "third",
  render(moment, { range }) {
    const usage = moment.usage(range);
    const title = `Duration by tool, last ${range}`;
    if (usage === null) return panel(title, nothing(UNREADABLE));
    const tools = [...usage].slice(0, MAX_TOOLS);
    if (tools.length === 0) return panel(title, nothing(`No call in the last ${range}.`));
    const longest = Math.max(...tools.map(([, { p95Ms }]) => p95Ms));
    return panel(
      title,
      markup`<div class="scroll" tabindex="0" role="region" aria-label="Duration by tool"><table class="meters"><thead><tr><th scope="col">Tool</th><th scope="col" class="number">Calls</th>
<th scope="col" class="meter"><span class="unseen">Shown as a bar</span></th><th scope="col" class="number">p50</th><th scope="col" class="number">p95</th></tr></thead>
<tbody>${tools.map(([name, figures]) => toolRow(name, figures, longest))}</tbody></table></div>`,
      markup`<span class="muted">p50: half of the calls took no longer; p95: 95 %</span>`,
    );
  },
};

const MAX_TOOLS = 9;
/** Where the scale begins. */
const SHORTEST_MS = 0.1;

function toolRow(name: string, { count, p50Ms, p95Ms }: ToolUsage, longestMs: number): Markup {
  const half = position(p50Ms, longestMs), most = position(p95Ms, longestMs);
  return markup`<tr id="latency-${name}"><th scope="row"><code>${name}</code></th><td class="number">${
    countText(count)
  }</td>
<td class="meter"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="8" class="track"/><rect width="${most}" height="8" class="pale"/><rect width="${half}" height="8" class="ok"/></svg></td>
<td class="number">${durationText(p50Ms)}</td><td class="number">${durationText(p95Ms)}</td></tr>`;
}

/** 0 to 100. */
function position(durationMs: number, longestMs: number): number {
  const share = Math.log(Math.max(1, durationMs / SHORTEST_MS)) / Math.log(Math.max(2, longestMs / SHORTEST_MS));
  return Math.round(Math.min(1, Math.max(0.02, share)) * 1_000) / 10;
}
