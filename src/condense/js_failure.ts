/** Describes a failed test of a JavaScript runner from what it printed. @module */
import { tellingLines } from "./telling_lines.ts";
import { splitLocation, type TestFailure, tidy } from "./test_run.ts";

/** Frames of runners and runtimes: they say nothing about the fault. */
const FOREIGN_FRAME = /\(?(?:node:|ext:|deno:|internal\/|.*\/node_modules\/(?:jest|vitest|@jest|@vitest|mocha)[-/])/;
const FRAME = /^\s+(?:at |❯ )/;

function withoutForeignFrames(lines: readonly string[]): string[] {
  return lines.filter((line) =>
    !(FRAME.test(line) && FOREIGN_FRAME.test(line.replace(/^\s+(?:at |❯ )/, "").replace(/^.*\(/, "("))) &&
    !/^\s+at (?:new Promise|async Promise\.all|Array\.\w+) \(?(?:<anonymous>|index)/.test(line)
  );
}

/** Where the first own frame points: `file:line:column` in parentheses or bare. */
function frameLocation(lines: readonly string[]): { file: string; line: number } {
  const frames = lines.filter((line) => FRAME.test(line) && !FOREIGN_FRAME.test(line.replace(/^.*\(|^\s+at /, "")));
  const found = frames.map((line) => /\(?((?:file:\/\/)?[^\s()]+:\d+:\d+)\)?/.exec(line)?.[1]).find((each) =>
    each !== undefined
  );
  return splitLocation(found?.replace(/^file:\/\//, ""));
}

/** @param title The runner's line with its name. @param body What was printed below it. @param location Where the first own frame points, unless it is known. */
export function makeFailure(
  title: string,
  body: readonly string[],
  location = frameLocation(body),
  name = title,
): TestFailure {
  const lines = tidy(withoutForeignFrames(body));
  const frame = lines.find((line) => FRAME.test(line));
  const before = lines.slice(0, Math.max(1, lines.findIndex((line) => FRAME.test(line)))).slice(0, 14);
  const essence = frame === undefined ? lines.slice(0, 15) : [...before, ...(before.includes(frame) ? [] : [frame])];
  return { name, ...location, message: messageOf(lines), block: [title, ...lines], essence: [title, ...essence] };
}

const MESSAGE_LINES = 4;
const ERROR = /(?:Error|Exception)\b|^\s*(?:expect|assert|panic)/;

/** What is wrong in one line: the error with what was expected and received. */
function messageOf(lines: readonly string[]): string {
  const end = lines.findIndex((line) => FRAME.test(line)), said = lines.slice(0, end < 0 ? undefined : end);
  const error = said.findIndex((line) => ERROR.test(line)); // what the test printed itself may come before it
  return tellingLines(said.length > 0 ? said.slice(Math.max(0, error)) : lines, MESSAGE_LINES).map((line) =>
    line.trim()
  ).join(" ");
}
