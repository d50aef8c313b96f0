/** OpenAPI description, as at /docs, for a browser that cannot send the token in a header. @module */
import { docsContent } from "../../http/docs_page.ts";
import { markup } from "../markup.ts";
import { panel, type Part } from "../part.ts";

/** Does not change while the settings stay. */
export const docsPart: Part = {
  id: "docs",
  className: "wide",
  render(moment) {
    const content = docsContent(moment.api());
    if (content instanceof Promise) throw new Error("a piece of HTML came late");
    return panel("Calling this server over HTTP", markup`<div class="docs">${content}</div>`);
  },
};
