/** Examples in the help of each command, ready to paste; a test runs every one. @module */
import type { Command } from "commander";

/** Command lines and what they do, by the words of the command; the program's own are under "". */
const EXAMPLES: Readonly<Record<string, readonly (readonly [line: string, meaning: string])[]>> = {
  "": [
    ["llmc-mcp print-config claude-code", "connect a client to this folder"],
    ["llmc-mcp serve --root . --fresh-token", "serve this folder over HTTP"],
    ["llmc-mcp tool linux_search_content pattern=TODO", "run one tool on it"],
    ["llmc-mcp doctor", "check the sandbox on this machine"],
  ],
  index: [
    ["llmc-mcp index", "index what changed in this folder"],
    ["llmc-mcp index --root ~/src/app --status", "count files and chunks"],
  ],
  rag: [
    ['llmc-mcp rag search "where is the total computed"', "search this folder"],
  ],
  "rag search": [
    ['llmc-mcp rag search "where is the total computed"', "search this folder"],
    ["llmc-mcp rag search total --root ~/src/app --k 3", "at most three snippets"],
  ],
  stdio: [
    ["llmc-mcp stdio --root ~/src/app", "one folder"],
    ["llmc-mcp stdio --root ~/src/app --root ~/notes", "two folders"],
    ["llmc-mcp stdio --root . --set mcp.read_only=true", "read-only"],
  ],
  serve: [
    ["llmc-mcp serve --root . --fresh-token", "a new token for this run"],
    ['LLMC_MCP_TOKEN="$(openssl rand -base64 24)" llmc-mcp serve --root .', "your own token"],
    ["llmc-mcp serve --root . --port 0 --fresh-token", "any free port"],
  ],
  tool: [
    ["llmc-mcp tool", "list all tools"],
    ["llmc-mcp tool linux_fs_read --help", "arguments of one tool"],
    ["llmc-mcp tool linux_fs_read path=README.md", "read a file in this folder"],
    ['llmc-mcp tool run_cmd \'argv=["git","status"]\' --json', "JSON in, JSON out"],
  ],
  undo: [
    ["llmc-mcp undo --dry-run", "what the last operation changed"],
    ["llmc-mcp undo op_7f", "restore what one operation changed"],
    ["llmc-mcp undo --since 2h --path src", "everything in a folder since then"],
  ],
  changes: [
    ["llmc-mcp changes", "what was changed, newest first"],
    ["llmc-mcp changes --since today --diff", "with the lines"],
  ],
  doctor: [
    ["llmc-mcp doctor", "check this machine"],
    ["llmc-mcp doctor --root ~/src/app", "and a folder"],
    ["llmc-mcp doctor --json", "for a program; exits with 1 on errors"],
  ],
  top: [
    ["llmc-mcp top", "the server in llmc.toml"],
    ["llmc-mcp top --url http://127.0.0.1:9000", "another server"],
    ["llmc-mcp top --url https://box:8443 --token-env BOX_TOKEN", "with its own token"],
  ],
  config: [
    ["llmc-mcp config init --root ~/src/app", "create llmc.toml"],
    ["llmc-mcp config check", "find mistakes"],
    ["llmc-mcp config show", "print every value"],
  ],
  "config init": [
    ["llmc-mcp config init --root ~/src/app", "create ~/.config/llmc/llmc.toml"],
    ["llmc-mcp config init --config ./new.toml", "create another file"],
  ],
  "config show": [["llmc-mcp config show --json", "for a program"]],
  "config check": [
    ["llmc-mcp config check", "the configuration in use"],
    ["llmc-mcp config check --config ./my.toml", "a file before it is used"],
  ],
  "config schema": [["llmc-mcp config schema > llmc.schema.json", "for an editor"]],
  "config path": [["llmc-mcp config path", "print the path"]],
  "print-config": [
    ["llmc-mcp print-config claude-desktop --root ~/notes", "JSON to paste"],
    ["llmc-mcp print-config codex --root . >> ~/.codex/config.toml", "append TOML"],
    ["llmc-mcp print-config cursor --url http://127.0.0.1:8080", "a running server"],
  ],
  completion: [
    ["source <(llmc-mcp completion bash)", "bash, this session"],
    ["llmc-mcp completion zsh > ~/.zfunc/_llmc-mcp", "zsh, with ~/.zfunc in $fpath"],
    ["llmc-mcp completion fish > ~/.config/fish/completions/llmc-mcp.fish", "fish"],
  ],
  te: [
    ["llmc-mcp te -- git log --stat", "newest commits first"],
    ["llmc-mcp te --json grep -rn TODO .", "as JSON"],
    ["llmc-mcp te --stats", "tokens saved so far"],
  ],
};

/** Adds them to the program and to every command below it. */
export function addExamples(program: Command, words = ""): void {
  if (words in EXAMPLES) program.addHelpText("after", examplesOf(words));
  for (const command of program.commands) addExamples(command, `${words} ${command.name()}`.trim());
}

const COLUMNS = 80;

/** The section of the help with the examples of a command; its words with blanks between them. */
export function examplesOf(words: string): string {
  const examples = EXAMPLES[words] ?? [];
  const width = Math.max(...examples.map(([line]) => line.length));
  const beside = examples.map(([line, meaning]) => `  ${line.padEnd(width)}  # ${meaning}`);
  const fits = beside.every((row) => row.length <= COLUMNS);
  const rows = fits ? beside : examples.flatMap(([line, meaning]) => [`  # ${meaning}`, `  ${line}`]);
  return `\nExamples:\n${rows.join("\n")}`;
}
