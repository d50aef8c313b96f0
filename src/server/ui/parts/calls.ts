/** Recent calls, running ones first. @module */
import { humanSize } from "../../../core/bytes.ts";
import { type Markup, markup, visible } from "../markup.ts";
import type { ShownCall, ShownRunningCall } from "../moment.ts";
import { nothing, panel, type Part, UNREADABLE } from "../part.ts";
import { clockText, countText, durationText, plural } from "../wording.ts";

/** A table that becomes a list of cards on a narrow screen; its roles stay those of a table. */
export const callsPart: Part = {
  id: "calls",
  className: "main",
  render(moment) {
    const calls = moment.calls(), running = moment.running();
    const aside = running.length > 0
      ? markup`<span class="badge run">${plural(running.length, "running call")}</span>`
      : "";
    if (calls === null) return panel("Calls", nothing(UNREADABLE), aside);
    if (calls.length + running.length === 0) {
      const { enabled } = moment.config.settings.observability;
      return panel("Calls", nothing(enabled ? NONE_YET : NOT_KEPT));
    }
    const rows = [...running.toReversed().map(runningRow), ...calls.map(callRow)];
    return panel(
      "Calls",
      markup`<div class="scroll tall" tabindex="0" role="region" aria-label="Newest calls"><table role="table" class="calls">
<thead role="rowgroup"><tr role="row">${
        HEADINGS.map((text) => markup`<th role="columnheader" scope="col">${text}</th>`)
      }</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table></div>`,
      aside,
    );
  },
};

const HEADINGS = ["Time", "Tool", "Arguments", "Result", "Took", "Status"];
const NONE_YET = markup`No call yet. <code>llmc-mcp print-config</code> prints what connects a client.`;
const NOT_KEPT = "Calls are not recorded: mcp.observability.enabled is false.";

function runningRow({ key, startedMs, tool, effect, argsSummary, agentId }: ShownRunningCall): Markup {
  return row(`run-${key}`, [
    clockText(startedMs),
    toolCell(tool, effect, agentId),
    argsCell(argsSummary),
    "",
    "",
    markup`<span class="badge run">running</span>`,
  ]);
}

function callRow(call: ShownCall): Markup {
  return row(`c-${call.timeMs}-${call.correlationId}`, [
    clockText(call.timeMs),
    toolCell(call.tool, call.effect, call.agentId),
    argsCell(call.argsSummary),
    markup`<span class="size">${humanSize(call.bytesOut)}${
      call.truncated ? markup` <abbr title="the rest is behind a handle">cut</abbr>` : ""
    }</span>
<span class="muted">${countText(call.tokensOut)} tok</span>`,
    durationText(call.durationMs),
    statusBadge(call),
  ]);
}

function row(id: string, [time, tool, args, result, took, status]: readonly (string | Markup)[]): Markup {
  return markup`<tr role="row" id="${id}"><td role="cell" class="time">${time}</td><td role="cell" class="tool">${tool}</td><td role="cell" class="argscell">${args}</td><td role="cell" class="result">${result}</td><td role="cell" class="took">${took}</td><td role="cell" class="status">${status}</td></tr>`;
}

function toolCell(tool: string, effect: string | undefined, agentId: string): Markup {
  return markup`<span class="name">${visible(tool)}</span><span class="by">${
    effect && effect !== "read" ? markup`<span class="effect ${effect}">${effect}</span> ` : ""
  }<bdi class="muted">${visible(agentId)}</bdi></span>`;
}

function argsCell(summary: string): Markup {
  const text = visible(summary);
  return markup`<code title="${text}">${text}</code>`;
}

function statusBadge({ status, errorCode, failed }: ShownCall): Markup {
  if (status === "error") {
    return markup`<span class="badge ${errorCode === "APPROVAL_REQUIRED" ? "warn" : "bad"}">${
      errorCode ?? "error"
    }</span>`;
  }
  return failed ? markup`<span class="badge warn">failed</span>` : markup`<span class="badge good">ok</span>`;
}
