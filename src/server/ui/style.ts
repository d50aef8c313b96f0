/** Style sheet of the page: one response, several source files. @module */
import activity from "./style/activity.css" with { type: "text" };
import bar from "./style/bar.css" with { type: "text" };
import base from "./style/base.css" with { type: "text" };
import buttons from "./style/buttons.css" with { type: "text" };
import details from "./style/details.css" with { type: "text" };
import docs from "./style/docs.css" with { type: "text" };
import login from "./style/login.css" with { type: "text" };
import medium from "./style/medium.css" with { type: "text" };
import narrow from "./style/narrow.css" with { type: "text" };
import page from "./style/page.css" with { type: "text" };
import settings from "./style/settings.css" with { type: "text" };
import tables from "./style/tables.css" with { type: "text" };

/** In the order in which later rules may overrule earlier ones. */
export const STYLE = [base, bar, page, buttons, tables, activity, settings, details, docs, login, medium, narrow].join(
  "\n",
);
