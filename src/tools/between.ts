/** Schema of integers that are clamped to their bounds, with a note. @module */
import * as z from "zod";

/** An integer from `min` to `max`. */
export function between(min: number, max: number): z.ZodType<number, number> {
  return z.int().check((context) => {
    const { value } = context;
    if (value < min) {
      context.issues.push({ code: "too_small", origin: "int", minimum: min, inclusive: true, input: value });
    }
    if (value > max) {
      context.issues.push({ code: "too_big", origin: "int", maximum: max, inclusive: true, input: value });
    }
  });
}
