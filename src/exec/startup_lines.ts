/** Shows what a server printed until it was ready: warnings and the last lines, without the banners of its tools. @module */
import { cutLine, leftOut } from "../core/bound.ts";
import type { Shown } from "./show_output.ts";

const LAST_LINES = 6, MAX_WARNINGS = 5, LINE_CHARS = 300;
/** What package managers and development servers print at each start, whatever the project. */
const BANNER =
  /^> \S|^\$ \S|^yarn run v|(?:➜|→|-)\s+(?:Network:\s+(?:use|not exposed)|press |Inspect:)|press h \+ enter|^\s*Note that the development build is not|to use HMR|npm (?:notice|fund)|^\[nodemon\] (?:\d|to restart|watching|starting)/i;
const WARNING = /\b(?:error|warn(?:ing)?|fail(?:ed|ure|s)?|exception|deprecated|cannot|unable)\b/i;

/** @param lines All that it printed. */
export function startupLines(lines: readonly string[]): Shown {
  const said = lines.filter((line) => line.trim() !== ""), own = said.filter((line) => !BANNER.test(line));
  const last = own.slice(-LAST_LINES), warnings = own.slice(0, -LAST_LINES).filter((line) => WARNING.test(line));
  const kept = [...warnings.slice(0, MAX_WARNINGS), ...last], shown = kept.map((line) => cutLine(line, LINE_CHARS));
  const missing = said.length - kept.length;
  const text = [...missing > 0 ? [leftOut(missing, `${said.length} lines`)] : [], ...shown].join("\n");
  return { text, cut: missing > 0 || shown.some((line, i) => line !== kept[i]), binary: null };
}
