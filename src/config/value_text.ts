/** Parses values from text, as in the environment and on the command line. @module */
import type { SchemaNode } from "./keys.ts";

/**
 * The value that a text means for a key. Lists and tables are JSON, or `a,b` and `name=1,other=2`.
 * A text that means nothing for the key comes back as it is, so that the check of the key can report it.
 */
export function readValue(node: SchemaNode, text: string): unknown {
  switch (node.type) {
    case "boolean":
      return readBoolean(text);
    case "integer":
    case "number":
      return readNumber(text);
    case "array":
      return readList(node, text);
    case "object":
      return readTable(node, text);
    default:
      return text;
  }
}

function readBoolean(text: string): boolean | string {
  const word = text.trim().toLowerCase();
  if (["true", "yes", "on", "1"].includes(word)) return true;
  return ["false", "no", "off", "0"].includes(word) ? false : text;
}

function readNumber(text: string): number | string {
  const digits = text.trim().replace(/(?<=\d)_(?=\d)/g, "");
  return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(digits) ? Number(digits) : text;
}

function readList(node: SchemaNode, text: string): unknown {
  const json = readJson(text, "[");
  if (json !== undefined) return json;
  // a list in JSON with a fault must not pass as a list of odd names
  if (/^\s*\[.*"/s.test(text)) return text;
  const item = node.items;
  return pieces(text).map((piece) => item ? readValue(item, piece) : piece);
}

function readTable(node: SchemaNode, text: string): unknown {
  const json = readJson(text, "{");
  if (json !== undefined) return json;
  const pairs = pieces(text).map((piece) => {
    const [name = "", ...rest] = piece.split("=");
    const value = rest.join("=");
    const item = node.additionalProperties;
    return [name.trim(), typeof item === "object" ? readValue(item, value) : value] as const;
  });
  return pairs.every(([name]) => name !== "") && text.includes("=") ? Object.fromEntries(pairs) : text;
}

function readJson(text: string, opening: string): unknown {
  if (!text.trimStart().startsWith(opening)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pieces(text: string): string[] {
  return text.split(",").map((piece) => piece.trim()).filter((piece) => piece !== "");
}
