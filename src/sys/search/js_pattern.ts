/** Translates ripgrep patterns to JavaScript regular expressions for the fallback search. @module */
import { OpsError } from "../../core/error.ts";
import type { Span } from "./found_lines.ts";

/** Finds the first match in a text; null when there is none. */
export type Find = (text: string) => Span | null;

/** How a pattern is meant. */
export interface PatternOptions {
  readonly literal: boolean;
  readonly ignoreCase: boolean;
}

/** Classes that ripgrep knows by name; they are ASCII there as well. */
const NAMED_CLASSES: Readonly<Record<string, string>> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  punct: "!-\\/:-@\\[-`\\{-~",
  xdigit: "0-9A-Fa-f",
  word: "\\w",
};

/**
 * Compiles a pattern.
 *
 * @throws OpsError INVALID_ARGUMENT when it cannot be read, or could take for ever on this engine.
 */
export function compileFind(pattern: string, { literal, ignoreCase }: PatternOptions): Find {
  if (literal && !ignoreCase) {
    return (text) => {
      const start = text.indexOf(pattern);
      return start < 0 ? null : { start, end: start + pattern.length };
    };
  }
  const expression = literal ? new RegExp(RegExp.escape(pattern), "iu") : translate(pattern, ignoreCase ? "imu" : "mu");
  return (text) => {
    const found = expression.exec(text);
    return found && { start: found.index, end: found.index + found[0].length };
  };
}

function translate(pattern: string, flags: string): RegExp {
  if (/\((?:[^()\\]|\\.)*(?:[+*]|\{\d+,\})(?:[^()\\]|\\.)*\)(?:[+*]|\{\d+,)/.test(pattern)) {
    // This engine goes back over what it tried, and nothing can stop it.
    throw refuse("a repeated group with a repetition inside is too slow for the built-in search");
  }
  const [whole = "", given = ""] = pattern.match(/^\(\?([ims]+)\)/) ?? [];
  const source = pattern.slice(whole.length)
    .replaceAll("(?P<", "(?<")
    .replace(/\[:(\w+):\]/g, (all, name: string) => NAMED_CLASSES[name] ?? all)
    .replace(/\\([Az<>])/g, (_, letter: string) => letter === "A" ? "^" : letter === "z" ? "$" : "\\b");
  try {
    return new RegExp(source, [...new Set(flags + given)].join(""));
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(reason: string): OpsError {
  return new OpsError(
    "INVALID_ARGUMENT",
    reason,
    "Correct 'pattern', or set literal to true to search for it literally.",
  );
}
