/** Claude Code, with a stub of the Messages API. */
import { driveAgent } from "./agent.mjs";

const CLAUDE = new URL("node_modules/@anthropic-ai/claude-code-linux-x64/claude", import.meta.url).pathname;

const textOf = (content) =>
  typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("\n");

const protocol = {
  isTurn: (url) => /^\/v1\/messages(\?|$)/.test(url),
  tools: ({ tools = [] }) => tools,
  results: ({ messages }) =>
    messages.flatMap(({ content }) =>
      Array.isArray(content)
        ? content.filter(({ type }) => type === "tool_result").map(({ content }) => textOf(content))
        : []
    ),
  answer: ({ text, call, args, id }) => {
    const block = call ? { type: "tool_use", id, name: call.name, input: {} } : { type: "text", text: "" };
    const delta = call
      ? { type: "input_json_delta", partial_json: JSON.stringify(args) }
      : { type: "text_delta", text };
    const usage = { input_tokens: 10, output_tokens: 10 };
    const message = { id: "msg_1", type: "message", role: "assistant", model: "stub", content: [], usage };
    return [
      { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null }, usage },
      { type: "message_stop" },
    ];
  },
};

await driveAgent(protocol, ({ url, home, binary, root }) => ({
  env: {
    PATH: "/usr/bin:/bin",
    HOME: home,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "stub",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    ENABLE_TOOL_SEARCH: "false",
    MCP_CONNECTION_NONBLOCKING: "false",
  },
  add: [CLAUDE, "mcp", "add", "llmc", "--scope", "user", "--", binary, "stdio", "--root", root],
  list: { command: [CLAUDE, "mcp", "list"], shows: /llmc: .*Connected/ },
  job: [CLAUDE, "-p", "do the job", "--allowedTools", "mcp__llmc", "--output-format", "json"],
}));
