/** Splits bytes into lines of JSON, within a bound; of a line that is too long, only its `id` is kept. @module */

/** One line. */
export type JsonLine =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "invalid" }
  | { readonly kind: "too-long"; readonly id: string | number | null; readonly sizeBytes: number };

/** Takes bytes as they come, and gives the lines that they complete. */
export interface JsonLineReader {
  push(bytes: Uint8Array): JsonLine[];
}

const NEWLINE = 10, QUOTE = 34, BACKSLASH = 92, COMMA = 44;
const OPENING: ReadonlySet<number> = new Set([91, 123]), CLOSING: ReadonlySet<number> = new Set([93, 125]);
/** An identifier is a number or a short text. */
const MAX_ID_BYTES = 256;

/** Makes a reader. @param maxBytes Of one line without its end. */
export function makeJsonLineReader(maxBytes: number): JsonLineReader {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [], sizeBytes = 0;
  let search: IdSearch | null = null;

  const add = (bytes: Uint8Array) => {
    sizeBytes += bytes.length;
    if (search) search.push(bytes);
    else {
      parts.push(bytes);
      if (sizeBytes <= maxBytes) return;
      search = makeIdSearch();
      for (const part of parts) search.push(part);
      parts = [];
    }
  };
  const finish = (): JsonLine | null => {
    const whole = parts, found = search, length = sizeBytes;
    [parts, sizeBytes, search] = [[], 0, null];
    if (found) return { kind: "too-long", id: found.id(), sizeBytes: length };
    const text = decoder.decode(whole.length === 1 ? whole[0] : join(whole, length)).trim();
    return text === "" ? null : parse(text);
  };
  return {
    push(bytes) {
      const lines: JsonLine[] = [];
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        add(bytes.subarray(start, end));
        start = end + 1;
        const line = finish();
        if (line) lines.push(line);
      }
      // The caller may use the memory of its bytes again.
      if (start < bytes.length) add(search ? bytes.subarray(start) : bytes.slice(start));
      return lines;
    },
  };
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function parse(text: string): JsonLine {
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch {
    return { kind: "invalid" };
  }
}

interface IdSearch {
  push(bytes: Uint8Array): void;
  id(): string | number | null;
}

/** Looks for `"id": …` at the top level of an object of any length; clients write it first or last. */
function makeIdSearch(): IdSearch {
  let depth = 0, inText = false, escaped = false;
  /** The text of a key or value of the top level, as far as it may matter. */
  let token = "", key = "";
  let found: string | null = null;

  const take = (byte: number) => {
    if (token.length < MAX_ID_BYTES) token += String.fromCharCode(byte);
  };
  const endValue = () => {
    if (key === '"id"' && found === null) found = token.trim();
    [token, key] = ["", ""];
  };
  const step = (byte: number) => {
    if (inText) {
      if (depth === 1) take(byte);
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) {
      inText = true;
      if (depth === 1) take(byte);
    } else if (OPENING.has(byte)) depth++;
    else if (CLOSING.has(byte)) {
      if (depth === 1) endValue();
      depth--;
    } else if (depth !== 1) return;
    else if (byte === COMMA) endValue();
    else if (byte === 58 && key === "") [key, token] = [token.trim(), ""];
    else take(byte);
  };
  return {
    push(bytes) {
      for (const byte of bytes) step(byte);
    },
    id() {
      const line = found === null ? null : parse(found);
      const value = line?.kind === "value" ? line.value : null;
      return typeof value === "string" || typeof value === "number" ? value : null;
    },
  };
}
