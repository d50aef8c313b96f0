/** Reads awk programs far enough to find calls and pipes that run programs. @module */

/**
 * Only after one of these does a slash certainly begin a regular expression. Everywhere else it is taken as a division,
 * so that no code can hide between two of them.
 */
const BEFORE_REGEX = /(?:^|[(,{};!~=\n]|&&|\|\|)\s*$/;

/** The construct of a program that runs a command; null when there is none. */
export function commandInAwk(source: string): string | null {
  const code = blankLiterals(source);
  const runs = code.match(/\bsystem\s*\(/) ??
    code.match(/(?<!\|)\|(?!\|)&?/) ?? // a pipe to or from a command
    code.match(/@\s*\w+\s*\(/) ?? // a call by name: the name may be "system"
    code.match(/@\s*load\b/);
  return runs ? runs[0].replace(/\s+/g, "") : null;
}

/** The source with strings, regular expressions and comments emptied, so that what is left is code. */
function blankLiterals(source: string): string {
  let code = "";
  for (let index = 0; index < source.length;) {
    const character = source.charAt(index);
    if (character === '"') {
      index = endOfLiteral(source, index, '"');
      code += '""';
    } else if (character === "/" && BEFORE_REGEX.test(code)) {
      index = endOfLiteral(source, index, "/");
      code += "//";
    } else if (character === "#") {
      const end = source.indexOf("\n", index);
      index = end < 0 ? source.length : end;
    } else if (source.startsWith("\\\n", index)) {
      index += 2; // the line goes on
      code += " ";
    } else {
      code += character;
      index++;
    }
  }
  return code;
}

function endOfLiteral(source: string, start: number, delimiter: string): number {
  for (let index = start + 1, inBracket = false; index < source.length; index++) {
    const character = source.charAt(index);
    if (character === "\n") return index; // not closed: awk refuses it; what follows is read as code
    if (character === "\\") index++;
    else if (delimiter === "/" && character === "[") inBracket = true;
    else if (character === "]") inBracket = false;
    else if (character === delimiter && !inBracket) return index + 1;
  }
  return source.length;
}
