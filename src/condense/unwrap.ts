/** Strips wrappers from a command: env, timeout, sudo, npx, `python -m` … @module */
import { baseName } from "../core/path.ts";
import { innerCommand } from "../core/wrappers.ts";

/** Programs with subcommands, and which of their options before it take a value. */
const SUBCOMMANDS: ReadonlyMap<string, string> = new Map([
  ["git", "-C -c --git-dir --work-tree"],
  ["docker", "-H --context"],
  ["podman", ""],
  ["kubectl", "-n --namespace --context"],
  ["cargo", "--config"],
  ["go", "-C"],
  ["deno", ""],
  ["npm", "--prefix -C"],
  ["pnpm", "-C --filter"],
  ["yarn", "--cwd"],
  ["bun", ""],
  ["pip", ""],
  ["systemctl", ""],
]);

/** The command without wrappers; the program as its base name. */
export function unwrap(words: readonly string[]): readonly string[] {
  for (let round = 0; round < 8; round++) {
    const next = unwrapOnce(words);
    if (next === words) break;
    words = next;
  }
  const [program, ...rest] = words;
  return program === undefined ? [] : [baseName(program), ...rest];
}

function unwrapOnce(words: readonly string[]): readonly string[] {
  let start = 0;
  while (/^[A-Za-z_]\w*=/.test(words[start] ?? "")) start++;
  if (start > 0) return words.slice(start);
  if (/^python[\d.]*$/.test(baseName(words[0] ?? ""))) return unwrapPython(words);
  // What xargs runs prints what it likes, whatever is before it in the pipe: recognise.ts looks at it.
  return baseName(words[0] ?? "") === "xargs" ? words : innerCommand(words) ?? words;
}

/** `python -m pytest` is pytest; `python -u -m x`, too. */
function unwrapPython(words: readonly string[]): readonly string[] {
  for (let i = 1; i < words.length; i++) {
    if (words[i] === "-m" && words[i + 1] !== undefined) return words.slice(i + 1);
    if (!words[i]?.startsWith("-")) break;
  }
  return words;
}

function skipOptions(words: readonly string[], valued: string): readonly string[] {
  const takesValue = new Set(valued.split(" "));
  let i = 0;
  while (words[i]?.startsWith("-") && words[i] !== "--") i += takesValue.has(words[i] ?? "") ? 2 : 1;
  return words.slice(words[i] === "--" ? i + 1 : i);
}

/** The subcommand of a program that has some, else "". */
export function subcommandOf(program: string, args: readonly string[]): string {
  const valued = SUBCOMMANDS.get(program);
  return valued === undefined ? "" : skipOptions(args, valued)[0] ?? "";
}
