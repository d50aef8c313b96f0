/** `llmc-mcp print-config CLIENT`: what to paste where. @module */
import { shellWord } from "../shell_word.ts";
import { print } from "../start.ts";

/** Prints the snippet of a client for a set of roots. */
export function printConfig(client: string, roots: readonly string[]): number {
  const folders = (roots.length > 0 ? roots : ["."]).map((root) => Deno.realPathSync(root));
  print(snippet(client, Deno.build.standalone ? Deno.execPath() : "llmc-mcp", folders));
  return 0;
}

/** The snippet: JSON or TOML for a file, or a command. The comment lines say where it goes. */
export function snippet(client: string, command: string, roots: readonly string[]): string {
  const args = ["stdio", ...roots.flatMap((root) => ["--root", root])];
  switch (client) {
    case "vscode":
      return `${JSON.stringify({ servers: { llmc: { type: "stdio", command, args } } }, null, 2)}\n`;
    case "claude-code":
      return `claude mcp add llmc -- ${[command, ...args].map(shellWord).join(" ")}\n`;
    case "codex":
      return `[mcp_servers.llmc]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
    default:
      return `${JSON.stringify({ mcpServers: { llmc: { command, args } } }, null, 2)}\n`;
  }
}
