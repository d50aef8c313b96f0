/** Shows both output streams within one budget, and stores the whole when something is left out. @module */
import { cutLine, leftOut, note } from "../core/bound.ts";
import { boundEnds, linesOf } from "../core/bound_lines.ts";
import { encodeText, joinBytes } from "../core/bytes.ts";
import { OpsError } from "../core/error.ts";
import { textKind } from "../core/text_kind.ts";
import { estimateTokens } from "../core/tokens.ts";
import { settledLength, settleLines, stripControls } from "../condense/output_text.ts";
import type { HandleMeta, HandleStore } from "../store/handles.ts";
import { makePacer } from "../sys/pacer.ts";
import { decode, type Output, type StreamName } from "./output.ts";

/** How much is shown. */
export interface ShowOptions {
  /** Tokens of both streams together. */
  readonly budgetTokens: number;
  /** Instead of tokens: bytes of each stream. */
  readonly inlineBytes?: number | undefined;
  readonly keepControls: boolean;
}

/** What is shown of one stream. */
export interface Shown {
  readonly text: string;
  /** Something is left out. */
  readonly cut: boolean;
  /** Media type when it is not text; `text` then describes it. */
  readonly binary: string | null;
}

/** Both streams as they are shown. */
export interface ShownOutput {
  readonly stdout: Shown;
  readonly stderr: Shown;
}

/** So much is cleaned at once: some milliseconds. */
const PIECE_CHARS = 64 * 1024;
/** What the error stream leaves to the other one when both are long. */
const STDOUT_SHARE = 0.6;

/** Shows both streams. */
export function showOutput(output: Output, { budgetTokens, inlineBytes, keepControls }: ShowOptions): ShownOutput {
  if (inlineBytes !== undefined) {
    return {
      stdout: showBytes(output, "stdout", inlineBytes, keepControls),
      stderr: showBytes(output, "stderr", inlineBytes, keepControls),
    };
  }
  const bound = (stream: StreamName, tokens: number): Shown => boundOutput(output, stream, tokens, keepControls);
  const first = bound("stdout", budgetTokens * STDOUT_SHARE);
  const stderr = bound("stderr", budgetTokens - estimateTokens(first.text));
  // What the error stream did not need, the other one gets.
  const stdout = first.cut ? bound("stdout", budgetTokens - estimateTokens(stderr.text)) : first;
  return { stdout, stderr };
}

/** What is shown of each stream of a program that has not ended by itself. */
const LAST_LINES = 20, LAST_LINE_CHARS = 300;
/** Looked at for those lines. */
const LAST_BYTES = 64 * 1024;

/** The last lines of both streams. */
export function showLast(output: Output, keepControls: boolean): ShownOutput {
  const last = (stream: StreamName): Shown => {
    const shown = boundOutput(output, stream, 0, keepControls);
    if (shown.binary !== null) return shown;
    const { head, tail, omittedBytes } = output.excerpt(stream, 0, LAST_BYTES);
    const text = decode(joinBytes([head, tail])), isOpen = text !== "" && !text.endsWith("\n");
    const lines = linesOf(keepControls ? text : settleLines(stripControls(text)));
    const all = omittedBytes > 0 ? output.linesOf(stream) + (isOpen ? 1 : 0) : lines.length;
    return lastLines(lines, all);
  };
  return { stdout: last("stdout"), stderr: last("stderr") };
}

/** The last lines, with a note of those before them. @param all How many there are. */
export function lastLines(lines: readonly string[], all: number): Shown {
  const kept = lines.slice(-LAST_LINES), shown = kept.map((line) => cutLine(line, LAST_LINE_CHARS));
  const missing = all - kept.length;
  const text = [...missing > 0 ? [leftOut(missing, `${all} lines`)] : [], ...shown].join("\n");
  return { text, cut: missing > 0 || shown.some((line, i) => line !== kept[i]), binary: null };
}

function showBytes(output: Output, stream: StreamName, most: number, keepControls: boolean): Shown {
  const { binary, text } = boundOutput(output, stream, 0, keepControls);
  if (binary !== null) return { text, cut: true, binary };
  const { head, tail, omittedBytes } = output.excerpt(stream, Math.ceil(most / 2), Math.floor(most / 2));
  const clean = (bytes: Uint8Array): string => textOf(bytes, keepControls);
  if (omittedBytes === 0) return { text: clean(head) + clean(tail), cut: false, binary: null };
  return { text: `${clean(head)}\n${note(`${omittedBytes} bytes left out`)}\n${clean(tail)}`, cut: true, binary: null };
}

