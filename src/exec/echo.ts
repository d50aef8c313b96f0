/** Finds where a terminal's echo of what was typed ends, so that it is not taken for an answer. @module */
import { settledLength, stripControls } from "../condense/output_text.ts";

/** Input that was sent, and what became of its echo. */
export interface Sent {
  /** Bytes of output when it was sent. */
  readonly at: number;
  /** What a terminal shows of it; empty without a terminal. */
  readonly typed: string;
}

/** What readline writes before its prompt: bracketed paste is on. */
const EDITOR_STARTS = "\x1b[?2004h";
/** Longer input is not looked for. */
const MAX_TYPED = 4_096;
// deno-lint-ignore no-control-regex -- terminal sequences are control characters
const SEQUENCE = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]/y;

/** Notes what a terminal will echo. @param bytes Output so far. */
export function sentNow(bytes: number, typed: string, pty: boolean): Sent {
  return { at: bytes, typed: pty && typed.length <= MAX_TYPED ? typed : "" };
}

/**
 * Where the echo ends in the output since the input was sent.
 *
 * @param output Decoded, with terminal sequences; a line editor draws some of it more than once.
 * @returns An index of `output`; null while more of the echo may come.
 */
export function echoEnd(output: string, typed: string): number | null {
  const lines = typed.split(/[\r\n]+/).map(visible).filter((line) => line !== "");
  const { text, ends } = look(output);
  let from = 0, end = 0;
  for (const line of lines) {
    const found = text.indexOf(line, from);
    if (found < 0) {
      // The beginning of the line may be all that there is so far: `$ ech`.
      if (endsInside(text.slice(from), line)) return null;
      break;
    }
    from = found + line.length;
    end = ends[from - 1] ?? end;
  }
  const last = lines.at(-1);
  return last === undefined ? end : redrawnEnd(output, end, last);
}

/** A line that was typed ahead is echoed by the kernel first, and once more by the editor that reads it later. */
function redrawnEnd(output: string, end: number, line: string): number | null {
  const prompt = output.indexOf(EDITOR_STARTS, end);
  if (prompt < 0) return end;
  const { text, ends } = look(output.slice(prompt));
  const found = text.indexOf(line);
  if (found >= 0) return prompt + (ends[found + line.length - 1] ?? 0);
  return text.length > 1 && endsInside(text, line, 2) ? null : end;
}

/** Whether there is output that a reader sees. */
export function showsSomething(output: string): boolean {
  return visible(stripControls(output.slice(0, settledLength(output)))) !== "";
}

const visible = (text: string): string => text.replace(/\s+/g, "");

/** The visible characters of an output, and where each of them ends. */
function look(output: string): { readonly text: string; readonly ends: readonly number[] } {
  let text = "";
  const ends: number[] = [];
  for (let index = 0; index < output.length;) {
    SEQUENCE.lastIndex = index;
    const sequence = output.charAt(index) === "\x1b" ? SEQUENCE.exec(output) : null;
    const character = output.charAt(index);
    index += sequence?.[0].length ?? 1;
    // deno-lint-ignore no-control-regex -- neither blanks nor controls can be seen
    if (sequence !== null || /[\s\x00-\x1f\x7f]/.test(character)) continue;
    text += character;
    ends.push(index);
  }
  return { text, ends };
}

/** Whether a text ends with the beginning of a line. @param least Fewer characters are a coincidence. */
function endsInside(text: string, line: string, least = 1): boolean {
  for (let length = Math.min(text.length, line.length - 1); length >= least; length--) {
    if (line.startsWith(text.slice(-length))) return true;
  }
  return text === "";
}
