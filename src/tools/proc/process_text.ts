/** Formats the result of reading a process, as structure and as text. @module */
import * as z from "zod";
import { once } from "../../core/once.ts";
import type { ReadOutcome } from "../../exec/processes.ts";

/** The structure of a read. */
export const readShape = once(() => ({
  output: z.string(),
  state: z.enum(["running", "exited", "no_such_process"]),
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  /** Absolute byte offsets of this output and of the next. */
  offset: z.int(),
  next_offset: z.int(),
  lost_bytes: z.int(),
  more: z.boolean(),
  /** Whether wait_for matched; null when it was not given. */
  matched: z.boolean().nullable(),
  matched_line: z.string().nullable(),
  /** Whether the port is listened on; null when it was not given. */
  listening: z.boolean().nullable(),
  /** The whole output made lean, where its end was seen and that gained something; what a model is shown. */
  digest: z.object({ stdout: z.string(), stderr: z.string(), truncated: z.boolean() }).optional(),
}));

/** A read as it is answered. */
export type ReadResult = z.output<z.ZodObject<ReturnType<typeof readShape>>>;

/** From the outcome of a read to its structure. */
export function readResult(read: ReadOutcome): ReadResult {
  return {
    output: read.output,
    state: read.state,
    exit_code: read.exitCode,
    signal: read.signal,
    offset: read.offset,
    next_offset: read.nextOffset,
    lost_bytes: read.lostBytes,
    more: read.more,
    matched: read.matched,
    matched_line: read.matchedLine,
    listening: read.listening,
    ...read.digest === null ? {} : { digest: read.digest },
  };
}

/**
 * The output, or its digest, and one line when there is more to say.
 *
 * @param procId Where the whole output can be read, when only a digest is shown.
 */
export function renderRead(read: ReadResult, procId: string): string {
  const { digest } = read, body = (digest ? digestText(digest) : read.output).replace(/\n$/, "");
  const notes = [
    ending(read),
    !digest && read.lost_bytes > 0 && `${read.lost_bytes} bytes before this are lost`,
    digest?.truncated && `all: linux_proc_read ${procId} offset 0`,
    !digest && read.more && "more output waits",
    read.matched === false && "wait_for has not matched",
    read.listening === false && "it does not listen on the port",
    body === "" && read.state === "running" && "running, no new output",
  ].filter((note) => note).join(" · ");
  if (notes === "") return body;
  return body === "" ? `[${notes}]` : `${body}\n[${notes}]`;
}

function digestText({ stdout, stderr }: NonNullable<ReadResult["digest"]>): string {
  const errors = stderr === "" ? "" : `[stderr]\n${stderr}`;
  return [stdout.replace(/\n$/, ""), errors].filter((text) => text !== "").join("\n");
}

function ending({ state, exit_code, signal }: ReadResult): string {
  if (state === "running") return "";
  if (state === "no_such_process") return "no such process";
  return signal === null ? `exited ${exit_code}` : `ended by ${signal}`;
}
