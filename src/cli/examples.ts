/** Examples in the help of each command, ready to paste. @module */
import type { Command } from "commander";

/** Command lines and what they do, by the words of the command; the program's own are under "". */
const EXAMPLES: Readonly<Record<string, readonly (readonly [line: string, meaning: string])[]>> = {
  "": [
    ["llmc-mcp stdio --root ~/src/app", "what a client starts"],
    ["llmc-mcp serve --root . --fresh-token", "an HTTP server over this folder"],
    ["llmc-mcp tool linux_search_content root=. pattern=TODO", "one tool, from the shell"],
    ["llmc-mcp print-config claude-code", "the snippet that connects a client"],
    ["llmc-mcp doctor", "what the sandbox holds on this machine"],
    ["llmc-mcp top", "watch a running server"],
  ],
  index: [
    ["llmc-mcp index --root .", "index what changed, with a progress bar"],
    ["llmc-mcp index --root . --status", "how many files and chunks there are"],
  ],
  rag: [
    ['llmc-mcp rag search "where is the token compared" --root .', "the few snippets that fit best"],
  ],
  "rag search": [
    ['llmc-mcp rag search "where is the token compared" --root .', "the few snippets that fit best"],
  ],
  stdio: [
    ["llmc-mcp stdio --root ~/src/app", "one folder"],
    ["llmc-mcp stdio --root ~/src/app --root ~/notes", "two folders"],
    ["llmc-mcp stdio --root . --set mcp.read_only=true", "look, but change nothing"],
  ],
  serve: [
    ["llmc-mcp serve --root . --fresh-token", "for this session only"],
    ['LLMC_MCP_TOKEN="$(openssl rand -base64 24)" llmc-mcp serve --root .', "with a token of your own"],
    ["llmc-mcp serve --config /etc/llmc/llmc.toml", "everything from a file"],
  ],
  tool: [
    ["llmc-mcp tool", "list the tools"],
    ["llmc-mcp tool linux_fs_read path=README.md --root .", "one call"],
    ['llmc-mcp tool run_cmd \'argv=["git","status"]\' --root . --json', "JSON in, JSON out"],
  ],
  doctor: [
    ["llmc-mcp doctor", "this machine, as it is configured"],
    ["llmc-mcp doctor --root ~/src/app", "with a folder"],
    ["llmc-mcp doctor --json", "for a program; exits with 1 when something is broken"],
  ],
  top: [
    ["llmc-mcp top", "the server that llmc.toml describes"],
    ["llmc-mcp top --url http://127.0.0.1:9000", "another one"],
    ["llmc-mcp top --url https://box:8443 --token-env BOX_TOKEN", "with a token of its own"],
  ],
  config: [
    ["llmc-mcp config show", "every value, and where it came from"],
    ["llmc-mcp config check --config ./llmc.toml", "before a restart"],
  ],
  "config show": [["llmc-mcp config show --json | jq .origins", "what differs from the defaults"]],
  "config check": [["llmc-mcp config check --config /etc/llmc/llmc.toml", "exits with 78 when something is wrong"]],
  "config schema": [["llmc-mcp config schema > llmc.schema.json", "for an editor"]],
  "config path": [["llmc-mcp config path", "the file that is read, or where it was looked for"]],
  "print-config": [
    ["llmc-mcp print-config claude-desktop --root ~/notes", "JSON to paste"],
    ["llmc-mcp print-config codex --root . >> ~/.codex/config.toml", "TOML to append"],
    ["llmc-mcp print-config cursor --url http://127.0.0.1:8080", "for a server that runs already"],
  ],
  completion: [
    ["source <(llmc-mcp completion bash)", "bash, for this session"],
    ["llmc-mcp completion zsh > ~/.zfunc/_llmc-mcp", "zsh, with ~/.zfunc in $fpath"],
    ["llmc-mcp completion fish > ~/.config/fish/completions/llmc-mcp.fish", "fish"],
  ],
};

/** Adds them to the program and to every command below it. */
export function addExamples(program: Command, words = ""): void {
  const examples = EXAMPLES[words];
  if (examples) {
    program.addHelpText(
      "after",
      `\nExamples:\n${examples.map(([line, meaning]) => row(examples, line, meaning)).join("\n")}\n`,
    );
  }
  for (const command of program.commands) addExamples(command, `${words} ${command.name()}`.trim());
}

function row(examples: readonly (readonly [string, string])[], line: string, meaning: string): string {
  const width = Math.max(...examples.map(([each]) => each.length));
  return `  ${line.padEnd(width)}   ${meaning}`;
}
