/**
 * Matches regular expressions in linear time, whatever the pattern: safe for patterns from a model, and incremental
 * for text that is still arriving.
 * @module
 */
import {
  type Assertion,
  type CharacterTest,
  isWord,
  type Pattern,
  patternFault,
  readPatternTree,
} from "./pattern_syntax.ts";

/** A pattern that is being looked for in a growing text. */
export interface Matcher {
  /**
   * Takes the next piece; true once the pattern has matched anywhere in what was fed. `^` and `$` match at line ends
   * too, and `$` at the end of what has arrived so far, so that a prompt can be waited for.
   */
  feed(text: string): boolean;
}

/** One step of the automaton; numbers are indices of steps. */
type Step =
  | { readonly kind: "character"; readonly test: CharacterTest; readonly next: number }
  | { readonly kind: "assertion"; readonly what: Assertion; readonly next: number }
  | { readonly kind: "split"; readonly nexts: number[] }
  | { readonly kind: "match" };

const MAX_STEPS = 5_000;
/** Stands for the character before the first and after the last. */
const NONE = -1;

/** Compiles a pattern. @throws OpsError INVALID_ARGUMENT for what is malformed, too large or not linear. */
export function compilePattern(source: string): Matcher {
  const steps: Step[] = [{ kind: "match" }];
  const start = addSteps(readPatternTree(source), 0, steps);
  return makeMatcher(steps, start);
}

/** Compiles a pattern for many texts: whether it matches anywhere in one. @throws OpsError as {@link compilePattern} */
export function compileTest(source: string): (text: string) => boolean {
  const steps: Step[] = [{ kind: "match" }];
  const start = addSteps(readPatternTree(source), 0, steps);
  return (text) => makeMatcher(steps, start).feed(text);
}

/** Adds the steps of a pattern that goes on at `next`; returns where it begins. */
function addSteps(pattern: Pattern, next: number, steps: Step[]): number {
  switch (pattern.kind) {
    case "character":
      return add(steps, { kind: "character", test: pattern.test, next });
    case "assertion":
      return add(steps, { kind: "assertion", what: pattern.what, next });
    case "sequence":
      return pattern.parts.reduceRight((after, part) => addSteps(part, after, steps), next);
    case "choice":
      return add(steps, { kind: "split", nexts: pattern.parts.map((part) => addSteps(part, next, steps)) });
    case "repeat":
      return addRepeat(pattern, next, steps);
  }
}

function addRepeat({ part, min, max }: Extract<Pattern, { kind: "repeat" }>, next: number, steps: Step[]): number {
  let start = next;
  if (max === Infinity) {
    const nexts = [next];
    start = add(steps, { kind: "split", nexts });
    nexts.push(addSteps(part, start, steps));
  } else {
    for (let count = min; count < max; count++) {
      start = add(steps, { kind: "split", nexts: [addSteps(part, start, steps), next] });
    }
  }
  for (let count = 0; count < min; count++) start = addSteps(part, start, steps);
  return start;
}

function add(steps: Step[], step: Step): number {
  if (steps.length >= MAX_STEPS) throw patternFault("it is too large");
  return steps.push(step) - 1;
}

function makeMatcher(steps: readonly Step[], start: number): Matcher {
  /** The generation in which a step was last visited: a set that is emptied by counting on. */
  const visited = new Uint32Array(steps.length);
  let generation = 0, previous = NONE, matched = false;
  let waiting: number[] = [];

  /** Follows every step that takes no character, and collects those that do; true when the pattern has matched. */
  function follow(from: readonly number[], after: number, characters: number[]): boolean {
    generation++;
    const stack = [...from];
    for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
      const step = steps[index];
      if (step === undefined || visited[index] === generation) continue;
      visited[index] = generation;
      if (step.kind === "match") return true;
      if (step.kind === "character") characters.push(index);
      else if (step.kind === "split") stack.push(...step.nexts);
      else if (holds(step.what, previous, after)) stack.push(step.next);
    }
    return false;
  }

  function take(code: number): void {
    const characters: number[] = [];
    waiting.push(start); // a match may begin anywhere
    matched = follow(waiting, code, characters);
    waiting = [];
    for (const index of characters) {
      const step = steps[index];
      if (step?.kind === "character" && step.test(code)) waiting.push(step.next);
    }
    previous = code;
  }

  return {
    feed(text) {
      for (let at = 0; at < text.length && !matched;) {
        const code = text.codePointAt(at) ?? 0;
        at += code > 0xffff ? 2 : 1;
        take(code);
      }
      return matched ||= follow([...waiting, start], NONE, []);
    },
  };
}

const isLineEnd = (code: number): boolean => code === NONE || code === 10 || code === 13;

/** A word character, or not: the ends of the text are not. */
const isWordAt = (code: number): boolean => code !== NONE && isWord(code);

function holds(what: Assertion, before: number, after: number): boolean {
  switch (what) {
    case "start":
      return isLineEnd(before);
    case "end":
      return isLineEnd(after);
    case "word":
      return isWordAt(before) !== isWordAt(after);
    case "notWord":
      return isWordAt(before) === isWordAt(after);
  }
}
