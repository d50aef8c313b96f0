/** Fits text to terminal columns. @module */

const segmenter = new Intl.Segmenter();
/** Characters that take two columns: those of East Asia, and pictures. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Columns that a text takes. */
export function columns(text: string): number {
  let sum = 0;
  for (const { segment } of segmenter.segment(text)) sum += WIDE.test(segment) ? 2 : 1;
  return sum;
}

/** The text in exactly so many columns: cut with a mark, or filled up with blanks. */
export function fit(text: string, width: number, align: "left" | "right" = "left"): string {
  const line = text.replace(/[\t\n]/g, " ");
  const cut = columns(line) > width ? `${cutTo(line, width - 1)}…` : line;
  const blanks = " ".repeat(Math.max(0, width - columns(cut)));
  return align === "left" ? cut + blanks : blanks + cut;
}

function cutTo(text: string, width: number): string {
  let kept = "", sum = 0;
  for (const { segment } of segmenter.segment(text)) {
    sum += WIDE.test(segment) ? 2 : 1;
    if (sum > width) break;
    kept += segment;
  }
  return kept + " ".repeat(Math.max(0, width - columns(kept)));
}
