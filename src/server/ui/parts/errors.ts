/** Refusals and errors, by code. @module */
import { type ErrorCode, ERRORS } from "../../../core/error.ts";
import { type Markup, markup } from "../markup.ts";
import { nothing, panel, type Part } from "../part.ts";
import { countText, plural } from "../wording.ts";

/** Since the start, with what each code asks for. */
export const errorsPart: Part = {
  id: "errors",
  className: "half",
  render(moment) {
    const { errors, http: { auth_failures, rate_limited } } = moment.metrics();
    const rows = Object.entries(errors).sort(([, left], [, right]) => right - left).slice(0, MAX_CODES);
    const foot = auth_failures + rate_limited > 0
      ? markup`<p class="muted foot">Not counted above: ${
        plural(auth_failures, "request")
      } without the right token, Host or Origin, and ${plural(rate_limited, "request")} over a limit.</p>`
      : "";
    const aside = markup`<span class="muted">since the start</span>`;
    if (rows.length === 0) return panel(TITLE, markup`${nothing("None.")}${foot}`, aside);
    return panel(
      TITLE,
      markup`<ul class="rows errors">${rows.map(([code, count]) => codeRow(code, count))}</ul>${foot}`,
      aside,
    );
  },
};

const TITLE = "Errors by code";
const MAX_CODES = 8;

function codeRow(code: string, count: number): Markup {
  return markup`<li id="error-${code}"><span class="count">${
    countText(count)
  }</span><div><code>${code}</code><br><span class="muted">${isCode(code) ? ERRORS[code].hint : ""}</span></div></li>`;
}

function isCode(code: string): code is ErrorCode {
  return code in ERRORS;
}
