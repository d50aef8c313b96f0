/** Settings of all specifications that change what a call does, row by row. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox } from "../support/binary.ts";
import { specification } from "./table.ts";

const FILES = { "a.txt": "alpha\n", "Downloads/a.pdf": "%PDF", "guide/rules.md": "# Rules\n" };
const CHANGED = [
  "mcp.linux_ops.process_limits.default_timeout_sec=2",
  "mcp.linux_ops.process_limits.max_timeout_sec=40",
  "mcp.linux_ops.process_limits.allow_kill_other_users=true",
  'mcp.linux_ops.process_limits.killable=["*"]',
  'mcp.linux_ops.commands.allowed_binaries=["mktemp"]',
  'mcp.linux_ops.commands.unsafe_binaries=["shred"]',
  "mcp.tools.name_style=dotted",
  "mcp.tools.backups=beside",
  "mcp.tools.allow_outbound_network=false",
  "mcp.tools.exec_timeout=1",
  "mcp.session.default_agent_id=robot",
  "mcp.session.default_model=model-x",
  'mcp.resources.sidecars=["guide/rules.md"]',
  "mcp.onboarding.allow_apply=true",
  "mcp.onboarding.downloads_dir=Downloads",
];
type Named = { readonly name: string };

specification("Settings", { files: FILES, set: CHANGED }, [
  ["000-3.1c", "default_timeout_sec bounds a wait that names none", async ({ ok }) => {
    const { proc_id } = await ok("linux.proc_start", { argv: ["sleep", "30"] });
    const start = performance.now();
    await ok("linux.proc_read", { proc_id, wait_for: "never" });
    await ok("linux.proc_stop", { proc_id });
    assert.ok(performance.now() - start < 12_000);
  }],
  ["000-3.1d", "max_timeout_sec bounds what a call asks for", async ({ refused }) => {
    assert.equal(await refused("run_cmd", { command: "true", timeout: 41 }), "INVALID_ARGUMENT");
  }],
  ["000-R5c", "allow_kill_other_users", async ({ ok }) => {
    const asSuperuser = Deno.uid() === 0 ? { uid: 65_534 } : {};
    const child = new Deno.Command("sleep", { args: ["60"], ...asSuperuser }).spawn();
    await ok("linux.proc_kill", { pid: child.pid, signal: "KILL" });
    assert.equal((await child.status).signal, "SIGKILL");
  }],
  ["000-4.2-user", "allow_kill_other_users also lists them", async ({ ok }) => {
    assert.ok(Array.isArray((await ok("linux.proc_list", { user: "daemon" })).processes));
  }],
  ["002-2.1b", "commands.allowed_binaries", async ({ ok }) => {
    assert.equal((await ok("run_cmd", { command: "mktemp -u" })).exit_code, 0);
  }],
  ["002-2.1b2", "commands.unsafe_binaries wins without allow_unsafe", async ({ refused }) => {
    assert.equal(await refused("run_cmd", { command: "shred a.txt" }), "COMMAND_NOT_ALLOWED");
  }],
  ["000-R1b", "name_style=dotted lists linux.proc_list", async ({ mcp }) => {
    const { tools } = await mcp("tools/list");
    assert.ok(tools.some(({ name }: Named) => name === "linux.proc_list"));
  }],
  ["002-3.7.1", "name_style=dotted names tools so in the usage", async ({ ok }) => {
    assert.ok("linux.proc_list" in (await ok("linux.mcp_usage_stats")).tools);
  }],
  ["002-3.3.2b", "backups=beside keeps *.bak beside the file", async ({ ok, sandbox }) => {
    await ok("linux.fs_apply_diff", { diff_text: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-alpha\n+beta\n" });
    assert.equal(await Deno.readTextFile(`${sandbox.root}/a.txt.bak`), "alpha\n");
  }],
  ["004-6-net", "allow_outbound_network=false: no connection leaves a program", async ({ ok, rest }) => {
    await rest("/health");
    const script = "import socket; socket.create_connection(('127.0.0.1', 1), 1)";
    assert.match((await ok("run_cmd", { argv: ["python3", "-c", script] })).stderr, /Network is unreachable|refused/);
  }],
  ["004-FR5", "exec_timeout: 124 with what there was", async ({ ok }) => {
    const { stdout, exit_code } = await ok("EXEC_CLI", { command: "sh -c 'echo a; sleep 9'", timeout: 1 });
    assert.deepEqual([stdout, exit_code], ["a\n", 124]);
  }],
  ["M5-10d", "default_agent_id and default_model", async ({ ok, rest }) => {
    await rest("/tool", { session_id: "s", name: "stat", args: { path: "a.txt" } });
    const { records: [{ agent_id, model }] } = await ok("linux.mcp_recent_calls", { tool_name: "stat" });
    assert.deepEqual([agent_id, model], ["robot", "model-x"]);
  }],
  ["M5-6b", "resources.sidecars", async ({ mcp }) => {
    const { resources } = await mcp("resources/list");
    assert.ok(resources.some(({ uri }: { uri: string }) => uri.endsWith("rules.md")), JSON.stringify(resources));
  }],
  ["002-3.8b2", "onboarding.allow_apply: organize_downloads moves the files", async ({ run, sandbox }) => {
    const hourAgo = Date.now() / 1_000 - 3_600; // what has changed just now may still be written
    await Deno.utime(`${sandbox.root}/Downloads/a.pdf`, hourAgo, hourAgo);
    await run(["tool", "linux_mcp_run_onboarding", "flow_name=organize_downloads", 'options={"apply":true}']);
    await assert.rejects(Deno.stat(`${sandbox.root}/Downloads/a.pdf`), Deno.errors.NotFound);
  }],
]);

/** A feature, and a call of a tool that belongs to it. */
const FEATURES: readonly (readonly [feature: string, tool: string, args: Record<string, unknown>])[] = [
  ["fs", "linux_fs_read", { path: "a.txt" }],
  ["proc", "linux_proc_list", {}],
  ["repl", "linux_proc_start", { argv: ["true"] }],
  ["system", "linux_sys_snapshot", {}],
];
for (const [feature, tool, args] of FEATURES) {
  specification(`features.${feature}_enabled=false`, { set: [`mcp.linux_ops.features.${feature}_enabled=false`] }, [
    [`002-2.1c-${feature}`, `${tool} is not listed`, async ({ mcp }) => {
      assert.ok(!(await mcp("tools/list")).tools.some(({ name }: Named) => name === tool));
    }],
    [`002-2.1c-${feature}2`, `${tool} refuses a call`, async ({ refused }) => {
      assert.equal(await refused(tool, args), "FEATURE_DISABLED");
    }],
  ]);
}

