/** Finds the line and column of each key and value in a TOML text, which the parser does not report. @module */
import { decodeKey } from "./toml.ts";

/** A place in a text; both counted from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

type Path = readonly (string | number)[];

/** Answers for a path of names and indexes. */
export interface Locator {
  /** Where the last name of the path is first written. */
  key(path: Path): Position | undefined;
  /** Where its value begins; for a table that has a header, the header. */
  value(path: Path): Position | undefined;
}

interface Mark {
  readonly key: number;
  readonly value: number;
}

/** Reads a text that is known to be valid TOML and remembers where everything is. */
export function locate(text: string): Locator {
  const marks = new Map<string, Mark>();
  new Scanner(text, (path, mark) => {
    const id = JSON.stringify(path);
    if (!marks.has(id)) marks.set(id, mark);
  }).document();
  const position = (offset: number | undefined) => offset === undefined ? undefined : positionAt(text, offset);
  return {
    key: (path) => position(marks.get(JSON.stringify(path))?.key),
    value: (path) => position(marks.get(JSON.stringify(path))?.value),
  };
}

/** Line and column of an offset. */
function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - (before.lastIndexOf("\n") + 1) + 1 };
}

interface Segment {
  readonly name: string;
  readonly offset: number;
}

/** One pass over the text. It relies on validity for meaning, never for coming to an end. */
class Scanner {
  #at = 0;
  #tables = new Map<string, number>();

  constructor(readonly text: string, readonly found: (path: Path, mark: Mark) => void) {}

  document(): void {
    let table: Path = [];
    for (;;) {
      this.#blank(/[\s\uFEFF]/);
      if (this.#at >= this.text.length) return;
      if (this.text[this.#at] === "[") table = this.#header();
      else this.#assignment(table);
    }
  }

  /** `[a.b]` or `[[a.b]]`; the path that assignments below it have. */
  #header(): Path {
    const repeated = this.text.startsWith("[[", this.#at);
    this.#at += repeated ? 2 : 1;
    const segments = this.#key();
    let path: Path = [];
    segments.forEach(({ name, offset }, index) => {
      path = [...path, name];
      this.found(path, { key: offset, value: offset });
      const id = JSON.stringify(path);
      const last = repeated && index === segments.length - 1;
      const count = (this.#tables.get(id) ?? 0) + (last ? 1 : 0);
      if (count === 0) return;
      this.#tables.set(id, count);
      path = [...path, count - 1];
      this.found(path, { key: offset, value: offset });
    });
    this.#skip(/[\]\t ]/);
    return path;
  }

  /** `a.b = value`, in a document or an inline table. */
  #assignment(table: Path): void {
    const start = this.#at;
    const segments = this.#key();
    this.#skip(/[=\t ]/);
    segments.forEach(({ name, offset }, index) => {
      const path = [...table, ...segments.slice(0, index).map((segment) => segment.name), name];
      this.found(path, { key: offset, value: index === segments.length - 1 ? this.#at : offset });
    });
    this.#value([...table, ...segments.map((segment) => segment.name)]);
    if (this.#at === start) this.#at++;
  }

  #key(): Segment[] {
    const segments: Segment[] = [];
    for (;;) {
      this.#skip(/[\t ]/);
      const offset = this.#at;
      if (/["']/.test(this.text[offset] ?? "")) {
        this.#string();
        segments.push({ name: decodeKey(this.text.slice(offset, this.#at)), offset });
      } else {
        this.#skip(/[A-Za-z0-9_-]/);
        segments.push({ name: this.text.slice(offset, this.#at), offset });
      }
      this.#skip(/[\t ]/);
      if (this.text[this.#at] !== ".") return segments;
      this.#at++;
    }
  }

  #value(path: Path): void {
    const first = this.text[this.#at];
    if (first === '"' || first === "'") return this.#string();
    if (first === "[") {
      return this.#items("]", (index) => {
        this.found([...path, index], { key: this.#at, value: this.#at });
        this.#value([...path, index]);
      });
    }
    if (first === "{") return this.#items("}", () => this.#assignment(path));
    // a date may have a space inside
    this.#skip(/[^,\]}#\n]/);
  }

  /** What stands between brackets, separated by commas. */
  #items(close: string, item: (index: number) => void): void {
    this.#at++;
    for (let index = 0;; index++) {
      this.#blank(/[\s,]/);
      if (this.#at >= this.text.length) return;
      if (this.text[this.#at] === close) {
        this.#at++;
        return;
      }
      const start = this.#at;
      item(index);
      if (this.#at === start) this.#at++;
    }
  }

  /** Moves past a string of any of the four kinds. */
  #string(): void {
    const quote = this.text[this.#at] ?? "";
    const long = this.text.startsWith(quote.repeat(3), this.#at);
    const end = long ? quote.repeat(3) : quote;
    this.#at += end.length;
    while (this.#at < this.text.length && !this.text.startsWith(end, this.#at)) {
      this.#at += quote === '"' && this.text[this.#at] === "\\" ? 2 : 1;
    }
    this.#at += end.length;
    // up to two quotes may stand directly before the closing three
    if (long) this.#skip(new RegExp(quote));
  }

  /** Moves past characters of a class and comments. */
  #blank(filler: RegExp): void {
    for (;;) {
      this.#skip(filler);
      if (this.text[this.#at] !== "#") return;
      this.#skip(/[^\n]/);
    }
  }

  #skip(characters: RegExp): void {
    while (this.#at < this.text.length && characters.test(this.text[this.#at] ?? "")) this.#at++;
  }
}
