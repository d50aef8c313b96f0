/** Calls that wait for the operator's approval. @module */
import type { PendingApproval } from "../../../call/approvals.ts";
import { type Markup, markup, visible } from "../markup.ts";
import type { Moment } from "../moment.ts";
import { actButton, type Part } from "../part.ts";
import { clockText, plural, spanText } from "../wording.ts";

/** Nothing at all while nothing waits. */
export const approvalsPart: Part = {
  id: "approvals",
  className: "wide",
  render(moment, { mayAct }) {
    const pending = moment.pending();
    if (pending.length === 0) return markup``;
    return markup`<div class="panel attention" role="region" aria-label="Approvals">
<div class="panel-head"><h2>${plural(pending.length, "call waits", "calls wait")} for you</h2></div>
${mayAct ? markup`<ul class="rows">${pending.map((each) => question(each, moment))}</ul>` : IN_TERMINAL}</div>`;
  },
};

/** Whoever can reach the page could answer, the model's own programs included. */
const IN_TERMINAL = markup`<p>This server takes calls without a token, so nobody can be told from the model here. Each
question and its code stand on the server's terminal.</p>`;

function question(
  { id, code, tool, argsText, agentId, askedMs, expiresMs }: PendingApproval,
  { nowMs }: Moment,
): Markup {
  const about = `${tool} of ${visible(agentId)}`;
  return markup`<li id="q-${id}" class="question">
<div class="what"><p><strong>${tool}</strong> <span class="muted">asked by <bdi>${visible(agentId)}</bdi> at ${
    clockText(askedMs)
  }</span></p>
<pre class="args" tabindex="0" aria-label="Arguments of ${about}">${visible(argsText) || "no arguments"}</pre>
<p class="muted">Or pass on the code <code>${code}</code>; it is good once, for ${
    spanText(expiresMs - nowMs)
  } more.</p></div>
<div class="buttons">${actButton("Allow", about, `allow ${id}`, "good")}${
    actButton("Deny", about, `deny ${id}`, "bad")
  }</div></li>`;
}
