/** List of facts as names and values. @module */
import { type Markup, markup, type Piece } from "./markup.ts";

/** Each name beside its value. */
export function facts(rows: readonly (readonly [name: string, value: Piece])[]): Markup {
  return markup`<dl class="facts">${
    rows.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)
  }</dl>`;
}
