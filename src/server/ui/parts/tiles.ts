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
  const { count, errors } = moment.overall(range) ?? { count: 0, errors: 0 };
  const faults = errors === 0 ? "no errors" : `${plural(errors, "error")} (${percentText(errors, count)})`;
  return tile("Calls", countText(count), `last ${range}; ${faults}`, errors > 0 ? "has-errors" : "");
}

/** Over all calls of all tools; what a call waited for consent is no part of its duration. */
function latencyTile(moment: Moment, range: Range): Markup {
  const name = "Median duration", all = moment.overall(range);
  if (all === null || all.count === 0) return tile(name, "–", `no call in the last ${range}`);
  return tile(name, durationText(all.p50Ms), `last ${range}; 95 % of calls within ${durationText(all.p95Ms)}`);
}

function tokensTile(moment: Moment): Markup {
  const sums = [...moment.tokens().values()];
  const sent = sums.reduce((sum, each) => sum + each.sent, 0), full = sums.reduce((sum, each) => sum + each.full, 0);
  const saved = full > sent ? `, ${percentText(full - sent, full)} fewer than as JSON` : "";
  return tile("Tokens sent", countText(sent), `since the start${saved}`);
}

function processesTile(moment: Moment): Markup {
  const processes = moment.processes().filter(({ state }) => state === "running").length;
  const running = moment.running().length;
  return tile(
    "Running processes",
    String(processes),
    running > 0 ? `${plural(running, "call")} in progress` : "no call in progress",
  );
}

function uptimeTile(moment: Moment): Markup {
  const { uptime_s, http: { auth_failures, rate_limited } } = moment.metrics();
  const refused = auth_failures + rate_limited;
  const minutes = uptime_s < 60 ? "< 1m" : humanDuration(uptime_s - uptime_s % 60);
  return tile("Uptime", minutes, refused > 0 ? `${plural(refused, "request")} refused` : "no request refused");
}
