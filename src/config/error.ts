/** Defines the configuration error: where the problem is and what to write instead. @module */
import { maskLine } from "./redact.ts";

/** One fault. */
export interface Problem {
  /** `FILE:LINE:COLUMN`, the name of an environment variable, or the command line. */
  readonly where: string;
  /** What is wrong, what is expected, what was found. */
  readonly message: string;
  /** The line of the file, with a caret under the place. */
  readonly excerpt?: string;
}

/** The configuration cannot be used. The message lists every fault, each with its place. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(format).join("\n"));
  }
}

function format({ where, message, excerpt }: Problem): string {
  return excerpt === undefined ? `${where}: ${message}` : `${where}: ${message}\n${excerpt}`;
}

/**
 * The line of a text with a caret under one of its columns. What looks like a secret is cut off: a message ends in logs.
 * @param line counted from 1
 * @param column counted from 1, in UTF-16 units
 */
export function excerptOf(text: string, line: number, column: number): string {
  const raw = text.split("\n", line)[line - 1]?.replace(/\r$/, "") ?? "";
  const start = Math.max(0, column - 80);
  const shown = maskLine(raw).slice(start, start + 120);
  const gutter = `  ${line} | `;
  const caret = `${" ".repeat(gutter.length - 2)}| ${" ".repeat(Math.min(column - 1 - start, shown.length))}^`;
  return `${gutter}${shown.replaceAll("\t", " ")}\n${caret}`;
}
