/**
 * Splits a shell command line into pipelines and words, well enough to find the program that produces the output.
 * @module
 */

/** One program of a pipeline: its words, and whether its standard output goes to a file. */
export interface Stage {
  readonly words: readonly string[];
  readonly silent: boolean;
}

/** Stages joined by `|`, and the operator before them: "" for the first, else `;`, `&&`, `||` or `&`. */
export interface Pipeline {
  readonly operator: string;
  readonly stages: readonly Stage[];
}

type Token = { readonly word: string } | { readonly operator: string };

/**
 * Never throws: what it cannot read (substitutions, loops, here-documents) stays as words, and is then recognised by
 * nobody. It decides how output is shown, never what may run.
 */
export function splitPipelines(line: string): Pipeline[] {
  const pipelines: Pipeline[] = [];
  let operator = "", stages: Stage[] = [], words: string[] = [], silent = false, target = false;
  const endStage = () => {
    if (words.length > 0) stages.push({ words, silent });
    words = [];
    silent = false;
  };
  const endPipeline = (next: string) => {
    endStage();
    if (stages.length > 0) pipelines.push({ operator, stages });
    stages = [];
    operator = next;
  };
  for (const token of tokenise(line)) {
    if ("word" in token) {
      if (target) target = false;
      else words.push(token.word);
      continue;
    }
    if (isRedirection(token.operator)) {
      silent ||= /^1?>{1,2}\|?$|^&>/.test(token.operator);
      target = true;
    } else if (token.operator === "|" || token.operator === "|&") endStage();
    else if (token.operator !== "2>&1") endPipeline(token.operator);
  }
  endPipeline("");
  return pipelines;
}

function isRedirection(operator: string): boolean {
  return operator !== "2>&1" && /[<>]/.test(operator);
}

const OPERATOR = /^(?:2>&1|1?>&2|&>>?|[0-9]?>{1,2}\|?|[0-9]?<{1,3}|\|\||&&|\|&|[|;&()\n])/;

function* tokenise(line: string): Generator<Token> {
  let word = "", inWord = false, i = 0;
  while (i < line.length) {
    const rest = line.slice(i, i + 4);
    const operator = inWord && /[0-9]/.test(line[i] ?? "") ? undefined : OPERATOR.exec(rest)?.[0];
    if (operator !== undefined || /\s/.test(line[i] ?? "")) {
      if (inWord) yield { word };
      word = "";
      inWord = false;
      if (operator !== undefined) yield { operator: operator === "1>&2" || operator === ">&2" ? "2>&1" : operator };
      i += operator?.length ?? 1;
      continue;
    }
    const piece = readPiece(line, i);
    word += piece.text;
    inWord = true;
    i = piece.end;
  }
  if (inWord) yield { word };
}

/** A quoted part, an escape, a substitution, or one plain character. */
function readPiece(line: string, start: number): { text: string; end: number } {
  const character = line[start] ?? "";
  if (character === "\\") return { text: line[start + 1] ?? "", end: start + 2 };
  if (character === "'") {
    const end = line.indexOf("'", start + 1);
    return end < 0
      ? { text: line.slice(start + 1), end: line.length }
      : { text: line.slice(start + 1, end), end: end + 1 };
  }
  if (character === '"') return readDoubleQuoted(line, start + 1);
  if (character === "$" && line[start + 1] === "(") return readSubstitution(line, start);
  return { text: character, end: start + 1 };
}

function readDoubleQuoted(line: string, start: number): { text: string; end: number } {
  let text = "", i = start;
  for (; i < line.length && line[i] !== '"'; i++) {
    if (line[i] === "\\" && /["\\$`]/.test(line[i + 1] ?? "")) i++;
    text += line[i] ?? "";
  }
  return { text, end: i + 1 };
}

function readSubstitution(line: string, start: number): { text: string; end: number } {
  let depth = 0, i = start + 1;
  for (; i < line.length; i++) {
    if (line[i] === "(") depth++;
    if (line[i] === ")" && --depth === 0) break;
  }
  return { text: line.slice(start, i + 1), end: i + 1 };
}
