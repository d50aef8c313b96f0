/** Parses the pattern and options of a grep or ripgrep command line. @module */

/** The parts of the command that decide what its output means. */
export interface GrepArgs {
  /** The pattern, "" when it cannot be told. */
  readonly pattern: string;
  /** Files or folders to search. */
  readonly operands: readonly string[];
  /** What a line of output is. */
  readonly prints: "lines" | "counts" | "paths";
}

/** Options of grep and rg that take a value in the next word. */
const VALUED = new Set(
  ("-A -B -C -m -e -f -g -t -T -M -j -E -r -d -D --after-context --before-context --context --max-count --regexp " +
    "--file --glob --iglob --type --type-not --max-columns --threads --encoding --replace --include --exclude " +
    "--exclude-dir --max-depth --max-filesize --sort --sortr --color --colors --engine").split(" "),
);
/** In grep these are switches; in rg they take a value. */
const RG_ONLY = new Set(["-g", "-t", "-T", "-M", "-j", "-E", "-r"]);

/** Reads the arguments of grep, rg and their like. */
export function readGrepArgs(program: string, args: readonly string[]): GrepArgs {
  const operands: string[] = [];
  let pattern: string | undefined, prints: GrepArgs["prints"] = "lines", literal = false;
  const words = program === "git" ? args.slice(args.indexOf("grep") + 1) : args;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    if (literal || !word.startsWith("-") || word === "-") {
      if (pattern === undefined) pattern = word;
      else operands.push(word);
      continue;
    }
    if (word === "--") literal = true;
    else if (/^--(?:files-with|files-without|files$)|^-[a-zA-Z]*[lL]$/.test(word)) prints = "paths";
    else if (/^--count|^-[a-zA-Z]*c$/.test(word)) prints = "counts";
    if (word === "-e" || word === "--regexp") pattern = words[i + 1] ?? "";
    const grepSwitch = program !== "rg" && RG_ONLY.has(word);
    if (VALUED.has(word) && !grepSwitch) i++;
  }
  return { pattern: pattern ?? "", operands, prints };
}
