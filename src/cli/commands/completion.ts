/** `llmc-mcp completion bash|zsh|fish`: prints the shell completion script. @module */
import type { Command } from "commander";
import { tools } from "../../tools/catalog.ts";
import { bashScript } from "../completion/bash.ts";
import { readCommands } from "../completion/command_table.ts";
import { fishScript } from "../completion/fish.ts";
import { readWords } from "../completion/words.ts";
import { zshScript } from "../completion/zsh.ts";
import { EXIT, print } from "../output.ts";
import { TE_OPTIONS } from "./te_options.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Shells that are known. */
export type Shell = keyof typeof SCRIPTS;

/** Prints the script of a shell, made from the commands as they are. */
export function completion(shell: Shell, program: Command): number {
  print(SCRIPTS[shell](readCommands(program, { te: TE_OPTIONS }), readWords(tools)));
  return EXIT.ok;
}
