/** Configuration snippets for MCP clients: one entry per client. @module */
import { quoteWord } from "../core/argv.ts";

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

/** For clients that take no variable in a header. */
const WRITTEN_TOKEN = { Authorization: "Bearer PUT-THE-TOKEN-HERE" };

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
  windsurf: {
    place: "~/.codeium/windsurf/mcp_config.json",
    local: (command, args) => json({ mcpServers: { llmc: { command, args } } }),
    remote: (url) =>
      json({ mcpServers: { llmc: { serverUrl: url, headers: { Authorization: `Bearer \${env:${TOKEN}}` } } } }),
  },
  cline: {
    place: "cline_mcp_settings.json (MCP Servers, Configure)",
    local: (command, args) => json({ mcpServers: { llmc: { command, args } } }),
    remote: (url) => json({ mcpServers: { llmc: { type: "streamableHttp", url, headers: WRITTEN_TOKEN } } }),
  },
  gemini: {
    place: "~/.gemini/settings.json, or .gemini/settings.json in a project",
    local: (command, args) => json({ mcpServers: { llmc: { command, args } } }),
    remote: (url) => json({ mcpServers: { llmc: { httpUrl: url, headers: { Authorization: `Bearer $${TOKEN}` } } } }),
  },
  qwen: {
    place: "~/.qwen/settings.json, or .qwen/settings.json in a project",
    local: (command, args) => json({ mcpServers: { llmc: { command, args } } }),
    remote: (url) => json({ mcpServers: { llmc: { httpUrl: url, headers: { Authorization: `Bearer $${TOKEN}` } } } }),
  },
  copilot: {
    place: "~/.copilot/mcp-config.json",
    local: (command, args) => json({ mcpServers: { llmc: { type: "local", command, args, tools: ["*"] } } }),
    remote: (url) => json({ mcpServers: { llmc: { type: "http", url, headers: WRITTEN_TOKEN, tools: ["*"] } } }),
  },
  opencode: {
    place: "opencode.json in a project, or ~/.config/opencode/opencode.json",
    local: (command, args) => json({ mcp: { llmc: { type: "local", command: [command, ...args], enabled: true } } }),
    remote: (url) =>
      json({
        mcp: { llmc: { type: "remote", url, headers: { Authorization: `Bearer {env:${TOKEN}}` }, enabled: true } },
      }),
  },
  zed: {
    place: "~/.config/zed/settings.json",
    local: (command, args) => json({ context_servers: { llmc: { source: "custom", command, args, env: {} } } }),
    remote: (url) => json({ context_servers: { llmc: { url, headers: WRITTEN_TOKEN } } }),
  },
  "lm-studio": {
    place: "~/.lmstudio/mcp.json",
    local: (command, args) => json({ mcpServers: { llmc: { command, args } } }),
    remote: (url) => json({ mcpServers: { llmc: { url, headers: WRITTEN_TOKEN } } }),
  },
  continue: {
    place: ".continue/mcpServers/llmc.yaml in a project",
    local: (command, args) =>
      `name: llmc\nversion: 1.0.0\nschema: v1\nmcpServers:\n  - name: llmc\n    type: stdio\n` +
      `    command: ${yaml(command)}\n    args: [${args.map(yaml).join(", ")}]\n`,
    remote: (url) =>
      `name: llmc\nversion: 1.0.0\nschema: v1\nmcpServers:\n  - name: llmc\n    type: streamable-http\n` +
      `    url: ${
        yaml(url)
      }\n    requestOptions:\n      headers:\n        Authorization: Bearer \${{ secrets.${TOKEN} }}\n`,
  },
  goose: {
    place: "~/.config/goose/config.yaml",
    local: (command, args) =>
      `extensions:\n  llmc:\n    name: llmc\n    type: stdio\n    enabled: true\n    timeout: 300\n` +
      `    cmd: ${yaml(command)}\n    args: [${args.map(yaml).join(", ")}]\n`,
    remote: (url) =>
      `extensions:\n  llmc:\n    name: llmc\n    type: streamable_http\n    enabled: true\n    timeout: 300\n` +
      `    uri: ${yaml(url)}\n    headers:\n      Authorization: "Bearer PUT-THE-TOKEN-HERE"\n`,
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

/** A double-quoted scalar of YAML, whose escapes include those of JSON. */
const yaml = (text: string): string => JSON.stringify(text);

/** A basic string of TOML; JSON escapes what it must, and DEL besides. */
function toml(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}
