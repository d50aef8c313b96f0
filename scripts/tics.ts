/** Counts discouraged words and phrases, and fails when there are more of them than recorded. @module */
import allowed from "./tics.json" with { type: "json" };
import { print, ROOT } from "./project.ts";

/** What to write instead, by the words that are counted. */
const TICS: readonly { readonly words: RegExp; readonly instead: string }[] = [
  { words: /\b(?:nobody|somebody|everybody|whoever)\b/gi, instead: "name the component or the person" },
  { words: /\banew\b/gi, instead: "write 'again' or 'rebuild'" },
  { words: /\b(?:is|are|was|were) no (?!more\b|longer\b|other\b)\w+/gi, instead: "write 'is not a'" },
  { words: /\bstands?\b/gi, instead: "write 'is' or 'appears'" },
  { words: /\blies?\b/gi, instead: "write 'is', 'is in' or 'is stored'" },
];

/** Sources and documents; not what other programs wrote, nor what is generated from results. */
const READ = /^(?:src|tests|scripts|bench|lint)\/.*\.ts$|^docs\/.*\.md$|^[A-Z]+\.md$|^main\.ts$/;
const OWN = /^(?:scripts\/tics\.ts|tests\/scripts\/tics_test\.ts|src\/code_search\/synonyms\.ts)$/;

/** How often each habit occurs in texts, in the order of the rules. */
export function countTics(texts: Iterable<string>): number[] {
  const counts = TICS.map(() => 0);
  for (const text of texts) {
    for (const [index, { words }] of TICS.entries()) {
      counts[index] = (counts[index] ?? 0) + (text.match(words)?.length ?? 0);
    }
  }
  return counts;
}

/** One line for each habit that occurs more often than recorded in `tics.json`. */
export function judgeTics(counts: readonly number[], recorded: readonly number[]): string[] {
  return TICS.flatMap(({ words, instead }, index) => {
    const count = counts[index] ?? 0, most = recorded[index] ?? 0;
    return count > most ? [`${count - most} more than before of /${words.source}/: ${instead}`] : [];
  });
}

async function readProject(): Promise<string[]> {
  const command = new Deno.Command("git", { args: ["ls-files", "-z"], cwd: ROOT, stderr: "null" });
  const { stdout } = await command.output();
  const paths = new TextDecoder().decode(stdout).split("\0").filter((path) => READ.test(path) && !OWN.test(path));
  return await Promise.all(paths.map((path) => Deno.readTextFile(`${ROOT}/${path}`).catch(() => "")));
}

/** Judges the committed files. */
export async function findTics(): Promise<string[]> {
  return judgeTics(countTics(await readProject()), allowed);
}

if (import.meta.main) {
  const counts = countTics(await readProject());
  if (Deno.args.includes("--record")) {
    await Deno.writeTextFile(`${ROOT}/scripts/tics.json`, `${JSON.stringify(counts)}\n`);
  }
  print(`${JSON.stringify(counts)}, recorded ${JSON.stringify(allowed)}`);
}
