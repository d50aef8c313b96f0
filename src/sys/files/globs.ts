/** Matches globs against paths; the only module that imports picomatch. @module */
import { baseName } from "../../core/path.ts";
// @ts-types="npm:@types/picomatch@4.0.3"
import picomatch from "picomatch";
import { OpsError } from "../../core/error.ts";
import { splitGlobs } from "../../core/glob.ts";

/** Whether a path below some root fits. */
export type PathTest = (path: string) => boolean;

/** More stars in one glob cost more time on a long name than any honest glob needs. */
const MAX_STARS = 12;

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
  if ((glob.match(/\*/g)?.length ?? 0) > MAX_STARS) {
    throw new OpsError("INVALID_ARGUMENT", `the glob has more than ${MAX_STARS} stars`, "Use a simpler glob.");
  }
  const isNegated = glob.startsWith("!") && !glob.startsWith("!(");
  const positive = isNegated ? glob.slice(1) : glob;
  const isWhole = positive.includes("/");
  const anchored = positive.replace(/^(?:\.?\/)+/, "").replace(/\/$/, "/**");
  try {
    const matches = picomatch(anchored, { dot: true, nonegate: true, nocase: ignoreCase });
    return { isNegated, test: isWhole ? matches : (path) => matches(baseName(path)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OpsError("INVALID_ARGUMENT", `invalid glob: ${reason}`, "Use a simpler glob.");
  }
}
