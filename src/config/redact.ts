/**
 * Redacts secrets from logs and messages. No key of the schema is a secret, but people put them in other values.
 * @module
 */

const USER_INFO = /(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s@"']*@/gi;
const SECRET_ASSIGNMENT =
  /^(\s*(?:[\w."'-]*[."'_-])?(?:token|secret|password|passwd|credentials?|api_?key|tls_key)(?:_env|_file)?["']?\s*=).*$/i;

/** A text with the user and password of every URL in it replaced by `***`. */
export function maskText(text: string): string {
  return text.replace(USER_INFO, "$1***@");
}

/** A line of a configuration file without what it assigns to a key that sounds like a secret. */
export function maskLine(line: string): string {
  return maskText(line.replace(SECRET_ASSIGNMENT, "$1 …"));
}

/** A copy of a value with {@link maskText} applied to every text in it. */
export function maskValue<T>(value: T): T;
export function maskValue(value: unknown): unknown {
  if (typeof value === "string") return maskText(value);
  if (Array.isArray(value)) return value.map((item: unknown) => maskValue(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskValue<unknown>(item)]));
}
