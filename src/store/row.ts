/** Typed access to the columns of a row. @module */
import type { Statement } from "../sys/database.ts";

/** A row as the driver gives it. */
export type Row = NonNullable<ReturnType<Statement["get"]>>;

/** A column that is text. @throws TypeError when it is not. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw new TypeError(`column ${column} is not text`);
}

/** A column that is a number. @throws TypeError when it is not. */
export function numberOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === "number") return value;
  throw new TypeError(`column ${column} is not a number`);
}

/** A column that may be null. */
export function maybe<T>(row: Row, column: string, read: (row: Row, column: string) => T): T | null {
  return row[column] === null || row[column] === undefined ? null : read(row, column);
}
