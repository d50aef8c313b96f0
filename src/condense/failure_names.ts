/** Names many failures in few words: names that differ in their last number only become one with a list of numbers. @module */
import { note } from "../core/bound.ts";
import { lineTokens } from "../core/tokens.ts";

/** Names of one form. */
interface NameGroup {
  /** With `#` for the last number; a name without a number as it is. */
  readonly form: string;
  readonly numbers: string[];
}

const LAST_NUMBER = /\d+(?=\D*$)/;

/**
 * One note that names failures, as far as there is room.
 *
 * @returns the note, empty when there is nothing to name or no room, and how many it names
 */
export function nameFailures(
  names: readonly string[],
  room: number,
): { readonly text: string; readonly named: number } {
  let text = "", named = 0;
  const parts: string[] = [];
  for (const group of groupNames(names)) {
    const longer = note(`also failed: ${[...parts, partOf(group)].join(", ")}`);
    if (lineTokens(longer) > room) break;
    parts.push(partOf(group));
    text = longer;
    named += Math.max(1, group.numbers.length);
  }
  return { text, named };
}

function groupNames(names: readonly string[]): NameGroup[] {
  const groups = new Map<string, NameGroup>();
  names.forEach((name, at) => {
    const number = LAST_NUMBER.exec(name)?.[0];
    const form = number === undefined ? name : name.replace(LAST_NUMBER, "#");
    const group = groups.get(form);
    if (number === undefined) groups.set(`${form}\n${at}`, { form, numbers: [] }); // two may have the same name
    else if (group === undefined) groups.set(form, { form, numbers: [number] });
    else group.numbers.push(number);
  });
  return [...groups.values()];
}

function partOf({ form, numbers }: NameGroup): string {
  const [first = "", ...others] = numbers;
  if (others.length === 0) return form.replace(/#(?=[^#]*$)/, first);
  return `${form} (# = ${rangesOf(numbers).join(" ")})`;
}

/** `1-4 7`; numbers that are written with zeros before them stay as they are. */
function rangesOf(numbers: readonly string[]): string[] {
  if (numbers.some((number) => /^0\d/.test(number) || number.length > 15)) return [...numbers];
  const sorted = numbers.map(Number).sort((a, b) => a - b), ranges: [first: number, last: number][] = [];
  for (const number of sorted) {
    const range = ranges.at(-1);
    if (range !== undefined && number === range[1] + 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => first === last ? `${first}` : `${first}-${last}`);
}
