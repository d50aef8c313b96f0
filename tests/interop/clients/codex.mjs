/** Codex, with a stub of the Responses API. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { driveAgent } from "./agent.mjs";

const CODEX = new URL("node_modules/.bin/codex", import.meta.url).pathname;

const protocol = {
  isTurn: (url) => url === "/v1/responses",
  // The tools of a server are in a namespace of their own, or have its name before theirs.
  tools: ({ tools = [] }) =>
    tools.flatMap(({ name, namespace, tools: inner }) =>
      inner ? inner.map((tool) => ({ ...tool, namespace: name, name: `${name}/${tool.name}`, own: tool.name })) : [{
        name: name ?? "",
        own: name,
        namespace,
      }]
    ),
  results: ({ input }) =>
    input.filter(({ type }) => type === "function_call_output").map(({ output }) =>
      typeof output === "string" ? output : JSON.stringify(output)
    ),
  answer: ({ text, call, args, id }) => {
    const item = call
      ? {
        type: "function_call",
        call_id: id,
        name: call.own,
        ...call.namespace ? { namespace: call.namespace } : {},
        arguments: JSON.stringify(args),
      }
      : { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text }] };
    const usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 };
    return [
      { type: "response.created", response: { id: "resp_1" } },
      { type: "response.output_item.done", item },
      { type: "response.completed", response: { id: "resp_1", usage } },
    ];
  },
};

await driveAgent(protocol, ({ url, home, binary, root }) => {
  const server = execFileSync(binary, ["print-config", "codex", "--root", root], {
    encoding: "utf8",
    env: { HOME: home, PATH: "/usr/bin:/bin" },
  });
  mkdirSync(`${home}/.codex`);
  writeFileSync(
    `${home}/.codex/config.toml`,
    [
      'model = "stub"',
      'model_provider = "stub"',
      "check_for_update_on_startup = false",
      "[analytics]",
      "enabled = false",
      "[model_providers.stub]",
      'name = "stub"',
      `base_url = "${url}/v1"`,
      'wire_api = "responses"',
      server.slice(server.indexOf("[mcp_servers")),
      "required = true", // the first request waits for the server
    ].join("\n"),
  );
  return {
    env: { PATH: process.env.PATH, HOME: home },
    list: { command: [CODEX, "mcp", "list"], shows: /llmc/ },
    job: [CODEX, "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "do the job"],
  };
});
