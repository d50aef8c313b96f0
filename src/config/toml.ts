/** Parses TOML; the only module that imports the parser. @module */
import { parse, TomlError } from "smol-toml";
import { ConfigError, excerptOf } from "./error.ts";

/**
 * The tables of a TOML text.
 * @throws {ConfigError} with line, column and the line itself when the text is not TOML or repeats a key
 */
export function parseToml(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    const reason = error.message.split("\n", 1)[0]?.replace(/^Invalid TOML document: /, "") ?? "";
    const excerpt = excerptOf(text, line, column);
    throw new ConfigError([{ where: `${file}:${line}:${column}`, message: `not valid TOML: ${reason}`, excerpt }]);
  }
}

/** The name that a quoted key stands for. */
export function decodeKey(quoted: string): string {
  return Object.keys(parse(`${quoted} = 0`))[0] ?? quoted;
}

/** A value as TOML, on one line. */
export function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\x7f", "\\u007f");
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value).map(([name, item]) => `${tomlKey(name)} = ${tomlValue(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** A name as a TOML key: bare where that is possible. */
export function tomlKey(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : tomlValue(name);
}
