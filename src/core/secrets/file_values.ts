/** Extracts the secrets from files meant to hold them: `.env`, `.npmrc`, credentials, keys. @module */
import { isSecretName } from "../secret_names.ts";
import { findSecrets } from "./find_secrets.ts";

/** One value that a file holds. */
export interface FileValue {
  /** Of the variable; what a placeholder calls it. */
  readonly name: string;
  readonly value: string;
  /** Too common a word to be looked for by itself: masked only behind its name. */
  readonly isCommon: boolean;
}

/** Names of files that hold secrets, in any folder, and of those that only show which variables there are. */
const SECRET_FILE =
  /^(?:\.env(?:\..*|rc)?|.*\.env|\.dev\.vars|\.npmrc|\.yarnrc\.yml|\.netrc|\.pypirc|\.git-credentials|credentials|secrets\.(?:json|ya?ml|toml)|.*\.(?:tfvars|pem|key)|id_(?:rsa|dsa|ecdsa|ed25519))$/;
const EXAMPLE = /\.(?:example|sample|template|dist|defaults?|schema)(?:\.|$)/i;

/** Whether a file of this name holds secrets and not examples. */
export function isSecretFile(name: string): boolean {
  return name.length < 256 && SECRET_FILE.test(name) && !EXAMPLE.test(name);
}

/**
 * `NAME=value`, `name: value`, `"name": "value"`; `export` may come before it. A line without blanks at its end: a pattern
 * that looked for them would look from each blank again.
 */
const ASSIGNMENT = /^[\s{,-]*(?:export\s{1,8})?["']?([A-Za-z_][\w.-]{0,100})["']?\s{0,16}[=:]\s{0,16}([^\n]+)$/;
/** `machine x login y password z`. */
const NETRC = /\b(password)\s{1,8}(\S{4,512})/;
const PLACEHOLDER = /^(?:[<$%{[*].*|x{3,}|\.{3,}|(?:change|replace|your|insert|todo|example)\b.*)$/i;
const SHORTEST = 6, LONGEST_LINE = 4_200, MOST_VALUES = 1_000;
const RANDOM_LENGTH = 16, DISTINCT = 10;

/** The secrets in the text of such a file, or of a part of it; those of a known format among them. */
export function readFileValues(text: string): readonly FileValue[] {
  const found: FileValue[] = findSecrets(text).slice(0, MOST_VALUES).map(({ start, end, name }) => ({
    name: nameBefore(text, start) ?? name,
    value: text.slice(start, end),
    isCommon: false,
  }));
  for (const line of text.split("\n")) {
    if (found.length >= MOST_VALUES) break;
    const entry = line.length > LONGEST_LINE ? null : ASSIGNMENT.exec(line.trimEnd()) ?? NETRC.exec(line);
    const [, name = "", raw = ""] = entry ?? [], value = unquoted(raw);
    if (!isSecretValue(name, value) || found.some((other) => value.includes(other.value))) continue;
    found.push({ name, value, isCommon: isCommon(value) });
  }
  return found.filter(({ value }) => value.length >= SHORTEST);
}

const NAME_CHARS = 200;

/** The name that a value of a known format is assigned to. */
function nameBefore(text: string, start: number): string | undefined {
  const before = text.slice(Math.max(0, start - NAME_CHARS), start), line = before.slice(before.lastIndexOf("\n") + 1);
  return /([A-Za-z_]\w{2,60})["']?\s{0,8}[=:]\s{0,8}["']?(?:[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"']{0,128}:)?$/.exec(line)
    ?.[1];
}

/** What is between quotes; else what comes before a comment, and before the marks that end a line. */
function unquoted(raw: string): string {
  const quoted = /^(["'`])(.*?)\1/.exec(raw);
  if (quoted) return quoted[2] ?? "";
  const comment = raw.search(/\s#/), value = (comment < 0 ? raw : raw.slice(0, comment)).trimEnd();
  let end = value.length;
  while (end > 0 && ",;}".includes(value.charAt(end - 1))) end--;
  return value.slice(0, end);
}

function isSecretValue(name: string, value: string): boolean {
  if (name === "" || value.length < SHORTEST || PLACEHOLDER.test(value)) return false;
  return isSecretName(name) ? !/^(?:true|false|null|none|\d{1,5})$/i.test(value) : isRandom(value);
}

/** Letters and digits by chance, and not a path, an address or a version. */
function isRandom(value: string): boolean {
  return value.length >= RANDOM_LENGTH && /^[\w+=-]+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value) &&
    new Set(value).size >= DISTINCT && !/^[a-z]+(?:[_-][a-z0-9]+)+$/.test(value);
}

/** A word that other files use as well, such as the name of a database. */
function isCommon(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w-]/].filter((kind) => kind.test(value)).length;
  return value.length < 8 || kinds < 2 || (value.length < RANDOM_LENGTH && /^[a-z]+[-_a-z]*\d{0,4}$/i.test(value));
}
