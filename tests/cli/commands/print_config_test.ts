import assert from "node:assert/strict";
import { parse as parseYaml } from "yaml";
import * as z from "zod";
import { parseToml } from "../../../src/config/toml.ts";
import { CLIENTS } from "../../../src/cli/client_snippets.ts";

const COMMAND = "/usr/local/bin/llmc-mcp", ARGS = ["stdio", "--root", "/home/you/project"];
const URL_ = "http://127.0.0.1:8080/mcp";

const text = z.string().min(1), texts = z.array(text), table = z.record(z.string(), text);
/** Each client's file, as its makers describe it; unknown keys are errors there or are lost. */
const started = z.strictObject({ command: text, args: texts, env: table.optional() });
const called = z.strictObject({ url: z.url(), headers: table });
const gooseExtension = z.strictObject({ name: text, enabled: z.boolean(), timeout: z.int() });
const servers = (server: z.ZodType): z.ZodType => z.strictObject({ mcpServers: z.record(z.string(), server) });
const FORMATS: Readonly<Record<string, z.ZodType>> = {
  "claude-desktop": z.strictObject({ mcpServers: z.record(z.string(), started) }),
  cursor: z.strictObject({ mcpServers: z.record(z.string(), z.union([started, called])) }),
  vscode: z.strictObject({
    inputs: z.array(
      z.strictObject({ type: z.literal("promptString"), id: text, description: text, password: z.boolean() }),
    )
      .optional(),
    servers: z.record(
      z.string(),
      z.discriminatedUnion("type", [
        started.extend({ type: z.literal("stdio") }),
        called.extend({ type: z.literal("http") }),
      ]),
    ),
  }),
  windsurf: servers(z.union([started, z.strictObject({ serverUrl: z.url(), headers: table })])),
  cline: servers(z.union([started, called.extend({ type: z.literal("streamableHttp") })])),
  gemini: servers(z.union([started, z.strictObject({ httpUrl: z.url(), headers: table })])),
  qwen: servers(z.union([started, z.strictObject({ httpUrl: z.url(), headers: table })])),
  copilot: servers(z.discriminatedUnion("type", [
    started.extend({ type: z.literal("local"), tools: texts }),
    called.extend({ type: z.literal("http"), tools: texts }),
  ])),
  opencode: z.strictObject({
    mcp: z.record(
      z.string(),
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("local"), command: texts, enabled: z.boolean() }),
        called.extend({ type: z.literal("remote"), enabled: z.boolean() }),
      ]),
    ),
  }),
  zed: z.strictObject({
    context_servers: z.record(z.string(), z.union([started.extend({ source: z.literal("custom") }), called])),
  }),
  "lm-studio": servers(z.union([started, called])),
  continue: z.strictObject({
    name: text,
    version: text,
    schema: z.literal("v1"),
    mcpServers: z.array(z.discriminatedUnion("type", [
      started.extend({ name: text, type: z.literal("stdio") }),
      z.strictObject({
        name: text,
        type: z.literal("streamable-http"),
        url: z.url(),
        requestOptions: z.strictObject({ headers: table }),
      }),
    ])),
  }),
  goose: z.strictObject({
    extensions: z.record(
      z.string(),
      z.discriminatedUnion("type", [
        gooseExtension.extend({ type: z.literal("stdio"), cmd: text, args: texts }),
        gooseExtension.extend({ type: z.literal("streamable_http"), uri: z.url(), headers: table }),
      ]),
    ),
  }),
  codex: z.strictObject({
    mcp_servers: z.record(
      z.string(),
      z.union([started, z.strictObject({ url: z.url(), bearer_token_env_var: z.string().regex(/^[A-Z_]+$/) })]),
    ),
  }),
};

function parse(client: string, snippet: string): unknown {
  if (client === "codex") return parseToml(snippet, "config.toml");
  return client === "continue" || client === "goose" ? parseYaml(snippet) : JSON.parse(snippet);
}

Deno.test("each snippet is what its client reads", () => {
  for (const [name, snippets] of Object.entries(CLIENTS)) {
    for (const snippet of [snippets.local(COMMAND, ARGS), snippets.remote(URL_)]) {
      if (name === "claude-code") {
        assert.match(snippet, /^claude mcp add (llmc -- \/usr|--transport http llmc http)\S+ .*\n$/);
        continue;
      }
      const value = parse(name, snippet);
      assert.deepEqual(FORMATS[name]?.safeParse(value).error?.issues ?? [], [], name);
    }
  }
});

Deno.test("paths with blanks and quotes survive in every snippet", async () => {
  const root = `/home/you/my "own" $stuff's`;
  for (const [name, { local }] of Object.entries(CLIENTS)) {
    const snippet = local(COMMAND, ["stdio", "--root", root]);
    if (name !== "claude-code") {
      const value = parse(name, snippet);
      assert.ok(JSON.stringify(value).includes(JSON.stringify(root).slice(1, -1)), name);
      continue;
    }
    const words = snippet.trim().replace("claude mcp add", "printf '%s\\n'");
    const { stdout } = await new Deno.Command("bash", { args: ["-c", words] }).output();
    assert.deepEqual(new TextDecoder().decode(stdout).trim().split("\n"), [
      "llmc",
      "--",
      COMMAND,
      "stdio",
      "--root",
      root,
    ]);
  }
});

Deno.test("the document on clients shows each snippet as it is printed", async () => {
  const document = await Deno.readTextFile(new URL("../../../docs/clients.md", import.meta.url));
  for (const [name, { local, remote, place }] of Object.entries(CLIENTS)) {
    for (const snippet of [local(COMMAND, ARGS), remote(URL_)]) {
      assert.ok(document.includes(`\n${snippet}\`\`\`\n`), name);
    }
    assert.ok(document.includes(place), name);
  }
});
