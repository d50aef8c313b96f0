/** Key figures at the top of the page. @module */
import { humanDuration } from "../../../core/time.ts";
import { type Markup, markup } from "../markup.ts";
import type { Moment, Range } from "../moment.ts";
import type { Part } from "../part.ts";
import { countText, durationText, percentText, plural } from "../wording.ts";

/** One figure each, and what it means. */
export const tilesPart: Part = {
  id: "tiles",
  className: "wide",
  render(moment, { range }) {
    return markup`<dl class="tiles">${callsTile(moment, range)}${latencyTile(moment, range)}${tokensTile(moment)}${
      processesTile(moment)
    }${uptimeTile(moment)}</dl>`;
  },
};

function tile(name: string, value: string, note: string, className = ""): Markup {
  return markup`<div class="tile ${className}"><dt>${name}</dt><dd class="value">${value}</dd><dd class="note">${note}</dd></div>`;
}

function callsTile(moment: Moment, range: Range): Markup {
  const spans = moment.timeline(range) ?? [];
  const count = spans.reduce((sum, span) => sum + span.count, 0);
  const errors = spans.reduce((sum, span) => sum + span.errors, 0);
  const note = errors === 0 ? "no errors" : `${plural(errors, "error")} (${percentText(errors, count)})`;
  return tile(`Calls, last ${range}`, countText(count), note, errors > 0 ? "has-errors" : "");
}

/** The calls decide, not the tools: the median tool is weighed by how often it was called. */
function latencyTile(moment: Moment, range: Range): Markup {
  const tools = [...moment.usage(range) ?? []];
  const slowest = tools.reduce<[string, number]>(
    ([name, ms], [tool, { p95Ms }]) => p95Ms > ms ? [tool, p95Ms] : [name, ms],
    ["", 0],
  );
  const total = tools.reduce((sum, [, { count }]) => sum + count, 0);
  const middle = tools.reduce((sum, [, { count, p50Ms }]) => sum + count * p50Ms, 0) / Math.max(1, total);
  if (total === 0) return tile("Typical call", "–", "no call yet");
  return tile("Typical call", durationText(middle), `slowest: ${slowest[0]}, 95 % in ${durationText(slowest[1])}`);
}

function tokensTile(moment: Moment): Markup {
  const sums = [...moment.tokens().values()];
  const sent = sums.reduce((sum, each) => sum + each.sent, 0), full = sums.reduce((sum, each) => sum + each.full, 0);
  const note = full > sent ? `${percentText(full - sent, full)} less than in full` : "since the start";
  return tile("Tokens answered", countText(sent), note);
}

function processesTile(moment: Moment): Markup {
  const processes = moment.processes().filter(({ state }) => state === "running").length;
  const running = moment.running().length;
  return tile(
    "Processes",
    String(processes),
    running > 0 ? plural(running, "call runs", "calls run") : "no call runs now",
  );
}

function uptimeTile(moment: Moment): Markup {
  const { uptime_s, http: { auth_failures, rate_limited } } = moment.metrics();
  const refused = auth_failures + rate_limited;
  const minutes = uptime_s < 60 ? "under 1m" : humanDuration(uptime_s - uptime_s % 60);
  return tile("Up", minutes, refused > 0 ? `${plural(refused, "request")} turned away` : "nothing turned away");
}
