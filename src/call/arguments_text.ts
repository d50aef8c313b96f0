/** Shows the arguments of a call to the person who has to allow it: whole, line by line, nothing hidden. @module */
import { visible } from "../core/visible.ts";

/** A longer text cannot be shown whole on one screen, so that such a call cannot be allowed. */
const MAX_CHARS = 1024 * 1024;
/** Begins every line of a text, so that none of them can pass for a line of ours. */
const MARGIN = "  | ";

/** One line for each argument, texts of several lines below their name; null when it is too long to be shown whole. */
export function argumentsText(args: object): string | null {
  const text = Object.entries(args).filter(([, value]) => value !== undefined).map(line).join("\n");
  return text.length > MAX_CHARS ? null : text;
}

function line([name, value]: [string, unknown]): string {
  const key = visible(name).replaceAll("\n", "\\n");
  if (typeof value !== "string") return `${key}: ${visible(JSON.stringify(value))}`;
  const text = visible(value);
  return text.includes("\n") ? `${key}:\n${text.replace(/^/gm, MARGIN)}` : `${key}: ${text}`;
}
