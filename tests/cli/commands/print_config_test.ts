import assert from "node:assert/strict";
import * as z from "zod";
import { parseToml } from "../../../src/config/toml.ts";
import { CLIENTS } from "../../../src/cli/client_snippets.ts";

const COMMAND = "/usr/local/bin/llmc-mcp", ARGS = ["stdio", "--root", "/home/you/project"];
const URL_ = "http://127.0.0.1:8080/mcp";

const text = z.string().min(1), texts = z.array(text), table = z.record(z.string(), text);
/** Each client's file, as its makers describe it; unknown keys are errors there or are lost. */
const started = z.strictObject({ command: text, args: texts, env: table.optional() });
const called = z.strictObject({ url: z.url(), headers: table });
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
  codex: z.strictObject({
    mcp_servers: z.record(
      z.string(),
      z.union([started, z.strictObject({ url: z.url(), bearer_token_env_var: z.string().regex(/^[A-Z_]+$/) })]),
    ),
  }),
};

Deno.test("each snippet is what its client reads", () => {
  for (const [name, snippets] of Object.entries(CLIENTS)) {
    for (const snippet of [snippets.local(COMMAND, ARGS), snippets.remote(URL_)]) {
      if (name === "claude-code") {
        assert.match(snippet, /^claude mcp add (llmc -- \/usr|--transport http llmc http)\S+ .*\n$/);
        continue;
      }
      const value = name === "codex" ? parseToml(snippet, "config.toml") : JSON.parse(snippet);
      assert.deepEqual(FORMATS[name]?.safeParse(value).error?.issues ?? [], [], name);
    }
  }
});

Deno.test("paths with blanks and quotes survive in every snippet", async () => {
  const root = `/home/you/my "own" $stuff's`;
  for (const [name, { local }] of Object.entries(CLIENTS)) {
    const snippet = local(COMMAND, ["stdio", "--root", root]);
    if (name !== "claude-code") {
      const value = name === "codex" ? parseToml(snippet, "config.toml") : JSON.parse(snippet);
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
