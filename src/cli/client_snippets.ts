/** Configuration snippets for MCP clients: one entry per client. @module */
import { quoteWord } from "../core/quote.ts";

/** One client. */
interface ClientSnippets {
  /** File or place that the snippet belongs into. */
  readonly place: string;
  /** The client starts the server itself and speaks over standard input and output. */
  local(command: string, args: readonly string[]): string;
  /** The client calls a server that runs already. */
  remote(url: string): string;
}

/** Variable that holds the token of a running server, because a token does not belong into a file that others read. */
const TOKEN = "LLMC_MCP_TOKEN";

/** By the name that the command line takes. */
export const CLIENTS: Readonly<Record<string, ClientSnippets>> = {
  "claude-desktop": {
    place: "~/.config/Claude/claude_desktop_config.json (on macOS ~/Library/Application Support/Claude)",
    local: (command, args) => json({ mcpServers: { llmc: { command, args } } }),
    // It reaches servers on this machine only through a bridge; a blank in an argument would be lost on the way.
    remote: (url) =>
      json({
        mcpServers: {
          llmc: {
            command: "npx",
            args: ["-y", "mcp-remote", url, "--header", "Authorization:${AUTHORIZATION}"],
            env: { AUTHORIZATION: "Bearer PUT-THE-TOKEN-HERE" },
          },
        },
      }),
  },
  "claude-code": {
    place: "a terminal; add --scope user for all projects",
    local: (command, args) => `claude mcp add llmc -- ${[command, ...args].map(quoteWord).join(" ")}\n`,
    remote: (url) =>
      `claude mcp add --transport http llmc ${quoteWord(url)} --header "Authorization: Bearer $${TOKEN}"\n`,
  },
  cursor: {
    place: "~/.cursor/mcp.json, or .cursor/mcp.json in a project",
    local: (command, args) => json({ mcpServers: { llmc: { command, args } } }),
    remote: (url) => json({ mcpServers: { llmc: { url, headers: { Authorization: `Bearer \${env:${TOKEN}}` } } } }),
  },
  vscode: {
    place: ".vscode/mcp.json in a workspace, or the user's mcp.json (MCP: Open User Configuration)",
    local: (command, args) => json({ servers: { llmc: { type: "stdio", command, args } } }),
    remote: (url) =>
      json({
        inputs: [{ type: "promptString", id: "llmc-token", description: "Token of llmc-mcp", password: true }],
        servers: { llmc: { type: "http", url, headers: { Authorization: "Bearer ${input:llmc-token}" } } },
      }),
  },
  codex: {
    place: "~/.codex/config.toml",
    local: (command, args) => `[mcp_servers.llmc]\ncommand = ${toml(command)}\nargs = [${args.map(toml).join(", ")}]\n`,
    remote: (url) => `[mcp_servers.llmc]\nurl = ${toml(url)}\nbearer_token_env_var = ${toml(TOKEN)}\n`,
  },
};

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A basic string of TOML; JSON escapes what it must, and DEL besides. */
function toml(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}
