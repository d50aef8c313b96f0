/** Shows the outcome of a call as one word and a colour. @module */
import { type Markup, markup } from "./markup.ts";

/** A word on a ground of its own. */
export function badge(text: string, kind: "good" | "warn" | "bad" | "run" | "plain"): Markup {
  return markup`<span class="badge ${kind}">${text}</span>`;
}

/** The code of an error; else whether what was done reports a failure. */
export function callBadge({ errorCode, failed }: { errorCode: string | null; failed: boolean }): Markup {
  if (errorCode) return badge(errorCode, errorCode === "APPROVAL_REQUIRED" ? "warn" : "bad");
  return failed ? badge("failed", "warn") : badge("ok", "good");
}
