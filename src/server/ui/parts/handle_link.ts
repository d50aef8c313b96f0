/** Handle that links to its content and can be copied. @module */
import { copyable } from "../copyable.ts";
import { type Markup, markup } from "../markup.ts";

/** The whole name: it is worth nothing without the token and session that it belongs to. */
export function handleLink(id: string): Markup {
  return markup`<a href="/ui/handle?item=${id}" data-opens><code>${id}</code></a> ${copyable(id, false)}`;
}
