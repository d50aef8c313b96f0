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
