/** Defines a part of a page: rendered at once and updated live. @module */
import type { Markup } from "./markup.ts";
import { markup, type Piece } from "./markup.ts";
import type { Moment, Range } from "./moment.ts";

/** Who looks, and at what. */
export interface View {
  readonly range: Range;
  /** Whether the looker has proved to know the token, and so may answer for the operator. */
  readonly mayAct: boolean;
}

/** One piece. */
export interface Part {
  /** Unique on its page. */
  readonly id: string;
  /** Of its element; decides the width. */
  readonly className: string;
  render(moment: Moment, view: View): Markup;
}

/** The element that holds a part. */
export function partElement(part: Part, moment: Moment, view: View): Markup {
  return markup`<section id="${part.id}" class="part ${part.className}" data-part>${
    part.render(moment, view)
  }</section>`;
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

/** A button of the page's one form. `asks`: a script lets it be pressed twice before it does anything. */
export function actButton(label: string, about: string, act: string, className: string, asks = false): Markup {
  return markup`<button type="submit" form="act" name="act" value="${act}" class="${className}" aria-label="${label} ${about}"${
    asks ? markup` data-asks="Really ${label.toLowerCase()}?"` : ""
  }>${label}</button>`;
}
