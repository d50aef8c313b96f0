/** The RAG-first MVP as its operator meets it: roots, records, logs, TLS. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, startHttp } from "../support/binary.ts";
import { makeCertificate, tlsOptions } from "../support/certificate.ts";
import { overHttp } from "../support/clients.ts";
import { eventually } from "../support/eventually.ts";

const FILES = {
  "AGENTS.md": "# Agents\n\nRead src first.\n",
  "src/lamp.ts": "/** Lights the lamp. */\nexport function lightLamp(): void {}\n",
};
/** The whole machine is looked through for secrets to mask when the first call comes. */
const LONG_LOOK = ["--set", "mcp.tools.read_timeout=45"];

Deno.test("004-6-roots2 the specification's own roots: with / there is code search where the server was started", async () => {
  await using sandbox = await Sandbox.make(FILES);
  await Deno.mkdir(`${sandbox.root}/.git`);
  const { stdout, stderr } = await runBinary(["rag", "search", "light the lamp", "--root", "/", ...LONG_LOOK], {
    env: sandbox.env,
    cwd: `${sandbox.root}/src`,
  });
  assert.match(stdout, /lamp\.ts/, stderr);
});

Deno.test("004-5.5c without a folder to index the command line says so in one line", async () => {
  await using sandbox = await Sandbox.make(FILES);
  const { code, stdout, stderr } = await runBinary(["rag", "search", "lamp", "--root", sandbox.root], {
    env: { ...sandbox.env, HOME: sandbox.root },
    cwd: sandbox.root,
  });
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /^llmc-mcp: no folder is indexed: [^\n]*\n?$/);
});

Deno.test("004-LLMC_ROOT LLMC_ROOT names the root", async () => {
  await using sandbox = await Sandbox.make(FILES);
  const { stdout } = await runBinary(["tool", "linux_fs_read", "path=AGENTS.md"], {
    env: { ...sandbox.env, LLMC_ROOT: sandbox.root },
    cwd: sandbox.dir,
  });
  assert.match(stdout, /^# Agents/);
});

Deno.test("004-6-csv the token audit is where its setting says, one line for each call", async () => {
  await using sandbox = await Sandbox.make(FILES);
  const args = ["tool", "stat", "path=AGENTS.md", "--root", sandbox.root];
  const audit = ["--set", "mcp.observability.csv_token_audit_enabled=true"];
  await runBinary([...args, ...audit], { env: sandbox.env });
  const shown = await runBinary(["config", "show", ...audit, "--json"], { env: sandbox.env, cwd: sandbox.root });
  const path = shown.stdout.match(/"csv_path": "([^"]+)"/)?.[1] ?? assert.fail(shown.stdout + shown.stderr);
  const [head, row] = (await Deno.readTextFile(path)).split("\r\n");
  assert.match(`${head}\n${row}`, /^timestamp,correlation_id,.*\n\d{4}-.*,stat,\d+,\d+,\d+$/);
});

Deno.test("001-6.1 the log line of a call says whom it concerned, and how much there was", async () => {
  await using sandbox = await Sandbox.make(FILES);
  await using server = await startHttp(sandbox, { args: ["--set", "mcp.observability.log_format=json"] });
  const call = async (name: string, args: Record<string, unknown>) => {
    const headers = { "X-LLMC-Token": server.token, "Content-Type": "application/json" };
    const body = JSON.stringify({ session_id: "s", name, args });
    await (await fetch(`${server.url}/tool`, { method: "POST", headers, body })).body?.cancel();
    const line = () =>
      server.stderr().split("\n").find((each) => each.includes(`"tool":"${name}"`) && each.endsWith("}"));
    await eventually(() => assert.ok(line(), name));
    return JSON.parse(line() ?? "{}");
  };
  const { path, max_lines, returned_lines, route } = await call("linux_fs_read", { path: "AGENTS.md", max_lines: 2 });
  assert.deepEqual([path, max_lines, returned_lines, route], ["AGENTS.md", 2, 2, "/tool"]);
  const { max_results, total_processes } = await call("linux_proc_list", { max_results: 1 });
  assert.deepEqual([max_results, total_processes > 0], [1, true]);
  const killed = await call("linux_proc_kill", { pid: 1, signal: "HUP" });
  assert.deepEqual([killed.pid, killed.signal, killed.error_code], [1, "HUP", "KILL_FORBIDDEN"]);
  assert.match((await call("linux_sys_snapshot", {})).short_summary, /^CPU/);
  const { command, exit_code } = await call("EXEC_CLI", { command: "echo --password=geheim" });
  assert.deepEqual([command, exit_code], ["echo --password=***", 0]);
});

Deno.test("004-8c the log line of a call over MCP has its route as well, in both generations", async () => {
  await using sandbox = await Sandbox.make(FILES);
  await using server = await startHttp(sandbox, { args: ["--set", "mcp.observability.log_format=json"] });
  for (const { connect } of overHttp(server)) {
    await using client = await connect();
    await client.call("linux_fs_stat", { path: "AGENTS.md" });
  }
  await eventually(() => {
    const lines = server.stderr().split("\n").filter((each) => each.includes('"tool":"linux_fs_stat"'));
    assert.deepEqual(lines.map((line) => JSON.parse(line).route), overHttp(server).map(() => "/mcp"));
  });
});

Deno.test("004-5.7b over HTTP/2 a refusal before the body was read has its status, with curl as well", async () => {
  await using sandbox = await Sandbox.make();
  const { certFile, keyFile, cert } = await makeCertificate(sandbox.dir);
  await using server = await startHttp(sandbox, { args: tlsOptions(certFile, keyFile) });
  await Deno.writeFile(`${sandbox.dir}/body`, new Uint8Array(3_000_000).fill(97));
  const post = async (token: string, type: string) => {
    const head = [
      "-H",
      `X-LLMC-Token: ${token}`,
      "-H",
      `Content-Type: ${type}`,
      "--data-binary",
      `@${sandbox.dir}/body`,
    ];
    const { stdout, stderr } = await new Deno.Command("curl", {
      args: [
        "-sS",
        "--http2",
        "--cacert",
        certFile,
        "-o",
        "/dev/null",
        "-w",
        "%{http_code}",
        ...head,
        `${server.url}/tool`,
      ],
    }).output();
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  };
  assert.ok(cert.length > 0);
  for (let round = 0; round < 5; round++) {
    assert.equal(await post("wrong", "application/json"), "413");
    assert.equal(await post(server.token, "application/json"), "413");
  }
  await Deno.writeFile(`${sandbox.dir}/body`, new Uint8Array(200_000).fill(97));
  for (let round = 0; round < 5; round++) {
    assert.equal(await post(server.token, "text/plain"), "415");
    assert.equal(await post("wrong", "application/json"), "401");
  }
});
