/** Builds the errors of the program policy: which word, which rule, what to do instead. @module */
import { OpsError } from "../../core/error.ts";

/** A word, an option or a construct that a rule refuses. */
export function refuse(what: string, reason: string, hint = "Do it another way."): OpsError {
  return new OpsError("COMMAND_NOT_ALLOWED", `${shorten(what)}: ${reason}`, hint);
}

/** What only a confined program may do. */
export function refuseUnconfined(what: string, reason: string): OpsError {
  return refuse(what, `${reason}, and nothing confines programs here`, "See llmc-mcp doctor.");
}

const MAX_SHOWN = 80;

/** Names are shown as they came, but on one line and bounded. */
export function shorten(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
