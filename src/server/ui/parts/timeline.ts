/** Calls over time, as bars. @module */
import type { CallSpan } from "../../../store/calls.ts";
import { type Markup, markup } from "../markup.ts";
import { type Range, RANGE_SECONDS } from "../moment.ts";
import { nothing, panel, type Part, UNREADABLE } from "../part.ts";
import { clockText, countText, plural } from "../wording.ts";

/** One bar for each minute of the last hour, or for each hour of the last day. */
export const timelinePart: Part = {
  id: "timeline",
  className: "two-thirds",
  render(moment, { range }) {
    const spans = moment.timeline(range);
    const title = `Calls ${range === "hour" ? "by minute, last hour" : "by hour, last day"}`;
    const aside = markup`<nav class="switch" aria-label="Range">${
      RANGES.map(([name, label]) =>
        markup`<a href="?range=${name}"${name === range ? markup` aria-current="true"` : ""}>${label}</a>`
      )
    }</nav>`;
    if (spans === null) return panel(title, nothing(UNREADABLE), aside);
    return panel(title, chart(filled(spans, range, moment.nowMs), range), aside);
  },
};

const RANGES: readonly (readonly [Range, string])[] = [["hour", "1 h"], ["day", "24 h"]];
/** Seconds of one bar. */
const STEP_SECONDS: Readonly<Record<Range, number>> = { hour: 60, day: 3_600 };
const HEIGHT = 100;
const GAP = 0.22;

/** With the spans in which nothing was called. */
function filled(spans: readonly CallSpan[], range: Range, nowMs: number): CallSpan[] {
  const stepMs = STEP_SECONDS[range] * 1_000, count = RANGE_SECONDS[range] / STEP_SECONDS[range];
  const last = nowMs - nowMs % stepMs;
  const known = new Map(spans.map((span) => [span.startMs, span]));
  return Array.from({ length: count }, (_, index) => {
    const startMs = last - (count - 1 - index) * stepMs;
    return known.get(startMs) ?? { startMs, count: 0, errors: 0 };
  });
}

function chart(spans: readonly CallSpan[], range: Range): Markup {
  const most = Math.max(...spans.map(({ count }) => count));
  const top = niceTop(most);
  const bars = spans.map((span, index) => bar(span, index, top, range));
  const lines = [0, 0.25, 0.5, 0.75].map((share) =>
    markup`<line x1="0" x2="${spans.length}" y1="${HEIGHT * share}" y2="${HEIGHT * share}" class="grid"/>`
  );
  const [first] = spans, middle = spans[Math.floor(spans.length / 2)];
  return markup`<figure class="bars"><div class="plot"><span class="axis top">${countText(top)}</span>
<svg viewBox="0 0 ${spans.length} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${
    summary(spans, range)
  }">${lines}${bars}</svg></div>
<figcaption><span>${label(first)}</span><span>${label(middle)}</span><span>now</span></figcaption></figure>`;
}

function bar({ startMs, count, errors }: CallSpan, index: number, top: number, range: Range): Markup {
  if (count === 0) return markup``;
  const height = Math.max(1.5, (count / top) * HEIGHT), bad = (errors / count) * height;
  const from = clockText(startMs).slice(0, 5), unit = range === "hour" ? "" : " and the hour after it";
  const x = index + GAP / 2, width = 1 - GAP;
  return markup`<g><title>${from}${unit}: ${plural(count, "call")}${
    errors > 0 ? `, ${plural(errors, "error")}` : ""
  }</title>
<rect x="${x}" y="${HEIGHT - height}" width="${width}" height="${height - bad}" class="ok"/>${
    errors > 0 ? markup`<rect x="${x}" y="${HEIGHT - bad}" width="${width}" height="${bad}" class="err"/>` : ""
  }</g>`;
}

/** A round figure, so that the scale seldom changes. */
function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 1.5, 2, 3, 4, 6, 8, 10].map((step) => step * power).find((top) => top >= most) ?? most;
}

function label(span: CallSpan | undefined): string {
  return span ? clockText(span.startMs).slice(0, 5) : "";
}

/** What the picture shows, for who does not see it. */
function summary(spans: readonly CallSpan[], range: Range): string {
  const count = spans.reduce((sum, span) => sum + span.count, 0);
  const errors = spans.reduce((sum, span) => sum + span.errors, 0);
  const peak = spans.reduce((best, span) => span.count > best.count ? span : best);
  if (count === 0) return `No call in the last ${range}.`;
  return `${plural(count, "call")} in the last ${range}, ${plural(errors, "error")}; most at ${
    label(peak)
  }: ${peak.count}.`;
}
