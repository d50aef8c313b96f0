/** Matches globs against paths. @module */
import { OpsError } from "../../core/error.ts";
import { splitGlobs } from "../../core/glob.ts";
import { expandAlternatives } from "../../core/glob_alternatives.ts";
import { baseName } from "../../core/path.ts";
import { compilePath } from "../../core/wildcard.ts";

/** Whether a path below some root fits. */
export type PathTest = (path: string) => boolean;

/** Longer than any honest glob. */
const MAX_CHARACTERS = 1_024;

/**
 * Compiles one glob, or several with commas between them. A glob without a slash is compared with the name, one with a
 * slash with the whole path below the root; a leading `!` turns it round; hidden names are names like all others.
 *
 * @throws OpsError INVALID_ARGUMENT
 */
export function pathTest(globs: string, options: { readonly ignoreCase?: boolean } = {}): PathTest {
  const tests = splitGlobs(globs).map((glob) => oneTest(glob, options.ignoreCase ?? false));
  if (tests.length === 0) throw new OpsError("INVALID_ARGUMENT", "the glob is empty", "Give a glob such as *.ts.");
  const wanted = tests.filter(({ isNegated }) => !isNegated), unwanted = tests.filter(({ isNegated }) => isNegated);
  return (path) =>
    (wanted.length === 0 || wanted.some(({ test }) => test(path))) && !unwanted.some(({ test }) => test(path));
}

function oneTest(glob: string, ignoreCase: boolean): { test: PathTest; isNegated: boolean } {
  if (glob.length > MAX_CHARACTERS) {
    throw new OpsError(
      "INVALID_ARGUMENT",
      `the glob has more than ${MAX_CHARACTERS} characters`,
      "Use a simpler glob.",
    );
  }
  const isNegated = glob.startsWith("!") && !glob.startsWith("!(");
  const positive = isNegated ? glob.slice(1) : glob;
  const isWhole = positive.includes("/");
  const anchored = positive.replace(/^(?:\.?\/)+/, "").replace(/\/$/, "/**");
  const { any, none } = expandAlternatives(ignoreCase ? anchored.toLowerCase() : anchored);
  const compile = (each: string) => compilePath(each, { finalStarsMatchFolder: true });
  const wanted = any.map(compile), unwanted = none.map(compile);
  const fits = (text: string) => wanted.some((test) => test(text)) && !unwanted.some((test) => test(text));
  return {
    isNegated,
    test(path) {
      const text = isWhole ? path : baseName(path);
      return fits(ignoreCase ? text.toLowerCase() : text);
    },
  };
}
