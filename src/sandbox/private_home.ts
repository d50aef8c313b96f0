/** Manages the home directory of programs: private to the server, kept between calls, bounded in size. @module */
import type { Config } from "../config/resolve.ts";

/** What is taken over from the user's git: who commits, and how lines end. Never credentials, aliases or hooks. */
const TAKEN = ["user.name", "user.email", "init.defaultBranch", "core.autocrlf"] as const;

/** Settings of git by key. */
export type GitSettings = Readonly<Record<string, string>>;

/** Makes the directory. @returns Its path. */
export function makeHome({ dataDir }: Pick<Config, "dataDir">): string {
  const home = `${dataDir}/home`;
  Deno.mkdirSync(home, { recursive: true, mode: 0o700 });
  return home;
}

/** Asks the user's own git; empty where there is none. Needs the user's HOME, and runs outside every sandbox. */
export async function readGitSettings(env: Readonly<Record<string, string>>): Promise<GitSettings> {
  const pattern = `^(${TAKEN.join("|").replaceAll(".", "\\.")}|core\\.hookspath)$`.toLowerCase();
  try {
    const { stdout } = await new Deno.Command("/usr/bin/git", {
      args: ["config", "--null", "--includes", "--get-regexp", pattern],
      cwd: "/", // outside every repository
      clearEnv: true,
      env: { HOME: env.HOME ?? "/", ...env.XDG_CONFIG_HOME ? { XDG_CONFIG_HOME: env.XDG_CONFIG_HOME } : {} },
      stdin: "null",
      stderr: "null",
    }).output();
    const pairs = new TextDecoder().decode(stdout).split("\0").filter((entry) => entry.includes("\n"));
    return Object.fromEntries(
      pairs.map((entry) => [entry.slice(0, entry.indexOf("\n")), entry.slice(entry.indexOf("\n") + 1)]),
    );
  } catch {
    return {}; // git is not installed
  }
}

/** Writes the `.gitconfig` of the home directory again: what programs changed in it lasts until the next start. */
export function writeGitConfig(home: string, settings: GitSettings, roots: readonly string[]): void {
  const lines = TAKEN.flatMap((key) => {
    const value = settings[key.toLowerCase()], [section, name] = key.split(".");
    return value === undefined ? [] : [`[${section}]`, `\t${name} = ${quoted(value)}`];
  });
  // A repository of another user inside a root is the operator's choice; outside the roots nothing can be seen.
  const safe = ["[safe]", ...["*", ...roots].map((root) => `\tdirectory = ${quoted(root)}`)];
  const path = `${home}/.gitconfig`;
  // A program may have put a link in its place.
  try {
    Deno.removeSync(path, { recursive: true });
  } catch {
    // none yet
  }
  Deno.writeTextFileSync(path, `${[...lines, ...safe].join("\n")}\n`, { createNew: true, mode: 0o600 });
}

const quoted = (value: string): string =>
  `"${value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
