/** Calls that wait for the operator's consent: each is shown whole, and no answer is chosen for the operator. @module */
import { clientText, type PendingApproval } from "../../../call/approval_question.ts";
import { type Markup, markup } from "../markup.ts";
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
<div class="panel-head"><h2>${plural(pending.length, "call waits", "calls wait")} for your consent</h2></div>
${mayAct ? markup`<ul class="rows">${pending.map((each) => question(each, moment))}</ul>` : IN_TERMINAL}</div>`;
  },
};

/** Anyone who can reach the page could answer, the model's own programs included. */
const IN_TERMINAL = markup`<p>Only a login with the token may answer, and this page has none: without one, you cannot be
told from the model's own programs. Each question and its code are printed on the server's terminal.</p>`;

/** The code is typed from the screen, so that no press meant for something else, or too early, allows a call. */
function question(
  { id, code, tool, effect, argsText, client, askedMs, expiresMs }: PendingApproval,
  { nowMs }: Moment,
): Markup {
  return markup`<li id="q-${id}" class="question">
<div class="question-head"><p><strong>${tool}</strong> <span class="effect ${effect}">${effect}</span> <span class="muted">from <bdi>${
    clientText(client)
  }</bdi>, at ${clockText(askedMs)}</span></p>${actButton("Deny", tool, "deny", id, "bad")}</div>
<pre class="text" tabindex="0" role="region" aria-label="Arguments of ${tool}">${argsText || "no arguments"}</pre>
<p class="muted">${
    plural(argsText.split("\n").length, "line")
  }, all shown. Characters that would hide or reorder text are
written as <code>\\u{…}</code>.</p>
<form class="answer" data-act="allow" data-id="${id}"><label for="code-${id}">To allow this one call, type <code class="code">${code}</code></label>
<input id="code-${id}" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="12" required>
<button class="good" aria-label="Allow ${tool}">Allow</button></form>
<p class="muted">The same code, told to the model, allows the call as well. It is good once, for ${
    spanText(expiresMs - nowMs)
  } more.</p></li>`;
}
