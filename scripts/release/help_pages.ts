/** Reads help and completions from the executable, so that packages match the program. @module */

/** One command with its help as the program prints it. */
export interface HelpPage {
  readonly words: readonly string[];
  readonly text: string;
}

const SHELLS = ["bash", "zsh", "fish"] as const;

/** Completion scripts by shell. */
export type Completions = Readonly<Partial<Record<typeof SHELLS[number], string>>>;

/** The help of the program, then of every command and of the commands below these. */
export async function readHelp(binary: string): Promise<HelpPage[]> {
  const pages: HelpPage[] = [];
  const visit = async (words: readonly string[]) => {
    const text = await printed(binary, [...words, "--help"]);
    if (text === null) throw new Error(`${[binary, ...words].join(" ")} --help failed`);
    pages.push({ words, text });
    for (const name of commandsOf(text)) await visit([...words, name]);
  };
  await visit([]);
  return pages;
}

/** Names in the list of commands. */
function commandsOf(help: string): string[] {
  const list = help.match(/^Commands:\n((?: .*\n?)*)/m)?.[1] ?? "";
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].flatMap(([, name]) => name && name !== "help" ? [name] : []);
}

/** What `completion SHELL` prints, for each shell that the program knows. */
export async function readCompletions(binary: string): Promise<Completions> {
  const entries = await Promise.all(SHELLS.map(async (shell) => [shell, await printed(binary, ["completion", shell])]));
  return Object.fromEntries(entries.filter(([, text]) => text !== null));
}

async function printed(binary: string, args: readonly string[]): Promise<string | null> {
  const command = new Deno.Command(binary, { args: [...args], stdin: "null", env: { NO_COLOR: "1", COLUMNS: "80" } });
  const { success, stdout } = await command.output();
  return success ? new TextDecoder().decode(stdout) : null;
}
