/** Formats the arguments of a call in full for the person who approves it. @module */

/** What nobody reads before an answer is wanted; that it was cut is said. */
const MAX_CHARS = 32_768;

/** One line for each argument; texts of several lines stand below their name, so far in that none looks like another. */
export function argumentsText(args: object): string {
  const text = Object.entries(args).filter(([, value]) => value !== undefined).map(line).join("\n");
  if (text.length <= MAX_CHARS) return text;
  return `${text.slice(0, MAX_CHARS)}\n[${text.length - MAX_CHARS} characters more are not shown]`;
}

function line([name, value]: [string, unknown]): string {
  if (typeof value !== "string") return `${name}: ${JSON.stringify(value)}`;
  return value.includes("\n") ? `${name}:\n${value.replace(/^/gm, "    ")}` : `${name}: ${value}`;
}
