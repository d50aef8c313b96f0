/**
 * Supplies secrets in every supported way and searches for them in everything that the server writes or returns.
 * @module
 */
import assert from "node:assert/strict";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { WITHOUT_LIMITS } from "../support/raw_http.ts";

/** A word that can be found again, in the form of a secret. */
function secret(form: (word: string) => string = (word) => word): string {
  return form(crypto.randomUUID().replaceAll("-", ""));
}

const OF_THE_SERVER = {
  AWS_SECRET_ACCESS_KEY: secret(),
  DATABASE_URL: `postgres://user:${secret()}@db.example/x`,
  MY_SESSION: secret(),
};
const S = {
  wrongToken: secret(),
  bearer: secret(),
  basic: secret(),
  query: secret(),
  cookie: secret(),
  content: secret(),
  oldText: secret(),
  newText: secret(),
  diff: secret(),
  option: secret(),
  nextWord: secret(),
  assigned: secret(),
  url: secret(),
  userPassword: secret(),
  header: secret(),
  env: secret(),
  stdin: secret(),
  input: secret(),
  message: secret(),
  github: secret((word) => `ghp_${word}`),
  openai: secret((word) => `sk-${word}`),
  aws: secret((word) => `AKIA${word.slice(0, 16).toUpperCase()}`),
  gitlab: secret((word) => `glpat-${word}`),
  unknownArgument: secret(),
  script: secret(),
};

/** Calls with a secret each, those that are refused among them. */
function calls(): [string, Record<string, unknown>][] {
  return [
    ["linux_fs_write", { path: "a.txt", content: `api = "${S.content}"\n${S.oldText}\n` }],
    ["linux_fs_patch_block", { path: "a.txt", old_text: S.oldText, new_text: S.newText }],
    ["linux_fs_apply_diff", { diff_text: `--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@\n-${S.newText}\n+${S.diff}\n` }],
    ["linux_fs_read", { path: "a.txt" }],
    ["linux_fs_read", { path: `missing/${S.github}` }],
    ["linux_search_content", { pattern: S.openai }],
    ["linux_search_content", { pattern: `password=${S.assigned}` }],
    ["linux_search_files", { pattern: S.aws }],
    ["linux_fs_stat", { path: `/etc/${S.gitlab}` }],
    ["run_cmd", { command: `echo --db-password=${S.option} x` }],
    ["run_cmd", { argv: ["echo", "--token", S.nextWord] }],
    ["run_cmd", { command: `echo API_TOKEN=${S.assigned}` }],
    ["run_cmd", { command: `curl https://me:${S.url}@example.com/` }],
    ["run_cmd", { command: `curl -u me:${S.userPassword} http://example.com/` }],
    ["run_cmd", { argv: ["echo", "-H", `Authorization: Bearer ${S.header}`] }],
    ["run_cmd", { argv: ["echo", "x"], env: { API_KEY: S.env } }],
    ["run_cmd", { argv: ["wc", "-c"], stdin: S.stdin }],
    ["run_cmd", { argv: ["python3", "-c", `import os\npassword = "${S.script}"\nprint(1)`] }],
    ["te_run", { command: `echo --api-key=${S.option}` }],
    ["EXEC_CLI", { command: `echo --secret ${S.nextWord}` }],
    ["linux_fs_read", { path: "a.txt", api_key: S.unknownArgument }],
    ["linux_no_such_tool", { password: S.unknownArgument }],
  ];
}

