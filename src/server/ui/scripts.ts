/** Scripts of the page: modules that the browser loads by name. @module */
import actions from "./script/actions.js" with { type: "text" };
import app from "./script/app.js" with { type: "text" };
import details from "./script/details.js" with { type: "text" };
import key from "./script/key.js" with { type: "text" };
import morph from "./script/morph.js" with { type: "text" };
import stream from "./script/stream.js" with { type: "text" };

/** By the name under which the others import it. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  "actions.js": actions,
  "app.js": app,
  "details.js": details,
  "key.js": key,
  "morph.js": morph,
  "stream.js": stream,
};

/** Their type on the wire. */
export const SCRIPT_TYPE = "text/javascript; charset=utf-8";
