import assert from "node:assert/strict";
import { BWRAP } from "../../src/sandbox/bwrap.ts";
import { BINARY, type Finished, runBinary, Sandbox, startHttp, TEST_BINARY } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { StdioPeer } from "../support/stdio_peer.ts";
import { unlessTaken } from "../support/taken_port.ts";
import { BUBBLEWRAP, LEVEL, LEVEL_HERE, needing, OWN_MOUNTS, program } from "../support/needs.ts";

interface Finding {
  readonly name: string;
  readonly state: "ok" | "warn" | "bad";
  readonly detail: string;
  readonly help?: string;
}

interface Report {
  readonly code: number;
  readonly level: string | undefined;
  readonly findings: readonly Finding[];
  /** The only finding of a name that is not ok. */
  fault(name: string): Finding;
}

function read({ code, stdout, stderr }: Finished): Report {
  assert.equal(stderr, "");
  const { level, findings }: { level: string | undefined; findings: Finding[] } = JSON.parse(stdout);
  return {
    code,
    level,
    findings,
    fault(name) {
      const faults = findings.filter((each) => each.name === name && each.state !== "ok");
      assert.equal(faults.length, 1, `${name}: ${JSON.stringify(findings, null, 1)}`);
      return faults[0] ?? { name, state: "ok", detail: "" };
    },
  };
}

/** Runs the doctor over the sandbox's root. */
async function doctor(
  sandbox: Sandbox,
  args: readonly string[] = [],
  { env = {}, binary = BINARY, inside = [] }: {
    env?: Record<string, string>;
    binary?: string;
    /** A command that runs the program in a changed world. */
    inside?: readonly string[];
  } = {},
): Promise<Report> {
  const [program = binary, ...words] = [...inside, binary];
  const all = [...words, "doctor", "--json", "--root", sandbox.root, "--set", "mcp.server.port=0", ...args];
  return read(await runBinary(all, { env: { ...sandbox.env, ...env }, binary: program, cwd: `${sandbox.dir}/home` }));
}

/** What an operator does with the line after the arrow. */
async function follow(help: string | undefined, env: Record<string, string>): Promise<void> {
  const command = new Deno.Command("sh", { args: ["-ec", help ?? "false"], env, clearEnv: true });
  const { success, stderr } = await command.output();
  assert.ok(success, `${help}: ${new TextDecoder().decode(stderr)}`);
}

const TOKEN = { LLMC_MCP_TOKEN: "a-token-that-is-long-enough" };

const nothingBroken =
  "doctor finds nothing broken where everything is there, names what it looked at, and leaves nothing";
Deno.test(needing(nothingBroken, ...LEVEL.full, program("git")), async () => {
  await using sandbox = await Sandbox.make();
  await Deno.writeTextFile(`${sandbox.dir}/home/.gitconfig`, "[user]\nname = Ann\nemail = ann@example.org\n");
  const { code, level, findings } = await doctor(sandbox, [], { env: TOKEN });
  const shown = Object.fromEntries(findings.map(({ name, detail }) => [name, detail]));
  assert.equal(shown["git identity"], "Ann <ann@example.org>");
  assert.match(shown.PATH ?? "", /(?:^|:)\/usr\/bin(?::|$)/);
  assert.match(shown.programs ?? "", / allowed.*: .*\bbash\b.*\bgit\b/);
  assert.match(shown["git hooks"] ?? "", /inside the sandbox/);
  assert.equal(code, 0);
  assert.equal(level, "full");
  const faults = findings.filter(({ state, name }) => state !== "ok" && name !== "user");
  assert.deepEqual(faults, []);
  const names = new Set(findings.map(({ name }) => name));
  for (
    const name of ["Landlock", "bubblewrap", "ripgrep", "programs", "git", "handles", "index", "configuration", "roots"]
  ) assert.ok(names.has(name), name);
  for (const name of ["data directory", "temporary directory", "token", "port"]) assert.ok(names.has(name), name);
  assert.deepEqual(await Array.fromAsync(Deno.readDir(`${sandbox.dir}/run`)), []);
  assert.deepEqual(await Array.fromAsync(Deno.readDir(sandbox.root)), []);
});