async function post(server: HttpServer, path: string, body: unknown, headers: Record<string, string>): Promise<string> {
  const answer = await fetch(server.url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return await answer.text();
}

/** One session with everything in it. Answers what the server tells others afterwards. */
async function session(server: HttpServer): Promise<string> {
  const right = { "X-LLMC-Token": server.token };
  const call = (name: string, args: Record<string, unknown>, headers: Record<string, string> = right, query = "") =>
    post(server, `/tool${query}`, { session_id: "s", name, args }, headers);
  for (const [name, args] of calls()) await call(name, args);
  const started = JSON.parse(await call("linux_proc_start", { argv: ["cat"] }));
  const procId: unknown = started.data?.proc_id ?? started.proc_id ?? started.result?.proc_id;
  assert.equal(typeof procId, "string", JSON.stringify(started));
  await call("linux_proc_send", { proc_id: procId, input: S.input });
  await call("linux_proc_stop", { proc_id: procId });
  await call("stat", { path: "a.txt" }, { "X-LLMC-Token": S.wrongToken });
  await call("stat", { path: "a.txt" }, { Authorization: `Bearer ${S.bearer}` });
  await call("stat", { path: "a.txt" }, { Authorization: `Basic ${S.basic}` });
  await call("stat", { path: "a.txt" }, { ...right, Cookie: `session=${S.cookie}` }, `?token=${S.query}`);
  const message = { session_id: "s", role: "Rem", user_msg: `the password is ${S.message}`, inject_context: "" };
  await post(server, "/invoke_agent", message, right);
  const told = [
    await call("linux_mcp_recent_calls", { max_results: 200 }),
    await call("linux_mcp_usage_stats", {}),
    await call("get_metrics", {}),
    await call("run_cmd", { argv: ["env"] }),
    await call("linux_proc_list", {}),
  ];
  for (const path of ["/metrics", "/health", "/openapi.json", "/docs"]) {
    told.push(await (await fetch(server.url + path, { headers: right })).text());
  }
  return told.join("\n");
}

async function filesBelow(dir: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory, isFile } of Deno.readDir(dir)) {
    if (isDirectory) paths.push(...await filesBelow(`${dir}/${name}`));
    else if (isFile) paths.push(`${dir}/${name}`);
  }
  return paths;
}

Deno.test("secrets are in nothing that the server writes, and in nothing that it tells others", async () => {
  await using sandbox = await Sandbox.make();
  const settings = ["mcp.observability.log_level=debug", "mcp.observability.csv_token_audit_enabled=true"];
  const args = [...WITHOUT_LIMITS, ...settings.flatMap((setting) => ["--set", setting])];
  const server = await startHttp(sandbox, { args, env: OF_THE_SERVER });
  let told = "", environment = "";
  try {
    told = await session(server);
    // Closed even to its own user, unless that is root.
    environment = await Deno.readTextFile(`/proc/${server.pid}/environ`).catch((error: unknown) => {
      if (Deno.uid() === 0 || !(error instanceof Deno.errors.PermissionDenied)) throw error;
      return "";
    });
  } finally {
    await server.stop();
  }
  const decoder = new TextDecoder("latin1");
  const written = new Map([["the log", server.stderr()], ["what others are told", told], [
    "its environment",
    environment,
  ]]);
  const stored = await filesBelow(`${sandbox.dir}/state`);
  const open = [];
  for (const path of stored) if (((await Deno.stat(path)).mode ?? 0) & 0o077) open.push(path);
  assert.deepEqual(open, [], "nothing is open to other users");
  // The index holds the text that it finds, and a backup what was replaced: that is what they are for.
  for (const path of stored.filter((each) => !/\/(backups|index)\//.test(each))) {
    written.set(path.split("/").at(-1) ?? path, decoder.decode(await Deno.readFile(path)));
  }
  for (const needed of ["llmc.db", "token_audit.csv"]) {
    assert.ok((written.get(needed)?.length ?? 0) > 100, `${needed} in ${[...written.keys()]}`);
  }
  assert.ok((written.get("the log")?.split("\n").length ?? 0) > 30, "the log has its lines");
  const secrets = {
    ...S,
    ...OF_THE_SERVER,
    DATABASE_URL: OF_THE_SERVER.DATABASE_URL.split(/[:@]/)[2] ?? "",
    token: server.token,
  };
  const found: string[] = [];
  for (const [place, text] of written) {
    for (const [name, word] of Object.entries(secrets)) if (text.includes(word)) found.push(`${name} in ${place}`);
  }
  assert.deepEqual(found, []);
});
