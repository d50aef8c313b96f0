/** Section of a page that is rendered at once and updated while it is open. @module */
import type { HandlePiece } from "./handle_piece.ts";
import { type Markup, markup, type Piece } from "./markup.ts";
import type { Moment, Range } from "./moment.ts";

/** Who looks, and at what. */
export interface View {
  readonly range: Range;
  /** Whether the looker has proved to know the token, and so may answer for the operator. */
  readonly mayAct: boolean;
  /** What a page is about that shows one thing: the id of a call, the name of a handle; else empty. */
  readonly item: string;
  /** Of that handle. */
  readonly piece: HandlePiece | null;
}

/** One piece. */
export interface Part {
  /** Unique on its page. */
  readonly id: string;
  /** Of its element; decides the width. */
  readonly className: string;
  render(moment: Moment, view: View): Markup;
}

/** The element that holds a part; the stream fills it. */
export function partElement({ id, className }: Part): Markup {
  return markup`<section id="${id}" class="part ${className}" data-part></section>`;
}

/** A panel with a heading; an empty one says why. */
export function panel(title: string, body: Piece, aside: Piece = ""): Markup {
  return markup`<div class="panel"><div class="panel-head"><h2>${title}</h2><div class="aside">${aside}</div></div>${body}</div>`;
}

/** In the place of what is not there. */
export function nothing(text: Piece): Markup {
  return markup`<p class="nothing">${text}</p>`;
}

/** In the place of what cannot be read. */
export const UNREADABLE = "The records cannot be read now; the server's log says why.";

/** A button that acts on something. `asks`: it must be pressed twice before it does anything. */
export function actButton(
  label: string,
  about: string,
  act: string,
  id: string,
  className: string,
  asks = false,
): Markup {
  return markup`<button type="button" data-act="${act}" data-id="${id}" class="${className}" aria-label="${label} ${about}"${
    asks ? markup` data-asks="Really ${label.toLowerCase()}?"` : ""
  }>${label}</button>`;
}
