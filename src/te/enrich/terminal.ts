/** Takes out of an output what only a terminal needs: colours, cursor moves, overwritten progress lines. @module */

// deno-lint-ignore no-control-regex -- terminal sequences are control characters
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** The text as it would stand on the screen in the end, line by line. */
export function stripTerminal(text: string): string {
  const plain = text.includes("\u001b") ? text.replace(SEQUENCE, "") : text;
  if (!plain.includes("\r")) return plain;
  return plain.replace(/\r\n/g, "\n").replace(/^.*\r(?!$)/gm, "").replace(/\r$/gm, "");
}
