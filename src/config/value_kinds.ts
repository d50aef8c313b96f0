/** Defines the value types of configuration keys. @module */
import * as z from "zod";
import { NETWORK_ENTRY } from "../core/network_list.ts";

/** Text of one form; `title` names the form in messages, in the documents and in editors. */
const form = (title: string, pattern: RegExp): z.ZodString => z.string().regex(pattern).meta({ title });

/** Made absolute while reading: relative to the file's folder, outside a file to the working directory. */
export const path = form("path", /^[^\0]+$/u);
/** As {@link path}; empty means none. */
export const optionalPath = form("path", /^[^\0]*$/u);
/** Programs are named, never given by path: what a name means on this machine is settled once, at start. */
export const program = form("program name", /^[A-Za-z0-9._+-]+$/u);
/** A program, or a set of them; see program_sets.ts. */
export const programOrSet = form("program name or @set", /^@?[A-Za-z0-9._+-]+$/u);
export const label = form("line of 1 to 200 characters", /^\P{Cc}{1,200}$/u);
export const optionalLabel = form("line of at most 200 characters", /^\P{Cc}{0,200}$/u);
export const address = form("host name or address", /^[A-Za-z0-9.:_\[\]-]+$/u);
export const webOrigin = form("origin (scheme://host[:port])", /^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/u);
export const headerName = form("header name", /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/u);
export const variableName = form("variable name", /^([A-Za-z_][A-Za-z0-9_]*)?$/u);
export const variablePattern = form("variable name, or NAME*", /^[A-Za-z_][A-Za-z0-9_]*\*?$/u);
export const urlPath = form("URL path", /^\/[A-Za-z0-9_.\/-]+$/u);
export const optionalUrl = form("URL (http or https)", /^(https?:\/\/\S+)?$/u);
export const effectOrTool = form("effect or tool name", /^[A-Za-z][A-Za-z0-9_.]*$/u);
export const documentPath = form("path from the first root", /^[^\0]+$/u);
export const networkEntry = form("name[:port], *.name[:port] or @set", NETWORK_ENTRY);
export const tokenCount = z.int().min(1000).max(100_000_000);

/** A switch. */
export const flag = (value: boolean): z.ZodDefault<z.ZodBoolean> => z.boolean().default(value);

/** A whole number from `min` to `max`. */
export const count = (value: number, min: number, max: number): z.ZodDefault<z.ZodInt> =>
  z.int().min(min).max(max).default(value);

/** A list of texts of one form. */
export const list = (item: z.ZodString, value: string[] = []): z.ZodDefault<z.ZodArray<z.ZodString>> =>
  z.array(item).default(value);
