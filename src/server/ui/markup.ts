/** HTML templates that escape every value. @module */
import { html } from "hono/html";

/** A piece of HTML that came from a template. */
export interface Markup {
  toString(): string;
  readonly isEscaped: true;
}

/** What a template takes; what is no markup is text. */
export type Piece = string | number | Markup | null | undefined | false | readonly Piece[];

/** The template tag. Places for pieces are element contents and attribute values between double quotes, nothing else. */
export function markup(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  const made = html(strings, ...pieces);
  if (made instanceof Promise) throw new Error("a piece of HTML came late");
  return made;
}

/**
 * What would be invisible, or would make other text look like something else: controls, joiners, direction marks,
 * separators, tags. Tab and newline are left alone.
 */
const HIDDEN =
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  /[\0-\x08\v-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Text of models, files and processes as a person can trust it: nothing hidden, nothing reordered. */
export function visible(text: string): string {
  return text.toWellFormed().replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
