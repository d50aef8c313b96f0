/** One call: full arguments, full answer, and its stored results. @module */
import { humanSize } from "../../../core/bytes.ts";
import { visible } from "../../../core/visible.ts";
import { clientText } from "../../../call/approval_question.ts";
import { argumentsText } from "../../../call/arguments_text.ts";
import { badge, callBadge } from "../badge.ts";
import { copyable } from "../copyable.ts";
import { facts } from "../facts.ts";
import type { KeptCall, Outcome } from "../kept_calls.ts";
import { type Markup, markup, type Piece } from "../markup.ts";
import type { Moment, ShownCall } from "../moment.ts";
import { nothing, panel, type Part } from "../part.ts";
import { countText, dayText, durationText } from "../wording.ts";
import { handleLink } from "./handle_link.ts";

/** A client may give several calls one id: then all of them are shown. */
export const callPart: Part = {
  id: "call",
  className: "wide",
  render(moment, { item }) {
    const kept = moment.kept(item);
    if (kept.length > 0) return markup`${kept.map((call) => keptCall(call, moment))}`;
    const recorded = moment.calls()?.find(({ correlationId }) => correlationId === item);
    if (recorded) return recordedCall(recorded, moment);
    return panel("Call", nothing("No call with this id is recorded."));
  },
};

/** Only the record is there, which never holds contents. */
function recordedCall(call: ShownCall, moment: Moment): Markup {
  const { tool, argsSummary, agentId, sessionId, model, tokensOut, bytesOut, durationMs, timeMs, correlationId } = call;
  return panel(visible(tool), [
    facts([
      ["Ended", dayText(timeMs, moment.nowMs)],
      ["Duration", durationText(durationMs)],
      ["Answer", `${humanSize(bytesOut)}, about ${countText(tokensOut)} tokens`],
      ["Client", clientText(moment.clientName(agentId))],
      ["Session", visible(sessionId)],
      ["Model", visible(model)],
      ["Id", copyable(correlationId)],
    ]),
    markup`<h3>Arguments, as recorded</h3>${block("Recorded arguments", visible(argsSummary))}
<p class="muted">Its whole arguments and its answer are not kept: another server with this data directory answered it, or
this one has restarted since, or newer calls have taken its place. Records hold a summary only.</p>`,
  ], callBadge(call));
}

function keptCall({ tool, args, session, startedMs, outcome, correlationId }: KeptCall, moment: Moment): Markup {
  const text = argumentsText(Object(args)), effect = moment.effectOf(tool);
  return panel(
    visible(tool),
    [
      facts([
        ["Effect", effect ?? "unknown tool"],
        ["Began", dayText(startedMs, moment.nowMs)],
        ...outcome === null ? [] : answerFacts(outcome),
        ["Client", clientText(moment.clientName(session.agentId))],
        ["Session", visible(session.sessionId)],
        ["Model", visible(session.model)],
        ["Id", copyable(correlationId)],
      ]),
      markup`<h3>Arguments</h3>${
        text === null ? nothing("They are longer than a page can show.") : block("Arguments", text || "none")
      }<h3>Answer</h3>${outcome === null ? nothing("The call is still running.") : answer(outcome, moment)}`,
    ],
    outcome === null ? badge("running", "run") : callBadge(outcome),
  );
}

function answerFacts({ durationMs, tokens, text }: Outcome): [string, Piece][] {
  const bytes = new TextEncoder().encode(text).length;
  return [
    ["Duration", durationText(durationMs)],
    ["Size", `${humanSize(bytes)}, about ${countText(tokens)} tokens`],
  ];
}

function answer({ text, handles, truncated }: Outcome, moment: Moment): Markup {
  const kept = handles.map((id) => handleLine(id, moment.hasHandle(id)));
  return markup`${block("Answer", visible(text) || "empty")}${
    truncated && handles.length === 0 ? markup`<p class="muted">The answer was cut, and the rest is not kept.</p>` : ""
  }${handles.length === 0 ? "" : markup`<h3>Kept for reading on</h3><ul class="rows handles">${kept}</ul>`}`;
}

function handleLine(id: string, isThere: boolean): Markup {
  return markup`<li>${
    isThere ? handleLink(id) : markup`<code>${id}</code> <span class="muted">expired or removed</span>`
  }</li>`;
}

function block(label: string, text: string): Markup {
  return markup`<pre class="text" tabindex="0" role="region" aria-label="${label}">${text}</pre>`;
}
