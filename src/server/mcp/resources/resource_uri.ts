/** Parses and formats resource URIs, `llmc://KIND/ID`: strict, and decoded once. @module */

/** A resource by kind and identifier, such as `file` and a path. */
export interface ResourceName {
  readonly kind: string;
  readonly id: string;
}

/** Longer than any path that the system takes, each byte of it written with three. */
const MAX_CHARS = 16 * 1024;

/** Takes an address apart; null when it is none of this server's. */
export function parseResourceUri(uri: string): ResourceName | null {
  const [, kind, raw] = /^llmc:\/\/([a-z]{1,20})\/([^?#]+)$/su.exec(uri.slice(0, MAX_CHARS + 1)) ?? [];
  if (uri.length > MAX_CHARS || kind === undefined || raw === undefined) return null;
  const id = decode(raw);
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  return id === null || /[\x00-\x1f\x7f]/.test(id) ? null : { kind, id };
}

/** The address of a resource. */
export function resourceUri(kind: string, id: string): string {
  return `llmc://${kind}/${id.split("/").map(encodeURIComponent).join("/")}`;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null; // a percent sign without two digits, or bytes that are no UTF-8
  }
}
