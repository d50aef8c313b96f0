/** Wraps text at a column width. @module */

/** Breaks each line at blanks; a word that is wider than the line stays whole, so that a path can be copied. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => {
    const lines: string[] = [];
    let current = "";
    for (const word of line.split(" ")) {
      const longer = current === "" ? word : `${current} ${word}`;
      if (longer.length > width && current !== "") {
        lines.push(current);
        current = word;
      } else current = longer;
    }
    return [...lines, current];
  });
}