/** Bytes per token that are looked at, at either end; no text has so few tokens for so many bytes. */
const BYTES_PER_TOKEN = 16;
const SNIFFED_BYTES = 64 * 1024;

/** Shows one stream within a budget of tokens. */
export function boundOutput(output: Output, stream: StreamName, budgetTokens: number, keepControls: boolean): Shown {
  const total = output.bytesOf(stream);
  if (total === 0) return { text: "", cut: false, binary: null };
  const most = Math.max(SNIFFED_BYTES, budgetTokens * BYTES_PER_TOKEN);
  const { head, tail, omittedBytes } = output.excerpt(stream, most, most);
  const kind = textKind(head.subarray(0, SNIFFED_BYTES), {
    isWhole: head.length <= SNIFFED_BYTES && omittedBytes === 0,
  });
  if (!kind.text) return { text: `[binary output: ${kind.type}, ${total} bytes]`, cut: true, binary: kind.type };
  const clean = (bytes: Uint8Array): string => textOf(bytes, keepControls);
  const first = clean(head), last = clean(tail);
  if (omittedBytes === 0 && (first.length <= budgetTokens || estimateTokens(first) <= budgetTokens)) {
    return { text: first, cut: false, binary: null };
  }
  const lineCount = output.linesOf(stream);
  if (omittedBytes === 0) {
    const lines = linesOf(first), { text } = boundEnds(lines, lines, lineCount, budgetTokens, { least: 1 });
    return { text: first.endsWith("\n") ? `${text}\n` : text, cut: true, binary: null };
  }
  const ends = [wholeLines(first, true), wholeLines(last, false)] as const;
  const { text } = boundEnds(...ends, lineCount, budgetTokens, { middle: `${omittedBytes} bytes`, least: 1 });
  return { text, cut: true, binary: null };
}

/** Without the line that was cut in the middle, unless it is the only one. */
function wholeLines(text: string, isHead: boolean): string[] {
  const lines = text.split("\n");
  if (lines.length < 2) return lines;
  return isHead ? lines.slice(0, -1) : lines.slice(1);
}

/** Keeps what was shown in part; null when nothing was left out, or it cannot be kept. */
export async function keepOutput(
  output: Output,
  shown: ShownOutput,
  to: { handles: Pick<HandleStore, "put">; owner: string; meta: HandleMeta; keepControls: boolean },
): Promise<string | null> {
  if (!shown.stdout.cut && !shown.stderr.cut) return null;
  const payload = shown.stdout.binary === null
    ? await wholeText(output, to.keepControls)
    : wholeBytes(output, "stdout");
  try {
    return to.handles.put({ kind: "cmd", owner: to.owner, payload, meta: to.meta });
  } catch (error) {
    if (error instanceof OpsError) return null; // a full disk must not take away what can still be shown
    throw error;
  }
}

async function wholeText(output: Output, keepControls: boolean): Promise<string> {
  const cleaned = async (stream: StreamName): Promise<string> => {
    const text = decode(wholeBytes(output, stream));
    return keepControls ? text : await cleanPieces(text);
  };
  const stdout = await cleaned("stdout"), stderr = await cleaned("stderr");
  if (stderr === "") return stdout;
  return `${stdout}${stdout === "" || stdout.endsWith("\n") ? "" : "\n"}[stderr]\n${stderr}`;
}

/** Cleans a long text piece by piece, at line ends or between sequences; other calls come in between. */
async function cleanPieces(text: string): Promise<string> {
  const pieces: string[] = [], pacer = makePacer(new AbortController().signal);
  for (let at = 0; at < text.length;) {
    await pacer();
    const piece = text.slice(at, at + PIECE_CHARS), isLast = at + piece.length === text.length;
    const length = isLast ? piece.length : piece.lastIndexOf("\n") + 1 || settledLength(piece) || piece.length;
    pieces.push(stripControls(piece.slice(0, length)));
    at += length;
  }
  return pieces.join("");
}

function wholeBytes(output: Output, stream: StreamName): Uint8Array {
  const { head, tail, omittedBytes } = output.excerpt(stream, Infinity, Infinity);
  if (omittedBytes === 0 && tail.length === 0) return head;
  return joinBytes([
    head,
    encodeText(omittedBytes > 0 ? `\n${note(`${omittedBytes} bytes were not kept`)}\n` : ""),
    tail,
  ]);
}

function textOf(bytes: Uint8Array, keepControls: boolean): string {
  return keepControls ? decode(bytes) : stripControls(decode(bytes));
}
