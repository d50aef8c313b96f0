/** Summarises the arguments of a call in one redacted line, without contents. @module */
import { maskCommandLine, maskSecrets } from "../core/mask_secrets.ts";
import { isSecretName } from "../core/secret_names.ts";

const MAX_CHARS = 200;
/** More than fit into a summary. */
const MAX_ARGUMENTS = 100;
const MAX_VALUE_CHARS = 80;
const MAX_COMMAND_CHARS = 120;
/** Enough to fill a summary; the rest of a long command is not worth the search for secrets. */
const MAX_LOOKED_AT = 2_000;
/** Words of a command; a longer word is a document. */
const MAX_WORDS = 50, MAX_WORD_CHARS = 500;

/** Arguments that are text of the user, however short; a question to the code search is often a whole message. */
const CONTENT =
  /^(?:content|contents|text|.*_text|diff|patch|stdin|input|data|body|code|.*_msg|message|value|q|query)$/i;
/** Arguments that are command lines: their secrets stand in words. */
const COMMAND = /^(?:command|cmd|argv|args)$/i;

const size = (text: string): string => `<${text.length} chars>`;

function oneLine(text: string, maxChars: number): string {
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  const line = text.replace(/[\x00-\x1f\x7f\u2028\u2029]+/g, " ").trim();
  return line.length > maxChars ? line.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, "") + "…" : line;
}

/** The first line of a command: what follows is often a document that the command writes. */
function summarizeCommand(words: readonly string[], isWhole: boolean): string {
  const masked = maskCommandLine(words);
  return oneLine(isWhole ? masked : `${masked} …`, MAX_COMMAND_CHARS);
}

/** Masks secrets that nothing but their values gives away. */
type Mask = (text: string) => string;

function summarizeText(key: string, text: string, mask: Mask): string {
  if (CONTENT.test(key)) return size(text);
  if (COMMAND.test(key)) {
    const newline = text.indexOf("\n"), first = newline < 0 ? text : text.slice(0, newline);
    return summarizeCommand(mask(first.slice(0, MAX_LOOKED_AT)).split(/\s+/), newline < 0);
  }
  return text.length > MAX_VALUE_CHARS || text.includes("\n")
    ? size(text)
    : oneLine(maskSecrets(mask(text)), MAX_VALUE_CHARS);
}

function summarizeList(key: string, list: readonly unknown[], mask: Mask): string {
  const words = list.slice(0, MAX_WORDS).filter((item) => typeof item === "string");
  if (COMMAND.test(key) && words.length === Math.min(list.length, MAX_WORDS)) {
    const shown = words.map((word) => word.length >= MAX_WORD_CHARS || word.includes("\n") ? size(word) : mask(word));
    return summarizeCommand(shown, true);
  }
  return `<${list.length} items>`;
}

function summarizeValue(key: string, value: unknown, mask: Mask): string {
  if (value === null || typeof value === "boolean" || typeof value === "number") return String(value);
  if (isSecretName(key)) return "***";
  if (typeof value === "string") return summarizeText(key, value, mask);
  if (Array.isArray(value)) return summarizeList(key, value, mask);
  return typeof value === "object" ? `<${Object.keys(value).length} keys>` : `<${typeof value}>`;
}

/**
 * `path=src/a.ts max_lines=40`: at most 200 characters, without contents and without secrets. The time does not grow with
 * what is not shown.
 *
 * @param mask Replaces secrets that nothing but their values gives away.
 */
export function summarizeArgs(args: unknown, mask: Mask = (text) => text): string {
  if (typeof args !== "object" || args === null) return "";
  const parts = Object.entries(args).slice(0, MAX_ARGUMENTS).filter(([, value]) => value !== undefined).map(
    ([key, value]) => {
      const shown = summarizeValue(key, value, mask);
      return `${oneLine(key.slice(0, MAX_LOOKED_AT), 40)}=${
        /[\s"]/.test(shown) && !shown.startsWith("<") ? JSON.stringify(shown) : shown
      }`;
    },
  );
  return oneLine(parts.join(" "), MAX_CHARS);
}

const MAX_PROGRAMS_CHARS = 60;

/** A summary, and which programs a command in it names: `command="cat a | sort" (cat sort)`. */
export function withPrograms(summary: string, programs: readonly string[] = []): string {
  if (programs.length < 2) return summary; // the command says it itself
  const names = ` (${oneLine(programs.join(" "), MAX_PROGRAMS_CHARS)})`;
  return oneLine(summary, MAX_CHARS - names.length) + names;
}
