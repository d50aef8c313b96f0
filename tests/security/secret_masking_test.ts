/**
 * Plants secrets of every known format and searches for them in everything that the server returns and stores.
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Sandbox, startHttp } from "../support/binary.ts";
import { type Planted, plantKey, plantSecrets, plantValue } from "../support/planted_secrets.ts";
import { WITHOUT_LIMITS } from "../support/raw_http.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

const PLANTED = plantSecrets(), KEY = plantKey();
const VALUES = { OPENAI_API_KEY: plantValue(), DB_PASSWORD: plantValue(), SESSION: plantValue() };
const ENV = Object.entries(VALUES).map(([name, value]) => `${name}=${value}\n`).join("");
/** Every text that must not be seen. */
const SECRETS = [...PLANTED.map(({ secret }) => secret), ...KEY.lines.slice(0, -1), ...Object.values(VALUES)];

const chunk = (at: number): readonly Planted[] => PLANTED.slice(at * 50, at * 50 + 50);
const FILES = {
  ...Object.fromEntries([0, 1, 2, 3].map((at) => [
    `src/part${at}.ts`,
    chunk(at).map(({ line }, index) => `// unit ${at} ${index}\n${line}\n`).join(""),
  ])),
  ".env": ENV,
  "deploy/prod.env": ENV.replace("SESSION", "export SESSION"),
  "src/values.ts": Object.values(VALUES).map((value) => `export const x = "${value}";\n`).join(""),
  "keys/server.pem": KEY.text,
  "log.txt": Array.from({ length: 3_000 }, (_, at) => `line ${at} ${PLANTED[at % PLANTED.length]?.line}\n`).join(""),
};

/** Ways to see what is in the files: whole, in part, by programs, through handles. */
const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ...Object.keys(FILES).map((path) => ["linux_fs_read", { path }] as const),
  ...[1, 5, 9].map((offset_lines) =>
    ["linux_fs_read", { path: "keys/server.pem", offset_lines, max_lines: 3 }] as const
  ),
  ["linux_fs_read", { path: "log.txt", offset_lines: -50 }],
  ["read_file", { path: "src/part1.ts" }],
  ["REPO_READ", { path: "src/part2.ts" }],
  ["linux_search_content", { pattern: "token|const|value|curl", max_results: 1000 }],
  ["linux_search_content", { pattern: "unit", context_lines: 3, max_results: 1000 }],
  ["linux_search_content", { pattern: "^[A-Za-z0-9+/]{64}$", root: "keys" }],
  ["run_cmd", { command: "cat .env src/part0.ts src/part1.ts" }],
  ["run_cmd", { command: "cat log.txt" }],
  ["run_cmd", { command: "tail -n 4 keys/server.pem" }],
  ["run_cmd", { command: "grep -rn . src keys .env" }],
  ["run_cmd", { command: "sh -c 'cat src/part2.ts >&2; exit 3'" }],
  ["te_run", { command: "cat src/part3.ts" }],
  ["EXEC_CLI", { command: "cat src/part3.ts" }],
  ["linux_rag_search", { query: "connect client token value" }],
  ["linux_rag_bootload", { session_id: "s", task_id: "t" }],
  ["linux_fs_patch_block", { path: "src/values.ts", old_text: "const y = 1", new_text: "x" }],
  ["linux_fs_patch_block", {
    path: "src/values.ts",
    old_text: "export const x",
    new_text: "x",
    dry_run: true,
    expected_replacements: 3,
  }],
];

const leaksIn = (place: string, text: string): string[] =>
  SECRETS.filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${place}`);

const handlesIn = (text: string): string[] => [...new Set(text.match(/H_[a-z0-9]+_\d{8}T\d{6}Z_[a-z2-7]{20}/g) ?? [])];

async function filesBelow(dir: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory, isFile } of Deno.readDir(dir)) {
    if (isDirectory) paths.push(...await filesBelow(`${dir}/${name}`));
    else if (isFile) paths.push(`${dir}/${name}`);
  }
  return paths;
}

Deno.test("of 200 planted secrets, a key and the values of .env none is in an answer, a handle, a record or the index", async () => {
  assert.ok(PLANTED.length >= 200);
  await using sandbox = await Sandbox.make(FILES);
  const leaks: string[] = [], seen: string[] = [];
  {
    await using peer = await StdioPeer.open(sandbox, { args: ["--set", "mcp.observability.log_level=debug"] });
    const ask = async (method: string, params: Record<string, unknown>) => {
      const text = JSON.stringify(await peer.request(method, params)).replaceAll("\\n", "\n");
      leaks.push(...leaksIn(JSON.stringify(params).slice(0, 80), text));
      seen.push(text);
      return text;
    };
    for (const [name, args] of CALLS) {
      const text = await ask("tools/call", { name, arguments: args });
      for (const handle of handlesIn(text)) {
        for (const offset of [0, 700, -300]) {
          await ask("tools/call", { name: "linux_handle_read", arguments: { handle, offset, limit: 700 } });
        }
      }
    }
    for (const path of Object.keys(FILES)) await ask("resources/read", { uri: `llmc://file/${path}` });
  }
  const server = await startHttp(sandbox, { args: WITHOUT_LIMITS });
  try {
    for (const [name, args] of CALLS) {
      const answer = await fetch(`${server.url}/tool`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-LLMC-Token": server.token },
        body: JSON.stringify({ session_id: "s", name, args }),
      });
      leaks.push(...leaksIn(`REST ${name}`, (await answer.text()).replaceAll("\\n", "\n")));
    }
  } finally {
    await server.stop();
  }
  leaks.push(...leaksIn("the log", server.stderr()));
  const placeholders = new Set(seen.join("\n").match(/«secret:[^»]+»/g) ?? []);
  assert.ok(placeholders.size >= 200, `${placeholders.size} placeholders`);
  for (const name of Object.keys(VALUES)) assert.ok(placeholders.has(`«secret:${name}»`), name);
  const decoder = new TextDecoder("latin1");
  for (const path of (await filesBelow(`${sandbox.dir}/state`)).filter((each) => !each.includes("/backups/"))) {
    leaks.push(...leaksIn(path, decoder.decode(await Deno.readFile(path))));
    if (/\/index\/[0-9a-f]+\.db$/.test(path)) leaks.push(...indexedSecrets(path));
  }
  assert.deepEqual(leaks.slice(0, 5), [], `${leaks.length} leaks`);
});

