/** Table that becomes a list of cards on a narrow screen, each value with its column name. @module */
import { type Markup, markup, type Piece } from "./markup.ts";

/** One column. */
export interface Column {
  readonly name: string;
  /** Figures stand at the right. */
  readonly isNumber?: boolean;
}

/** One row: its cells in the order of the columns, and what tells it from the others. */
export interface CardRow {
  readonly id: string;
  readonly cells: readonly Piece[];
}

/** The whole; its roles stay those of a table when it is shown as cards. @param label For who does not see it. */
export function cardTable(label: string, columns: readonly Column[], rows: readonly CardRow[]): Markup {
  const headings = columns.map(({ name, isNumber }) =>
    markup`<th role="columnheader" scope="col" class="${isNumber ? "number" : ""}">${name}</th>`
  );
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table role="table" class="cards">
<thead role="rowgroup"><tr role="row">${headings}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => card(columns, row))}</tbody></table></div>`;
}

function card(columns: readonly Column[], { id, cells }: CardRow): Markup {
  return markup`<tr role="row" id="${id}">${
    columns.map(({ name, isNumber }, index) =>
      markup`<td role="cell" class="${isNumber ? "number" : ""}" data-name="${name}"><div>${cells[index]}</div></td>`
    )
  }</tr>`;
}
