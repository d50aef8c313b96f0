/** Text with a button that copies it. @module */
import { type Markup, markup } from "./markup.ts";

/** @param isShown False beside an element that shows the text already. */
export function copyable(text: string, isShown = true): Markup {
  return markup`${
    isShown ? markup`<code>${text}</code> ` : ""
  }<button type="button" class="quiet small copy" data-copy="${text}" aria-label="Copy ${text}">Copy</button>`;
}