Deno.test("doctor says where a configuration is wrong and how it was meant, and looks at the rest all the same", async () => {
  await using sandbox = await Sandbox.make();
  const file = `${sandbox.dir}/home/llmc.toml`;
  await Deno.writeTextFile(file, '[mcp.server]\nport = 80\nhots = "::1"\n');
  const report = await doctor(sandbox);
  assert.equal(report.code, 1);
  assert.equal(report.level, LEVEL_HERE, "the sandbox was tried with the defaults");
  const { state, detail, help } = report.fault("configuration");
  assert.equal(state, "bad");
  assert.match(detail, new RegExp(`^${file}:3:1: .*hots.*host`));
  assert.match(detail, /\n {2}3 \| hots/);
  assert.equal(help, `\${EDITOR:-vi} +3 ${file}`);
});

Deno.test("doctor names a variable that is no key, and the value of one that does not fit", async () => {
  await using sandbox = await Sandbox.make();
  const env = { LLMC_MCP__SERVER__PROT: "1" };
  const typo = await doctor(sandbox, [], { env });
  assert.match(typo.fault("configuration").detail, /LLMC_MCP__SERVER__PROT: .*did you mean LLMC_MCP__SERVER__PORT/);
  assert.equal(typo.fault("configuration").help, "unset LLMC_MCP__SERVER__PROT");
  const range = await doctor(sandbox, ["--set", "mcp.tools.read_timeout=9999"]);
  assert.match(range.fault("configuration").detail, /read_timeout.*1 to 600/);
});

Deno.test("doctor finds a root that is not there; its command makes one", async () => {
  await using sandbox = await Sandbox.make();
  const missing = `${sandbox.dir}/a 'quoted' folder`;
  const report = await doctor(sandbox, ["--root", missing]);
  assert.equal(report.code, 1);
  assert.match(report.fault("configuration").detail, /does not exist/);
  await follow(report.fault("configuration").help, sandbox.env);
  assert.equal((await doctor(sandbox, ["--root", missing])).code, 0);
});

Deno.test("doctor says what no root and a root of everything mean", async () => {
  await using sandbox = await Sandbox.make();
  const args = ["doctor", "--json", "--set", "mcp.server.port=0"];
  const none = read(await runBinary(args, { env: sandbox.env, cwd: `${sandbox.dir}/home` }));
  assert.match(none.fault("roots").help ?? "", /--root DIR/);
  const all = read(await runBinary([...args, "--root", "/"], { env: sandbox.env, cwd: `${sandbox.dir}/home` }));
  assert.equal(all.fault("roots").state, "warn");
  assert.equal(all.code, 0);
});

Deno.test("doctor finds a data directory that cannot be written, and tries the sandbox without it", async () => {
  await using sandbox = await Sandbox.make();
  await Deno.writeTextFile(`${sandbox.dir}/file`, "");
  const report = await doctor(sandbox, ["--set", `mcp.data_dir=${sandbox.dir}/file/data`]);
  assert.equal(report.code, 1);
  assert.equal(report.level, LEVEL_HERE);
  const { state, detail, help } = report.fault("data directory");
  assert.equal(state, "bad");
  assert.match(detail, /file\/data cannot be written: Not a directory/);
  assert.match(help ?? "", /mcp\.data_dir/);
});

Deno.test("doctor finds a data directory that others can read; its command closes it", async () => {
  await using sandbox = await Sandbox.make();
  await Deno.mkdir(`${sandbox.dir}/state/llmc-mcp`);
  await Deno.chmod(`${sandbox.dir}/state/llmc-mcp`, 0o755);
  const report = await doctor(sandbox);
  assert.match(report.fault("data directory").detail, /accessible to other users/);
  await follow(report.fault("data directory").help, sandbox.env);
  assert.ok((await doctor(sandbox)).findings.some(({ name, state }) => name === "data directory" && state === "ok"));
});

