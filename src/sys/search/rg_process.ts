/** Runs ripgrep and streams its output; the process is always gone when the run ends. @module */
import { joinBytes } from "../../core/bytes.ts";
import { OpsError } from "../../core/error.ts";

/** One piece of output, between two separators; null stands for a piece too large to keep. */
export type OutputPiece = Uint8Array<ArrayBuffer> | null;

/** How a run ended. */
export interface RgOutcome {
  /** Exit code; null when the run was stopped because enough had been seen. */
  readonly code: number | null;
  /** The start of what was said about errors. */
  readonly stderr: string;
}

/** The program is not there, or may not be run. */
export class RgMissing extends Error {}

/** A run to be made. */
export interface RgRun {
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Byte between pieces: line feed or NUL. */
  readonly separator: number;
  /** What it reads from standard input. */
  readonly input?: Uint8Array;
  /** Takes the pieces; returns whether to go on. */
  take(piece: OutputPiece): boolean;
  /** Takes lines of its debug log, where that was asked for. */
  debug?(line: string): void;
}

const MAX_PIECE_BYTES = 4 * 1024 * 1024;
const MAX_STDERR_CHARS = 16 * 1024;

/** Runs to the end, to the first piece that is enough, or to the abort. @throws RgMissing; the reason of `signal`. */
export async function runRg(run: RgRun, signal: AbortSignal): Promise<RgOutcome> {
  signal.throwIfAborted();
  const child = spawn(run);
  const kill = () => {
    try {
      child.kill("SIGKILL");
    } catch {
      // it has ended by itself
    }
  };
  signal.addEventListener("abort", kill, { once: true });
  const stderr = readErrors(child.stderr, run.debug ?? (() => {}));
  const written = run.input === undefined ? null : writeInput(child.stdin, run.input);
  try {
    const isWhole = await splitStream(child.stdout, run.separator, run.take);
    if (!isWhole) kill();
    const { code } = await child.status;
    signal.throwIfAborted();
    return { code: isWhole ? code : null, stderr: await stderr };
  } finally {
    kill();
    signal.removeEventListener("abort", kill);
    await child.status; // reaped: no zombie stays
    await stderr;
    await written;
  }
}

/** It may end before it has read everything. */
async function writeInput(stdin: WritableStream<Uint8Array>, input: Uint8Array): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(input);
    await writer.close();
  } catch {
    await writer.abort().catch(() => {});
  }
}

function spawn({ program, args, cwd, input }: RgRun): Deno.ChildProcess {
  try {
    return new Deno.Command(program, {
      args: [...args],
      cwd,
      clearEnv: true, // no configuration file, no secrets
      env: { LANG: "C.UTF-8" },
      stdin: input === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    const isMissing = error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied ||
      error instanceof Deno.errors.NotCapable;
    if (isMissing) throw new RgMissing(program, { cause: error });
    if (error instanceof Error && error.message.includes("os error 7")) { // the kernel takes no argument of 128 KiB
      throw new OpsError("INVALID_ARGUMENT", "the pattern or file_glob is too long", "Search for a part of it.");
    }
    throw error;
  }
}

/** Cuts a stream at a separator; returns whether it was read to its end. */
async function splitStream(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  separator: number,
  take: (piece: OutputPiece) => boolean,
): Promise<boolean> {
  let parts: Uint8Array<ArrayBuffer>[] = [], size = 0;
  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(separator); at >= 0; at = chunk.indexOf(separator, from)) {
      const last = chunk.subarray(from, at);
      const piece = size > MAX_PIECE_BYTES ? null : parts.length === 0 ? last : joinBytes([...parts, last]);
      parts = [];
      size = 0;
      from = at + 1;
      if (!take(piece)) return false; // leaving the loop cancels the stream
    }
    size += chunk.length - from;
    if (size > MAX_PIECE_BYTES) parts = [];
    else if (from < chunk.length) parts.push(chunk.slice(from));
  }
  return true;
}

/** The start of what is said of errors; debug lines go elsewhere. All of it is read, so that the writer never waits. */
async function readErrors(stream: ReadableStream<Uint8Array>, debug: (line: string) => void): Promise<string> {
  let rest = "", errors = "";
  const take = (line: string): void => {
    if (/^(?:rg: )?(?:DEBUG|TRACE)\|/.test(line)) debug(line);
    else if (errors.length < MAX_STDERR_CHARS) errors += `${line}\n`;
  };
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(take);
  }
  if (rest !== "") take(rest);
  return errors;
}
