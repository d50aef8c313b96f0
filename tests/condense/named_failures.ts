/** Reads which failed tests a digest names: in lines of their own, and in its list of names. @module */

/** @param pattern One name, with its number: `breaks 7`. */
export function namedFailures(text: string, pattern: RegExp): string[] {
  const lists = text.match(/\[… also failed: .*\]/g) ?? [];
  const told = text.replaceAll(/\[… also failed: .*\]/g, "").match(new RegExp(pattern, "g")) ?? [];
  return [...new Set([...told, ...lists.flatMap((list) => expand(list).match(new RegExp(pattern, "g")) ?? [])])];
}

/** `row # (# = 1-3 7)` as `row 1, row 2, row 3, row 7`. */
function expand(list: string): string {
  return list.replace(
    /([^,[\]]*)#([^,#(]*)\(# = ([\d -]+)\)/g,
    (_, before: string, after: string, numbers: string) =>
      numbers.split(" ").flatMap((range) => {
        const [first = 0, last = first] = range.split("-").map(Number);
        return Array.from({ length: last - first + 1 }, (_, i) => `${before}${first + i}${after}`);
      }).join(", "),
  );
}
