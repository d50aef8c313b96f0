/** Integers within bounds that are checked but not listed; the error names the bounds. @module */
import * as z from "zod";

/** An integer from `min` to `max`. */
export function between(min: number, max: number): z.ZodType<number, number> {
  return z.int().refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);
}
