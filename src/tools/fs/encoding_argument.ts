/** The argument `encoding` of the tools that read and write text. @module */
import * as z from "zod";
import { encodingNamed, type KnownEncoding } from "../../core/encodings.ts";
import { OpsError } from "../../core/error.ts";

/** Its schema. Models know the names; a description would be paid for in each list of tools. */
export const encodingArgument = (): z.ZodOptional<z.ZodString> => z.string().optional();

/** What was asked for. @throws OpsError INVALID_ARGUMENT for a name that is not known. */
export function encodingOf({ encoding }: { readonly encoding?: string | undefined }): KnownEncoding | undefined {
  if (encoding === undefined) return undefined;
  const known = encodingNamed(encoding);
  if (known !== null) return known;
  throw new OpsError(
    "INVALID_ARGUMENT",
    `'encoding': '${encoding}' is not a known encoding`,
    "Give a name such as utf-8, utf-16le, shift_jis, euc-kr, gb18030, big5, windows-1251 or latin1.",
  );
}
