/** Parses file names in diffs: quoting, timestamps, prefixes of git and of recursive diffs. @module */

/** A name as written in a header line. */
export interface WrittenName {
  /** Null for /dev/null. */
  readonly name: string | null;
  /** The time stamp is the epoch: GNU diff's way to say that the file is not there. */
  readonly absent: boolean;
}

/** Longer header lines are no names; patterns over them could take long. */
const MAX_HEADER_CHARS = 5_000;
/** A date without a tab before it, or what Subversion adds, is looked for in the end of the line only. */
const STAMP_CHARS = 60;

/** Reads what follows `--- ` or `+++ `. */
export function readName(written: string): WrittenName {
  const text = written.slice(0, MAX_HEADER_CHARS).trim();
  const quoted = text.match(/^"((?:[^"\\]|\\.)*)"(.*)$/s);
  if (quoted !== null) return named(unquote(quoted[1] ?? ""), quoted[2] ?? "");
  const tab = text.indexOf("\t");
  if (tab >= 0) return named(text.slice(0, tab), text.slice(tab));
  const stamp = text.slice(-STAMP_CHARS).match(STAMP)?.[0] ?? "";
  return named(text.slice(0, text.length - stamp.length), stamp);
}

const STAMP = /\s(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*|\((?:revision \d+|working copy|nonexistent)\))$/;

function named(written: string, stamp: string): WrittenName {
  const name = written.trim().replace(/^`(.*)`$/, "$1");
  return { name: name === "/dev/null" || name === "" ? null : name, absent: isEpoch(stamp) };
}

function isEpoch(stamp: string): boolean {
  if (stamp.includes("(nonexistent)")) return true;
  const date = stamp.trim().match(/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.0+)?(?: ?([+-]\d\d):?(\d\d))?$/);
  if (date === null) return false;
  return Date.parse(`${date[1]}T${date[2]}${date[3] === undefined ? "Z" : `${date[3]}:${date[4]}`}`) === 0;
}

/** The names in `diff --git A B`; null when they cannot be told apart. */
export function readGitLine(written: string): { readonly from: string; readonly to: string } | null {
  const text = written.slice(0, MAX_HEADER_CHARS).trim();
  const quoted = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, inner, plain]) =>
    inner === undefined ? plain ?? "" : unquote(inner)
  );
  const [from, to] = quoted;
  if (quoted.length === 2 && from !== undefined && to !== undefined) return { from, to };
  // Names with blanks are not quoted; when nothing is renamed, both halves are the same behind their prefix.
  const half = (text.length - 1) / 2;
  const left = text.slice(0, half), right = text.slice(half + 1);
  const same = Number.isInteger(half) && text[half] === " " &&
    left.replace(/^[^/]*\//, "") === right.replace(/^[^/]*\//, "");
  return same ? { from: left, to: right } : null;
}

/** Undoes C-style quoting, in which git writes bytes beyond ASCII in octal. */
function unquote(inner: string): string {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [, octal, escaped, plain] of inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(parseInt(octal, 8) & 0xff);
    else bytes.push(...encoder.encode(escaped === undefined ? plain : ESCAPES[escaped] ?? escaped));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
};

/** Prefixes that git puts before old and new names, also with `diff.mnemonicPrefix`. */
const GIT_PREFIX = /^[abciow12]\//;

/**
 * What a name may mean, the likeliest first; which of them exists decides.
 *
 * @param other The name on the other side of the same file; null when there is none.
 */
export function nameChoices(name: string, other: string | null): readonly string[] {
  const plain = name.replace(/^(?:\.\/)+/, "");
  if (plain.startsWith("/")) return [plain];
  const cut = plain.indexOf("/");
  const rest = cut < 0 ? plain : plain.slice(cut + 1);
  const strippable = cut > 0 && isPrefixed(plain, other?.replace(/^(?:\.\/)+/, "") ?? null);
  // `git diff --no-index` puts its prefix before an absolute path, too.
  const absolute = GIT_PREFIX.test(plain) && rest.includes("/") ? [`/${rest}`] : [];
  if (strippable) return [rest, ...absolute, plain];
  return GIT_PREFIX.test(plain) ? [plain, rest, ...absolute] : [plain];
}

/** Whether the first part of a name is no directory of the tree but tells old from new. */
function isPrefixed(name: string, other: string | null): boolean {
  if (other === null) return GIT_PREFIX.test(name);
  const part = (path: string) => path.slice(0, path.indexOf("/") + 1);
  if (part(name) === part(other)) return false;
  if (GIT_PREFIX.test(name) && GIT_PREFIX.test(other)) return true;
  return part(other) !== "" && name.slice(part(name).length) === other.slice(part(other).length);
}