Deno.test("doctor finds a taken port, who has it, and one that is free", async () => {
  await using sandbox = await Sandbox.make();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  await unlessTaken(async () => {
    const report = await doctor(sandbox, ["--set", `mcp.server.port=${port}`]);
    const { state, detail, help } = report.fault("port");
    assert.equal(state, "warn");
    assert.equal(report.code, 0);
    assert.match(detail, new RegExp(`^${port} is in use by \\S.* \\(pid ${Deno.pid}\\)$`));
    const free = Number(help?.match(/^llmc-mcp serve --port (\d+)$/)?.[1]);
    Deno.listen({ hostname: "127.0.0.1", port: free }).close();
  });
});

Deno.test("doctor knows a server of its own on the port", async () => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox);
  const { findings } = await doctor(sandbox, ["--set", `mcp.server.port=${new URL(server.url).port}`]);
  const port = findings.find(({ name }) => name === "port");
  assert.equal(port?.state, "ok");
  assert.match(port?.detail ?? "", /^llmc-mcp \S+ is already listening on \d+$/);
});

Deno.test("doctor finds addresses that are not this machine's, and those that others reach unencrypted", async () => {
  await using sandbox = await Sandbox.make();
  const foreign = await doctor(sandbox, ["--set", "mcp.server.host=192.0.2.1"], { env: TOKEN });
  assert.match(foreign.fault("port").detail, /^cannot listen on 192\.0\.2\.1/);
  const open = await doctor(sandbox, ["--set", "mcp.server.host=0.0.0.0"], { env: TOKEN });
  assert.match(open.fault("network").detail, /unencrypted/);
});

Deno.test("doctor finds what is wrong with the token; its commands mend it", async () => {
  await using sandbox = await Sandbox.make();
  const missing = (await doctor(sandbox)).fault("token");
  assert.equal(missing.state, "warn", "stdio needs none");
  assert.match(missing.help ?? "", /^export LLMC_MCP_TOKEN="\$\(openssl rand -base64 24\)"$/);
  await follow(`${missing.help}; [ \${#LLMC_MCP_TOKEN} -ge 16 ]`, sandbox.env);

  const short = await doctor(sandbox, [], { env: { LLMC_MCP_TOKEN: "short" } });
  assert.equal(short.code, 1);
  assert.match(short.fault("token").detail, /shorter than 16/);

  const file = `${sandbox.dir}/the token`, args = ["--set", `mcp.auth.token_file=${file}`];
  const absent = await doctor(sandbox, args);
  assert.match(absent.fault("token").detail, /cannot be read/);
  await follow(absent.fault("token").help, sandbox.env);
  assert.equal((await doctor(sandbox, args)).code, 0);

  await Deno.chmod(file, 0o644);
  const open = await doctor(sandbox, args);
  assert.equal(open.code, 1);
  assert.match(open.fault("token").detail, /readable by other users/);
  await follow(open.fault("token").help, sandbox.env);
  assert.equal((await doctor(sandbox, args)).code, 0);
});

Deno.test("doctor finds a certificate that is not there or is none", async () => {
  await using sandbox = await Sandbox.make();
  await Deno.writeTextFile(`${sandbox.dir}/key`, "no PEM");
  const settings = ["tls_enabled=true", `tls_cert_file=${sandbox.dir}/cert`, `tls_key_file=${sandbox.dir}/key`];
  const report = await doctor(sandbox, settings.flatMap((each) => ["--set", `mcp.server.${each}`]), { env: TOKEN });
  assert.equal(report.code, 1);
  assert.match(report.fault("tls_cert_file").detail, /No such file/);
  assert.match(report.fault("tls_key_file").detail, /not a PEM file/);
});

/** A folder that looks like /usr/bin without some programs, and the command that puts it in its place. */
async function without(sandbox: Sandbox, programs: readonly string[]): Promise<string[]> {
  const folder = `${sandbox.dir}/bin`;
  await Deno.mkdir(folder);
  for await (const { name } of Deno.readDir("/usr/bin")) {
    if (!programs.includes(name)) await Deno.symlink(`/mnt/${name}`, `${folder}/${name}`);
  }
  return [BWRAP, "--dev-bind", "/", "/", "--bind", "/usr/bin", "/mnt", "--bind", folder, "/usr/bin", "--"];
}

