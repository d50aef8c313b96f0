/** Chooses the lines of a failure that say what is wrong. @module */

/** Code around the place, drawings, headings of a difference, frames, fields that repeat the message. */
const BESIDE =
  /^\s*$|^\s*>?\s*\d+ ?\||^\s*\|?\s*\^+\s*$|^\s+\|\s+\^|^\s*(?:- Expected|\+ Received|[+-] (?:actual|expected)\b|@@ )|^Traceback |^\s*(?:at |❯ |File ")|^\s*(?:location|name|code|operator|stack|duration_ms|type|failureType): |^-+ (?:pre-test )?output/;
const CHANGE = /^\s*[+-]\s*\S/, BRACKETS = /^[\s[\]{}(),]*$/;

/** The first of them, and of a difference only what differs. */
export function tellingLines(lines: readonly string[], most: number): string[] {
  const said = lines.filter((line) => !BESIDE.test(line) && !BRACKETS.test(line)), [first, ...others] = said;
  if (first === undefined) return [];
  const changes = others.filter((line) => CHANGE.test(line));
  return [first, ...changes.length > 0 ? changes : others].slice(0, most);
}
