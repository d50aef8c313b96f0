/** The description of the API, as at /docs: a browser without the token in a header can read it here. @module */
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