Deno.test(
  needing("doctor finds that bubblewrap, git or ripgrep is not installed, and names the package", ...LEVEL.full),
  async () => {
    await using sandbox = await Sandbox.make();
    const report = await doctor(sandbox, [], { inside: await without(sandbox, ["bwrap", "git", "rg"]) });
    assert.equal(report.code, 0);
    assert.equal(report.level, "landlock");
    assert.equal(report.fault("bubblewrap").detail, "/usr/bin/bwrap is not installed");
    assert.match(report.fault("bubblewrap").help ?? "", / bubblewrap$/);
    assert.match(report.fault("git").help ?? "", / git$/);
    assert.match(report.fault("open at landlock").detail, /see other processes/);
    const ripgrep = report.findings.find(({ name }) => name === "ripgrep");
    assert.equal(ripgrep?.state, "ok", "the embedded one stands in");
    assert.match(ripgrep?.detail ?? "", /embedded/);
  },
);

Deno.test(
  needing("doctor finds that setsid or setpriv is missing, without which nothing can be started", BUBBLEWRAP),
  async () => {
    await using sandbox = await Sandbox.make();
    const report = await doctor(sandbox, [], { inside: await without(sandbox, ["setpriv"]) });
    assert.equal(report.code, 1);
    assert.match(report.fault("util-linux").detail, /setpriv not installed/);
  },
);

Deno.test(needing("doctor finds that user namespaces are off, and the setting", ...LEVEL.full), async () => {
  await using sandbox = await Sandbox.make();
  const inside = [BWRAP, "--dev-bind", "/", "/", "--unshare-user", "--disable-userns", "--"];
  const report = await doctor(sandbox, [], { inside });
  assert.equal(report.level, "landlock");
  assert.match(report.fault("bubblewrap").detail, /namespace/);
  assert.match(report.fault("bubblewrap").help ?? "", /sysctl -w user\.max_user_namespaces=\d+$/);
});

Deno.test(needing("doctor finds folders on which nothing can be executed", BUBBLEWRAP, OWN_MOUNTS), async () => {
  await using sandbox = await Sandbox.make();
  const mount = `mount -t tmpfs -o noexec,mode=700 none ${sandbox.dir}/run && ` +
    `mount -t tmpfs -o noexec,mode=700 none ${sandbox.dir}/state`;
  const noexec = ["unshare", "-rm", "sh", "-c", `${mount} && exec "$@"`, "sh"];
  const report = await doctor(sandbox, [], { inside: [...noexec, ...await without(sandbox, ["rg"])] });
  assert.match(report.fault("temporary directory").detail, /noexec/);
  assert.match(report.fault("ripgrep").detail, /noexec/);
  assert.match(report.fault("ripgrep").help ?? "", / ripgrep$/);
});

for (const level of ["full", "landlock", "bwrap", "none"] as const) {
  Deno.test(needing(`doctor says what remains open at level ${level}`, ...LEVEL[level]), async () => {
    await using sandbox = await Sandbox.make();
    const env = { LLMC_TEST_LEVEL: level, XDG_STATE_HOME: `${sandbox.root}/state` };
    await Deno.mkdir(`${sandbox.root}/state`);
    await sandbox.write("token", "a-token-that-is-long-enough");
    await Deno.chmod(`${sandbox.root}/token`, 0o600);
    const args = ["--set", `mcp.auth.token_file=${sandbox.root}/token`];
    const report = await doctor(sandbox, args, { env, binary: TEST_BINARY });
    assert.equal(report.level, level);
    const open = report.findings.filter(({ name }) => name.startsWith("open at"));
    assert.deepEqual(open.map(({ name }) => name), level === "full" ? [] : [`open at ${level}`]);
    const own = report.findings.filter(({ name }) => name === "own files");
    const states: Readonly<Record<string, string[]>> = { landlock: ["warn"], none: ["bad"] };
    assert.deepEqual(own.map(({ state }) => state), states[level] ?? []);
  });
}

