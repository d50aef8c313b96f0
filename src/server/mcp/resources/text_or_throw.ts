/** Extracts the text of a tool's answer for a resource. @module */
import type { Answer } from "../../../call/answer.ts";
import { OpsError } from "../../../core/error.ts";

/**
 * The field that holds the text when it is the whole, else the lean text, whose last line says where the rest is.
 *
 * @throws OpsError the answer's own error.
 */
export function textOrThrow({ error, result, text, truncated }: Answer, field: string): string {
  if (error) throw new OpsError(error.code, error.message, error.hint);
  const whole = Object(result)[field];
  return !truncated && typeof whole === "string" && whole !== "" ? whole : text;
}
