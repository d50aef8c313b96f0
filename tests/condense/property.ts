/** Property tests of condensers: generated output of a program, and what is true of its digest. @module */
import assert from "node:assert/strict";
import { enrich, type Enriched } from "../../src/condense/enrich.ts";
import { makeRandom, type Random } from "../support/random.ts";

const CASES = 60;
/** Small enough that something has to be left out. */
export const BUDGET_TOKENS = 700;

/** Output of a program, and what is true of it. */
export interface Case {
  readonly argv: readonly string[];
  readonly lines: readonly string[];
  readonly exitCode?: number;
  /** Lines of stderr, for programs that report there. */
  readonly errors?: readonly string[];
  readonly check: (enriched: Enriched) => void;
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** Runs generated cases. */
export function property(what: string, make: (random: Random) => Case): void {
  Deno.test(`counts: ${what}`, () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const { argv, lines, errors = [], exitCode = 0, check } = make(makeRandom(seed));
      const streams = { stdout: textOf(lines), stderr: textOf(errors) };
      const enriched = enrich({ argv, ...streams, exitCode, budgetTokens: BUDGET_TOKENS });
      assert.ok(enriched, `seed ${seed}: not recognised`);
      try {
        check(enriched);
      } catch (error) {
        throw new Error(`seed ${seed}\n${enriched.text}\n--- ${enriched.omitted}`, { cause: error });
      }
    }
  });
}

/** The numbers from 0 to below `length`. */
export const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

/** A word of 3 to 8 letters. */
export const word = ({ below }: Random): string =>
  range(3 + below(6)).map(() => String.fromCharCode(97 + below(26))).join("");

/** The sum of the numbers that a pattern captures. */
export const sumOf = (text: string, pattern: RegExp): number =>
  [...text.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0);