Deno.test("doctor calls programs that nothing confines broken", async () => {
  await using sandbox = await Sandbox.make();
  const off = await doctor(sandbox, ["--set", "mcp.tools.confinement=off"]);
  assert.equal(off.code, 1);
  assert.equal(off.fault("confinement").state, "bad");
  const env = { LLMC_TEST_LEVEL: "none" };
  const args = ["--set", "mcp.tools.confinement=best_effort"];
  const open = await doctor(sandbox, args, { env, binary: TEST_BINARY });
  assert.equal(open.fault("open at none").state, "bad");
});

Deno.test("doctor reports when the server cannot start at all", async () => {
  await using sandbox = await Sandbox.make();
  const roots = ["/tmp", "/var/tmp", "/dev/shm"].flatMap((root) => ["--root", root]);
  const report = await doctor(sandbox, roots, { env: { TMPDIR: "/tmp", XDG_RUNTIME_DIR: "/tmp" } });
  assert.equal(report.code, 1);
  assert.equal(report.level, undefined);
  assert.match(report.fault("start").detail, /^the server does not start: no temporary directory outside/);
});

Deno.test("doctor for a person: a line for each finding, an arrow before each command, colours on a terminal only", async () => {
  await using sandbox = await Sandbox.make();
  const args = ["doctor", "--root", sandbox.root];
  const plain = await runBinary(args, { env: sandbox.env });
  assert.equal(plain.code, 0);
  assert.match(plain.stdout, new RegExp(`^llmc-mcp \\S+ · sandbox level: ${LEVEL_HERE}\n\n`));
  assert.match(plain.stdout, /^warn {2}token +serve does not start: .*\n +→ export LLMC_MCP_TOKEN=/m);
  assert.match(plain.stdout, /\nNo errors, \d+ warnings?\. Lines with → show how to fix them\.\n$/);
  assert.ok(!plain.stdout.includes("\x1b"));
  const inTerminal = async (env: Record<string, string>, prepare = "true") => {
    const script = ["-qec", `${prepare}; ${[BINARY, ...args].join(" ")}`, "/dev/null"];
    return (await runBinary(script, { env: { ...sandbox.env, ...env }, binary: "script" })).stdout;
  };
  assert.ok((await inTerminal({})).includes("\x1b[33mwarn"));
  const narrow = await inTerminal({ NO_COLOR: "1" }, "stty cols 80");
  assert.ok(!narrow.includes("\x1b["));
  const margin = narrow.match(/^ok {4}Landlock +/m)?.[0].length ?? 0;
  assert.match(narrow, /^ok {4}permissions of the server/m);
  for (const line of narrow.split("\r\n")) {
    const isOneWord = !line.slice(margin).includes(" "), isToCopy = line.trimStart().startsWith("→");
    assert.ok(line.length <= 80 || isOneWord || isToCopy, line);
  }
});

Deno.test("doctor says that a root has more folders than are searched for secrets, and calls do not wait for the search", async () => {
  await using sandbox = await Sandbox.make({ "a/.env": "API_TOKEN=q9Zk3LmX71pTgY5vWb2n\n" });
  assert.equal((await doctor(sandbox)).findings.find(({ name }) => name === "secret files")?.detail, "1 in 2 folders");
  await Deno.mkdir(`${sandbox.root}/many`);
  for (let number = 0; number < 20_100; number++) await Deno.mkdir(`${sandbox.root}/many/${number}`);
  assert.match(
    (await doctor(sandbox)).fault("secret files").detail,
    /folders (?:and what is in them are left out|so far)/,
  );
  await using peer = await StdioPeer.open(sandbox);
  await eventually(async () => {
    const shown = await peer.call("run_cmd", { argv: ["cat", "a/.env"] });
    assert.equal(shown, "API_TOKEN=«secret:API_TOKEN»");
  });
});
