/** Finds machine-specific text and silenced checks in committed files. @module */
import { print, ROOT } from "./project.ts";

/** Something that no file of the project should hold. */
interface Rule {
  readonly pattern: RegExp;
  readonly fault: string;
  /** Which files it is about; all when absent. */
  readonly files?: RegExp;
}

const SOURCES = /^(?:src|tests|scripts|bench|lint)\/.*\.ts$|^main\.ts$/;
/** Folders that hold checkouts without telling anything about the machine. */
const COMMON_FOLDERS = new Set(["", "/tmp", "/home", "/root"]);

const RULES: readonly Rule[] = [
  { pattern: /https?:\/\/[^\s"'`)]*(?:npm|debian)[^\s"'`)]*/, fault: "names a package registry's host" },
  {
    pattern: /deno-lint-ignore(?!.* -- \S)/,
    fault: "silences a lint without a reason",
    files: SOURCES,
  },
  { pattern: /\.(?:only|skip)\(|\bonly: true/, fault: "leaves tests out", files: /^tests\/.*\.ts$/ },
];

/** Rules that hold on the machine where the check runs: its own paths. */
function machineRules(): Rule[] {
  const above = ROOT.slice(0, ROOT.lastIndexOf("/"));
  if (COMMON_FOLDERS.has(above)) return [];
  return [{
    pattern: new RegExp(`(?<![\\w.])${RegExp.escape(above)}/`),
    fault: `names ${above}, a folder of this machine`,
  }];
}

/** One line for each finding in `text`, a file's content; `path` is its path from the top. */
export function findWords(path: string, text: string, rules: readonly Rule[] = RULES): string[] {
  const applicable = rules.filter(({ files }) => files?.test(path) ?? true);
  return text.split("\n").flatMap((line, index) =>
    applicable.filter(({ pattern }) => pattern.test(line)).map(({ fault }) => `${path}:${index + 1}: ${fault}`)
  );
}

/** Searches every file that git knows; nothing outside a checkout. */
export async function searchProject(): Promise<string[]> {
  const command = new Deno.Command("git", { args: ["ls-files", "-z"], cwd: ROOT, stderr: "null" });
  const { success, stdout } = await command.output();
  if (!success) return [];
  const rules = [...RULES, ...machineRules()];
  const paths = new TextDecoder().decode(stdout).split("\0").filter((path) => path !== "" && !path.endsWith(".lock"));
  const findings = await Promise.all(paths.map(async (path) => {
    try {
      const text = await Deno.readTextFile(`${ROOT}/${path}`);
      return text.includes("\0") ? [] : findWords(path, text, rules);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound || error instanceof TypeError) return []; // deleted, or not text
      throw error;
    }
  }));
  return findings.flat();
}

if (import.meta.main) {
  const findings = await searchProject();
  for (const finding of findings) print(finding);
  Deno.exit(findings.length === 0 ? 0 : 1);
}
