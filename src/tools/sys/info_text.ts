/** Formats facts as compact lines: names once, then values. @module */

/** Plain values on one line; a list of rows as a heading with its columns and one line for each row. */
export function infoLines(data: Readonly<Record<string, unknown>>): string[] {
  const plain: string[] = [], tables: string[] = [];
  for (const [name, value] of Object.entries(data)) {
    if (isTable(value)) tables.push(...tableLines(name, value));
    else plain.push(`${name} ${cell(value)}`);
  }
  return [...plain.length > 0 ? [plain.join(", ")] : [], ...tables];
}

type Row = Readonly<Record<string, unknown>>;

function isTable(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every((row) => typeof row === "object" && row !== null && !Array.isArray(row));
}

/** A column that some rows lack stands last, with its name in the row. */
function tableLines(name: string, rows: readonly Row[]): string[] {
  const [first] = rows;
  if (first === undefined) return [`${name}: none`];
  const everywhere = Object.keys(first).filter((key) => rows.every((row) => key in row));
  const lines = rows.map((row) => {
    const others = Object.keys(row).filter((key) => !everywhere.includes(key)).map((key) => `${key} ${cell(row[key])}`);
    return [...everywhere.map((key) => cell(row[key])), ...others].join(" ");
  });
  return [`${name}: ${everywhere.join(" ")}`, ...lines];
}

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(String).join(",");
  return value === "" ? "-" : String(value);
}
