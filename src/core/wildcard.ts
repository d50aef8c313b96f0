/** Matches wildcard patterns (`*`, `?`, `[…]`, `**` between slashes) in time linear in pattern times text. @module */

/** Whether a text fits. */
export type TextTest = (text: string) => boolean;

type Token =
  | { readonly kind: "literal"; readonly character: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "class"; readonly test: TextTest };

/** Compiles the part of a pattern between two slashes. A class that is not closed is literal text. */
export function compileSegment(segment: string): TextTest {
  const tokens = tokensOf(segment);
  const text = literalOf(tokens);
  if (text !== null) return (name) => name === text;
  const ending = tokens[0]?.kind === "star" ? literalOf(tokens.slice(1)) : null;
  if (ending !== null) return (name) => name.endsWith(ending);
  return (name) => matchTokens(tokens, name);
}

/** The text that tokens stand for; null where one is a wildcard. */
function literalOf(tokens: readonly Token[]): string | null {
  const characters = tokens.map((token) => token.kind === "literal" ? token.character : null);
  return characters.includes(null) ? null : characters.join("");
}

/** How `**` at the end of a pattern is read: with the folder itself among what it matches, or only what is below. */
export interface PathOptions {
  readonly finalStarsMatchFolder: boolean;
}

/** Compiles a pattern of several segments; `**` as a whole segment stands for any number of folders. */
export function compilePath(pattern: string, { finalStarsMatchFolder }: PathOptions): TextTest {
  const segments = pattern.split("/").map((segment) => segment === "**" ? null : compileSegment(segment));
  const endsInStars = segments.length > 1 && segments.at(-1) === null;
  const folder = finalStarsMatchFolder && endsInStars ? segments.slice(0, -1) : null;
  return (path) => {
    const names = path.split("/");
    return matchSegments(segments, names) ||
      (folder !== null && matchSegments(folder, names));
  };
}

function tokensOf(segment: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < segment.length;) {
    const character = String.fromCodePoint(segment.codePointAt(at) ?? 0);
    const classEnd = character === "[" ? endOfClass(segment, at) : -1;
    if (character === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
      at++;
    } else if (character === "?") {
      tokens.push({ kind: "any" });
      at++;
    } else if (classEnd > 0) {
      tokens.push({ kind: "class", test: compileClass(segment.slice(at + 1, classEnd)) });
      at = classEnd + 1;
    } else if (character === "\\" && at + 1 < segment.length) {
      const escaped = String.fromCodePoint(segment.codePointAt(at + 1) ?? 0);
      tokens.push({ kind: "literal", character: escaped });
      at += 1 + escaped.length;
    } else {
      tokens.push({ kind: "literal", character });
      at += character.length;
    }
  }
  return tokens;
}

/** Index of the bracket that closes a class; -1 when none does. One right at the beginning belongs to the class. */
function endOfClass(segment: string, open: number): number {
  let at = open + 1;
  if (segment[at] === "!" || segment[at] === "^") at++;
  if (segment[at] === "]") at++;
  for (; at < segment.length; at++) {
    if (segment.startsWith("[:", at)) {
      const close = segment.indexOf(":]", at);
      if (close > 0) at = close + 1;
    } else if (segment[at] === "\\") at++;
    else if (segment[at] === "]") return at;
  }
  return -1;
}

const NAMED: Readonly<Record<string, RegExp>> = {
  alpha: /\p{L}/u,
  digit: /[0-9]/,
  alnum: /[\p{L}\p{N}]/u,
  upper: /\p{Lu}/u,
  lower: /\p{Ll}/u,
  space: /\s/,
  punct: /[!-\/:-@[-`{-~]/,
  xdigit: /[0-9A-Fa-f]/,
  word: /\w/,
};

function compileClass(body: string): TextTest {
  const isNegated = body.startsWith("!") || body.startsWith("^");
  const characters = [...isNegated ? body.slice(1) : body];
  const tests: TextTest[] = [];
  for (let at = 0; at < characters.length; at++) {
    const name = /^\[:(\w+):\]/.exec(characters.slice(at, at + 12).join(""))?.[1];
    const named = name === undefined ? undefined : NAMED[name];
    if (name !== undefined && named !== undefined) {
      tests.push((character) => named.test(character));
      at += name.length + 3;
      continue;
    }
    const escaped = characters[at] === "\\" && at + 1 < characters.length;
    const from = characters[escaped ? ++at : at] ?? "";
    const isRange = characters[at + 1] === "-" && at + 2 < characters.length;
    const to = isRange ? characters[at += 2] ?? from : from;
    const low = from.codePointAt(0) ?? 0, high = to.codePointAt(0) ?? 0;
    tests.push((character) => {
      const code = character.codePointAt(0) ?? 0;
      return code >= low && code <= high;
    });
  }
  return (character) => tests.some((test) => test(character)) !== isNegated;
}

/** Goes back to the last star only: an earlier one can take no more than that one. */
function matchTokens(tokens: readonly Token[], name: string): boolean {
  const characters = [...name];
  let token = 0, at = 0, star = -1, resume = 0;
  while (at < characters.length) {
    const current = tokens[token];
    if (current?.kind === "star") {
      star = token++;
      resume = at;
    } else if (current !== undefined && fits(current, characters[at] ?? "")) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++resume;
    } else return false;
  }
  while (tokens[token]?.kind === "star") token++;
  return token === tokens.length;
}

function fits(token: Token, character: string): boolean {
  if (token.kind === "literal") return token.character === character;
  return token.kind === "any" || (token.kind === "class" && token.test(character));
}

/** The same, with names for characters: null stands for any number of them. */
function matchSegments(segments: readonly (TextTest | null)[], names: readonly string[]): boolean {
  let segment = 0, at = 0, stars = -1, resume = 0;
  while (at < names.length) {
    const current = segments[segment];
    if (current === null) {
      stars = segment++;
      resume = at;
    } else if (current !== undefined && current(names[at] ?? "")) {
      segment++;
      at++;
    } else if (stars >= 0) {
      segment = stars + 1;
      at = ++resume;
    } else return false;
  }
  return segment === segments.length; // so `**` at the end took something below
}
