/** Shows failed tests: one of each kind as far as there is room, the others by name. @module */
import { cutLine } from "../core/bound.ts";
import { lineTokens } from "../core/tokens.ts";
import { nameFailures } from "./failure_names.ts";
import { tellingLines } from "./telling_lines.ts";
import { blockCost, groupBy, type Page } from "./page.ts";
import type { TestFailure } from "./test_run.ts";

/** Lines of a failure, of the forms that are shorter than its block. */
const BRIEF_LINES = 6, LINE_CHARACTERS = 160, MESSAGE_CHARACTERS = 120;
/** Kept for the names of those that are not told. */
const NAMES_TOKENS = 130;

/** Of failures that say the same but for their numbers, so many are told: one in full, the others in a line. */
const MAX_ALIKE = 3;

/** What is not shown. */
export interface NotShown {
  /** Failures that are not even named. */
  readonly hidden: number;
  /** Failures of which something is left out. */
  readonly cut: number;
}

/** Adds what there is room for. */
export function addFailures(page: Page, failures: readonly TestFailure[]): NotShown {
  const kinds = [...groupBy(failures, kindOf).values()];
  const told = kinds.flatMap(([first]) => first === undefined ? [] : [first]);
  const alike = kinds.flatMap((kind) => kind.slice(1, MAX_ALIKE)),
    untold = kinds.flatMap((kind) => kind.slice(MAX_ALIKE));
  const namesCost = (some: readonly TestFailure[]) =>
    Math.min(NAMES_TOKENS, lineTokens(nameFailures(some.map(({ name }) => name), NAMES_TOKENS).text));
  let cut = 0;
  for (const [i, failure] of told.entries()) {
    const room = page.room - namesCost([...alike, ...untold]), share = room / (told.length - i);
    const forms = [["", ...failure.block], ["", ...briefOf(failure)], [nameWithMessage(failure)]];
    const fits = forms.findIndex((lines) => blockCost(lines) <= share), shortest = forms.length - 1;
    const form = fits < 0 && blockCost(forms[shortest] ?? []) <= room ? shortest : fits;
    if (form < 0) untold.push(failure);
    else {
      page.addAll(forms[form] ?? []);
      if (form > 0) cut++;
    }
  }
  for (const [i, failure] of alike.entries()) {
    const line = nameWithMessage(failure), others = namesCost([...alike.slice(i + 1), ...untold]);
    if (lineTokens(line) > page.room - others || !page.add(line)) untold.push(failure);
    else cut++;
  }
  const { text, named } = nameFailures(untold.map(({ name }) => name), page.room);
  if (text !== "") page.force(text);
  return { hidden: untold.length - named, cut: cut + named };
}

/** What a failure says, without its numbers and its name. */
function kindOf({ name, message, essence }: TestFailure): string {
  const own = name.split(/[\s.:(]+/).filter((part) => part.length > 2);
  const said = message === "" ? essence.join("\n") : message;
  return own.reduce((text, part) => text.replaceAll(part, ""), said).replace(/\d+/g, "#");
}

/** The title of a failure, and its place when the runner prints that as `file:line`. */
function nameWithPlace({ block, name, file, line }: TestFailure): string {
  const title = block[0] ?? name;
  const place = `${file}:${line}`;
  const said = file !== "" && !title.includes(place) && block.some((each) => each.includes(place));
  return said ? `${title} ${place}` : title;
}

function nameWithMessage(failure: TestFailure): string {
  const name = nameWithPlace(failure), { message } = failure;
  return message === "" || name.includes(message) ? name : `${name} ${cutLine(message, MESSAGE_CHARACTERS)}`;
}

/** Its title with its place, and the first lines that say what is wrong. */
function briefOf(failure: TestFailure): string[] {
  const lines = tellingLines(failure.essence.slice(1), BRIEF_LINES);
  return [nameWithPlace(failure), ...lines.map((line) => cutLine(line, LINE_CHARACTERS))];
}
