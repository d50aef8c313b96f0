/** Newest calls, running ones first; each expands to its details. @module */
import { humanSize } from "../../../core/bytes.ts";
import { visible } from "../../../core/visible.ts";
import { badge, callBadge } from "../badge.ts";
import { type Markup, markup } from "../markup.ts";
import type { Moment, ShownCall, ShownRunningCall } from "../moment.ts";
import { nothing, panel, type Part, UNREADABLE } from "../part.ts";
import { clockText, countText, durationText, plural } from "../wording.ts";

/** The first few, with a way to the others. */
export const callsPart: Part = {
  id: "calls",
  className: "main",
  render: (moment) => callsPanel(moment, MAX_NEWEST, ALL_CALLS),
};

/** All that a page shows. */
export const allCallsPart: Part = {
  id: "all-calls",
  className: "wide",
  render: (moment) => callsPanel(moment, Infinity, markup`<span class="muted">newest first</span>`),
};

const MAX_NEWEST = 12;
const ALL_CALLS = markup`<a href="/ui/calls">All recent calls</a>`;

/** The table becomes a list of cards on a narrow screen; its roles stay those of a table. */
function callsPanel(moment: Moment, maxRows: number, aside: Markup): Markup {
  const calls = moment.calls(), running = moment.running();
  const count = running.length > 0 ? markup`${badge(plural(running.length, "running call"), "run")} ` : "";
  if (calls === null) return panel("Calls", nothing(UNREADABLE), count);
  if (calls.length + running.length === 0) {
    const { enabled } = moment.config.settings.observability;
    return panel("Calls", nothing(enabled ? NONE_YET : NOT_KEPT));
  }
  const rows = [
    ...running.toReversed().map((call) => runningRow(call, moment)),
    ...calls.map((call) => callRow(call, moment)),
  ].slice(0, Math.max(maxRows, running.length));
  return panel(
    "Calls",
    markup`<div class="scroll" tabindex="0" role="region" aria-label="Newest calls"><table role="table" class="calls">
<thead role="rowgroup"><tr role="row">${
      HEADINGS.map((text) => markup`<th role="columnheader" scope="col">${text}</th>`)
    }</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table></div>`,
    markup`${count}${aside}`,
  );
}

const HEADINGS = ["Ended", "Tool and client", "Arguments, in short", "Answer", "Duration", "Outcome"];
const NONE_YET = markup`No call yet. <code>llmc-mcp print-config</code> prints what connects a client.`;
const NOT_KEPT = "Calls are not recorded: mcp.observability.enabled is false.";

function runningRow(
  { key, correlationId, tool, effect, argsSummary, agentId }: ShownRunningCall,
  moment: Moment,
): Markup {
  return row(`run-${key}`, [
    "–",
    toolCell(tool, correlationId, effect, moment.clientName(agentId)),
    argsCell(argsSummary),
    "",
    "",
    badge("running", "run"),
  ]);
}

function callRow(call: ShownCall, moment: Moment): Markup {
  return row(`c-${call.timeMs}-${call.correlationId}`, [
    clockText(call.timeMs),
    toolCell(call.tool, call.correlationId, call.effect, moment.clientName(call.agentId)),
    argsCell(call.argsSummary),
    markup`<span class="size">${humanSize(call.bytesOut)}${
      call.truncated ? markup` <span class="muted">(cut)</span>` : ""
    }</span> <span class="muted tokens">${countText(call.tokensOut)} tokens</span>`,
    durationText(call.durationMs),
    callBadge(call),
  ]);
}

function row(id: string, [time, tool, args, result, took, status]: readonly (string | Markup)[]): Markup {
  return markup`<tr role="row" id="${id}"><td role="cell" class="time">${time}</td><td role="cell" class="tool">${tool}</td><td role="cell" class="argscell">${args}</td><td role="cell" class="result">${result}</td><td role="cell" class="took">${took}</td><td role="cell" class="status">${status}</td></tr>`;
}

function toolCell(tool: string, item: string, effect: string | undefined, client: string | null): Markup {
  return markup`<a class="name opens" href="/ui/call?item=${item}" data-opens>${visible(tool)}</a><span class="by">${
    effect && effect !== "read" ? markup`<span class="effect ${effect}">${effect}</span> ` : ""
  }<bdi class="muted">${client === null ? "unnamed client" : visible(client)}</bdi></span>`;
}

function argsCell(summary: string): Markup {
  return markup`<code>${visible(summary)}</code>`;
}
