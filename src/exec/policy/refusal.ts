/** How the gate says no: which word, which rule, which setting. @module */
import { OpsError } from "../../core/error.ts";

/** A word, an option or a construct that a rule refuses. */
export function refuse(what: string, reason: string, hint?: string): OpsError {
  return new OpsError(
    "COMMAND_NOT_ALLOWED",
    `${shorten(what)}: ${reason}`,
    hint ?? "Do it without this, or by another allowed program.",
  );
}

/** What only a confined program may do. */
export function refuseUnconfined(what: string, reason: string): OpsError {
  return refuse(
    what,
    `${reason}, and nothing confines programs on this machine`,
    "Run llmc-mcp doctor: it names what would confine them.",
  );
}

const MAX_SHOWN = 80;

/** Names are shown as they came, but on one line and not without end. */
export function shorten(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