/** Words of the index that are a part of a secret: it keeps words in lower case, apart from each other. */
function indexedSecrets(path: string): string[] {
  const parts = new Set(SECRETS.flatMap((secret) => secret.toLowerCase().match(/[a-z0-9]{16,}/g) ?? []));
  using database = new DatabaseSync(path, { readOnly: true });
  const words = database.prepare("select term from vocabulary").all().map(({ term }) => String(term));
  assert.ok(words.length > 10, "the index has words");
  return words.filter((word) => parts.has(word)).map((word) => `${word} in the index`);
}

Deno.test("a placeholder that is written back becomes the secret again, and a hash is that of the real bytes", async () => {
  const [first, second] = PLANTED;
  assert.ok(first && second);
  const text = `key = "${first.secret}"\nother = "${second.secret}"\nname = "a"\n`;
  await using sandbox = await Sandbox.make({ "conf.ini": text, ".env": ENV });
  await using peer = await StdioPeer.open(sandbox);
  const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const { result } = await peer.request("tools/call", { name, arguments: args });
    return String(Object(result).content?.[0]?.text);
  };
  const shown = (await call("linux_fs_read", { path: "conf.ini" })).split("\n").slice(0, 3).join("\n");
  assert.ok(!shown.includes(first.secret) && !shown.includes(second.secret), shown);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const expected_sha256 = new Uint8Array(digest).toHex();
  await call("linux_fs_write", { path: "conf.ini", content: `${shown.replace('"a"', '"b"')}\n`, expected_sha256 });
  assert.equal(await Deno.readTextFile(`${sandbox.root}/conf.ini`), text.replace('"a"', '"b"'));

  const [line = ""] = shown.split("\n");
  await call("linux_fs_patch_block", { path: "conf.ini", old_text: line, new_text: `${line} # kept` });
  const diff = `--- a/conf.ini\n+++ b/conf.ini\n@@ -1,2 +1,3 @@\n ${line} # kept\n+added = 1\n ${
    shown.split("\n")[1]
  }\n`;
  await call("linux_fs_apply_diff", { diff_text: diff });
  assert.equal(
    await Deno.readTextFile(`${sandbox.root}/conf.ini`),
    `key = "${first.secret}" # kept\nadded = 1\nother = "${second.secret}"\nname = "b"\n`,
  );

  await call("linux_fs_read", { path: ".env" });
  await call("linux_fs_write", { path: "copy.txt", content: "«secret:OPENAI_API_KEY»" });
  assert.equal(await Deno.readTextFile(`${sandbox.root}/copy.txt`), VALUES.OPENAI_API_KEY);
  const refused = await call("linux_fs_write", { path: "copy.txt", content: "«secret:NEVER_SEEN»" });
  assert.match(refused, /INVALID_ARGUMENT: unknown placeholder «secret:NEVER_SEEN»/);
  const ran = await call("run_cmd", { argv: ["echo", "«secret:OPENAI_API_KEY»"] });
  assert.match(ran, /«secret:OPENAI_API_KEY»[^]*not replaced in commands/);
});

Deno.test("a secret that a program writes into .env is masked in the very answer that shows it", async () => {
  await using sandbox = await Sandbox.make({ ".env": "PORT=3000\n" });
  await using peer = await StdioPeer.open(sandbox);
  const value = plantValue();
  for (const command of [`sh -c 'echo API_KEY=${value} > .env; cat .env'`, `sh -c 'echo x ${value}'`]) {
    const { result } = await peer.request("tools/call", { name: "run_cmd", arguments: { command } });
    const [{ text }] = Object(result).content;
    assert.match(text, /«secret:API_KEY»/);
    assert.ok(!text.includes(value), text);
  }
});

Deno.test("mcp.secrets.allow shows what a file holds, and mode off shows everything", async () => {
  const [first, second] = PLANTED;
  assert.ok(first && second);
  await using sandbox = await Sandbox.make({
    "tests/fixture.ts": `const a = "${first.secret}";\n`,
    "src/a.ts": `const a = "${first.secret}";\nconst b = "${second.secret}";\n`,
  });
  const read = async (settings: readonly string[]): Promise<string> => {
    await using peer = await StdioPeer.open(sandbox, { args: settings.flatMap((setting) => ["--set", setting]) });
    const params = { name: "linux_fs_read", arguments: { path: "src/a.ts" } };
    return JSON.stringify(await peer.request("tools/call", params));
  };
  const allowed = await read([`mcp.secrets.allow=["${sandbox.root}/tests"]`]);
  assert.ok(allowed.includes(first.secret) && !allowed.includes(second.secret), allowed);
  const off = await read(["mcp.secrets.mode=off"]);
  assert.ok(off.includes(first.secret) && off.includes(second.secret), off);
});