/** `config check` of a file with these lines. */
async function check(toml: string): Promise<{ readonly code: number; readonly said: string }> {
  await using sandbox = await Sandbox.make();
  const config = `${sandbox.dir}/llmc.toml`;
  await Deno.writeTextFile(config, toml.replaceAll("ROOT", sandbox.root));
  const { code, stdout, stderr } = await runBinary(["config", "check", "--config", config], { env: sandbox.env });
  return { code, said: stdout + stderr };
}

Deno.test("000-3.1 the example of phase L2 is accepted", async () => {
  const { code, said } = await check(
    '[mcp.tools]\nallowed_roots = ["ROOT"]\n\n[mcp.linux_ops.process_limits]\nmax_procs_per_session = 4\n' +
      "max_procs_total = 32\ndefault_timeout_sec = 60\nmax_timeout_sec = 300\nallow_kill_other_users = false\n\n" +
      "[mcp.linux_ops.features]\nfs_enabled = true\nproc_enabled = true\nrepl_enabled = true\nsystem_enabled = true\n",
  );
  assert.equal(code, 0, said);
});

Deno.test("001-3.1 the roots under both of their names must agree", async () => {
  const { code, said } = await check(
    '[mcp.tools]\nallowed_roots = ["ROOT"]\n\n[mcp.linux_ops.roots]\nallowed_roots = ["/usr"]\n',
  );
  assert.ok(code !== 0 && /mcp\.linux_ops\.roots\.allowed_roots/.test(said), said);
});

Deno.test("001-3.1b a root that is not there stops the start [deviates: a server that serves less than its file says would be a riddle]", async () => {
  const { code, said } = await check('[mcp.tools]\nallowed_roots = ["ROOT", "/nonexistent"]\n');
  assert.ok(code === 78 && said.includes("/nonexistent does not exist"), said);
});

Deno.test("001-3.1c without roots nothing is allowed; enforce_roots=false opens the machine", async () => {
  await using sandbox = await Sandbox.make();
  const read = async (...args: string[]) =>
    (await runBinary(["tool", "linux_fs_read", "path=/etc/hostname", ...args], { env: sandbox.env, cwd: sandbox.dir }))
      .code;
  assert.deepEqual([await read(), await read("--root", "/usr", "--set", "mcp.tools.enforce_roots=false")], [1, 0]);
});

Deno.test("004-A6 the command line goes before the environment, that before the file, that before the default", async () => {
  await using sandbox = await Sandbox.make();
  const config = `${sandbox.dir}/own.toml`;
  await Deno.writeTextFile(config, "[mcp.server]\nport = 7001\n");
  const port = async (args: string[], env: Record<string, string>) => {
    const { stdout } = await runBinary(["config", "show", "--json", ...args], {
      env: { ...sandbox.env, ...env },
      cwd: sandbox.dir,
    });
    return Number(stdout.match(/"port": (\d+)/)?.[1]);
  };
  const file = ["--config", config], env = { LLMC_MCP__SERVER__PORT: "7002" };
  assert.deepEqual(
    [
      await port([], {}),
      await port(file, {}),
      await port(file, env),
      await port([...file, "--set", "mcp.server.port=7003"], env),
    ],
    [8080, 7001, 7002, 7003],
  );
});

Deno.test("004-A6b a key that does not exist is an error that names the nearest", async () => {
  const { code, said } = await check("[mcp.server]\nprot = 1\n");
  assert.ok(code !== 0 && said.includes("port"), said);
});

Deno.test("004-6-enabled enabled=false does not start", async () => {
  await using sandbox = await Sandbox.make();
  const args = ["stdio", "--root", sandbox.root, "--set", "mcp.enabled=false"];
  assert.equal((await runBinary(args, { env: sandbox.env })).code, 78);
});

Deno.test("004-6-version another config_version is refused", async () => {
  assert.notEqual((await check('[mcp]\nconfig_version = "v1"\n')).code, 0);
});
