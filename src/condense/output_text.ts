/** Cleans terminal output for a reader that is not a terminal. @module */

const SEQUENCE =
  // deno-lint-ignore no-control-regex -- terminal sequences are control characters
  /(?:\x1b\[|\u009b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b[ -/]+[0-~]|\x1b[0-~]/g;
// deno-lint-ignore no-control-regex -- what no reader needs: bell, shift, delete and their like
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u0080-\u009f]/g;
// deno-lint-ignore no-control-regex -- a letter printed over itself, as man does for bold
const OVERSTRIKE = /[^\n\x08]\x08/g;
// deno-lint-ignore no-control-regex -- a sequence whose end is still to come
const UNFINISHED = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]{0,256}\x1b?|[PX^_][^\x1b]{0,256}\x1b?|[ -/]*)?$/;

/** Removes terminal sequences and control characters; tabs, line ends and all text stay. */
export function stripControls(text: string): string {
  // deno-lint-ignore no-control-regex -- the quick test for the usual case: nothing to do
  if (!/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u0080-\u009f]/.test(text)) return text;
  return text.replace(OVERSTRIKE, "").replace(SEQUENCE, "").replace(CONTROL, "");
}

/** What a terminal shows in the end: a carriage return starts the line again. */
export function settleLines(text: string): string {
  return text.includes("\r") ? text.replace(/\r+\n/g, "\n").replace(/^[^\n]*\r(?=[^\r\n])/gm, "") : text;
}

/** Length of the text without a sequence, or a carriage return, that may go on in the next output. */
export function settledLength(text: string): number {
  const unfinished = text.slice(-300).match(UNFINISHED);
  const length = text.length - (unfinished?.[0].length ?? 0);
  return text.charAt(length - 1) === "\r" ? length - 1 : length;
}
