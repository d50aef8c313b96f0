import assert from "node:assert/strict";
import { overridesOf } from "../../src/config/cli_layer.ts";
import { ConfigError } from "../../src/config/error.ts";
import { findConfigFiles, loadConfig } from "../../src/config/load.ts";
import { settingsSchema } from "../../src/config/schema.ts";
import { type Fixture, makeMachine } from "./machine.ts";

const FILE = "/code/llmc.toml";

function load(fixture: Fixture, flags: Parameters<typeof overridesOf>[0] = {}) {
  const named = fixture.files && FILE in fixture.files ? { configFile: FILE } : {};
  return loadConfig({ ...named, overrides: overridesOf(flags) }, makeMachine(fixture));
}

/** The whole message of the error that loading gives. */
function complaint(fixture: Fixture, flags: Parameters<typeof overridesOf>[0] = {}): string {
  try {
    load(fixture, flags);
  } catch (error) {
    assert(error instanceof ConfigError);
    return error.message;
  }
  throw new Error("it loaded");
}

const complaintAbout = (text: string) => complaint({ files: { [FILE]: text } });

Deno.test("loadConfig without any source gives the defaults of the schema", () => {
  const { settings, origins, configFile } = load({});
  const defaults = settingsSchema.parse({});
  // the only default that names a place, and the home directory is known by now
  defaults.onboarding.downloads_dir = "/home/ann/Downloads";
  assert.deepEqual(settings, defaults);
  assert.deepEqual(origins, {});
  assert.equal(configFile, null);
});

Deno.test("loadConfig lets the command line go before the environment, the environment before the file, the file before defaults", () => {
  const files = { [FILE]: "[mcp.server]\nport = 1001\nhost = 'a'\nui_enabled = false\n" };
  const env = { LLMC_MCP__SERVER__PORT: "1002", LLMC_MCP__SERVER__HOST: "b" };
  const { settings, origins } = load({ files, env }, { set: ["mcp.server.port=1003"] });
  assert.equal(settings.server.port, 1003);
  assert.equal(settings.server.host, "b");
  assert.equal(settings.server.ui_enabled, false);
  assert.equal(settings.server.tls_enabled, false);
  assert.deepEqual(origins, { "mcp.server.port": "cli", "mcp.server.host": "env", "mcp.server.ui_enabled": "toml" });
});

Deno.test("loadConfig reports no origin for a key that was set to its default", () => {
  const { origins } = load({
    files: { [FILE]: "[mcp.server]\nport = 8080\n[mcp.onboarding]\ndownloads_dir = '~/Downloads'\n" },
    env: { LLMC_MCP__SERVER__HOST: "127.0.0.1" },
  });
  assert.deepEqual(origins, {});
});

Deno.test("loadConfig has --host and --port go before --set, and --root add to the roots of lower layers", () => {
  const files = { [FILE]: "[mcp.tools]\nallowed_roots = ['/srv']\n" };
  const flags = { set: ["mcp.server.port=1", "mcp.server.host=a"], host: "b", port: "2", root: ["/x", "/y"] };
  const { settings, origins } = load({ files }, flags);
  assert.equal(settings.server.host, "b");
  assert.equal(settings.server.port, 2);
  assert.deepEqual(settings.tools.allowed_roots, ["/srv", "/x", "/y"]);
  assert.equal(origins["mcp.tools.allowed_roots"], "cli");
});

Deno.test("loadConfig reads every type from the environment", () => {
  const { settings } = load({
    env: {
      LLMC_MCP__READ_ONLY: "yes",
      LLMC_MCP__LIMITS__RATE_LIMIT_RPS: "2.5",
      LLMC_MCP__TOOLS__TOOLSETS: "fs,run",
      LLMC_MCP__TOOLS__RUN_CMD_ALLOWLIST: '["git", "rg"]',
      LLMC_MCP__LINUX_OPS__COMMANDS__ALLOW_UNSAFE: "1",
      LLMC_MCP__TE__BUDGETS: "default=2000,other=3000",
      LLMC_MCP__AUTH__TOKEN_ENV: "",
      LLMC_MCP_TOKEN: "s3cret",
      LLMC_OTHER: "x",
    },
  });
  assert.equal(settings.read_only, true);
  assert.equal(settings.limits.rate_limit_rps, 2.5);
  assert.deepEqual(settings.tools.toolsets, ["fs", "run"]);
  assert.deepEqual(settings.tools.run_cmd_allowlist, ["git", "rg"]);
  assert.equal(settings.linux_ops.commands.allow_unsafe, true);
  assert.deepEqual(settings.te.budgets, { default: 2000, other: 3000 });
  assert.equal(settings.auth.token_env, "");
});

Deno.test("loadConfig sets single names of a table over what lower layers say", () => {
  const files = { [FILE]: "[mcp.te]\nbudgets = { default = 5000, 'x.y' = 6000 }\n" };
  const env = { LLMC_MCP__TE__BUDGETS__DEFAULT: "7000" };
  const { settings } = load({ files, env }, { set: ["mcp.te.budgets.claude-desktop-mcp=8000"] });
  assert.deepEqual(settings.te.budgets, { "default": 7000, "x.y": 6000, "claude-desktop-mcp": 8000 });
});

Deno.test("loadConfig makes paths absolute from where they were written", () => {
  const files = {
    "/etc/llmc/llmc.toml": "[mcp]\ndata_dir = 'd'\n[mcp.tools]\nallowed_roots = ['~', '~/src/', '../a/./b']\n",
  };
  const env = { LLMC_MCP__AUTH__TOKEN_FILE: "secret/token" };
  const { settings } = load({ files, env }, { root: ["."] });
  assert.equal(settings.data_dir, "/etc/llmc/d");
  assert.deepEqual(settings.tools.allowed_roots, ["/home/ann", "/home/ann/src", "/etc/a/b", "/code"]);
  assert.equal(settings.auth.token_file, "/code/secret/token");
});

Deno.test("loadConfig warns of a variable with one underscore where two belong", () => {
  const { warnings } = load({ env: { LLMC_MCP_SERVER_PORT: "1", LLMC_MCP_TOKEN: "x", LLMC_CONFIG: "" } });
  assert.deepEqual(warnings, [
    "LLMC_MCP_SERVER_PORT has no effect: the variable of this key is LLMC_MCP__SERVER__PORT",
  ]);
});

Deno.test("findConfigFiles takes the first of the operator's files, and the project's beside it", () => {
  const places = [FILE, "/home/ann/.config/llmc/llmc.toml", "/etc/llmc/llmc.toml"];
  for (let first = 1; first < places.length; first++) {
    const files = Object.fromEntries([FILE, ...places.slice(first)].map((path) => [path, ""]));
    const { file, project, searched } = findConfigFiles({}, makeMachine({ files }));
    assert.equal(file?.path, places[first]);
    assert.equal(project?.path, FILE);
    assert.deepEqual(searched, places.slice(0, first + 1));
  }
  assert.deepEqual(findConfigFiles({}, makeMachine()), { file: null, project: null, searched: places });
});

Deno.test("findConfigFiles reads no file that was not there at the start", () => {
  const files = { [FILE]: "", "/home/ann/.config/llmc/llmc.toml": "", "/etc/llmc/llmc.toml": "" };
  const found = (known: readonly string[]) => {
    const { file, project } = findConfigFiles({ known }, makeMachine({ files }));
    return [file?.path, project?.path];
  };
  assert.deepEqual(found([]), [undefined, undefined]);
  assert.deepEqual(found(["/etc/llmc/llmc.toml"]), ["/etc/llmc/llmc.toml", undefined]);
  assert.deepEqual(found([FILE]), [undefined, FILE]);
});

Deno.test("findConfigFiles uses XDG_CONFIG_HOME when it is absolute", () => {
  const at = (XDG_CONFIG_HOME: string) => findConfigFiles({}, makeMachine({ env: { XDG_CONFIG_HOME } })).searched[1];
  assert.equal(at("/cfg/"), "/cfg/llmc/llmc.toml");
  assert.equal(at("cfg"), "/home/ann/.config/llmc/llmc.toml");
});

Deno.test("findConfigFiles takes --config before LLMC_CONFIG before the usual places", () => {
  const machine = makeMachine({
    files: { [FILE]: "", "/code/a.toml": "a = 1", "/home/ann/b.toml": "b = 1" },
    env: { LLMC_CONFIG: "~/b.toml" },
  });
  assert.equal(findConfigFiles({ configFile: "a.toml" }, machine).file?.path, "/code/a.toml");
  assert.equal(findConfigFiles({}, machine).file?.path, "/home/ann/b.toml");
});

Deno.test("findConfigFiles fails when a file that was asked for is missing", () => {
  const find = (request: { configFile?: string }, env: Record<string, string>) => () =>
    findConfigFiles(request, makeMachine({ files: { [FILE]: "" }, env }));
  assert.throws(find({ configFile: "no.toml" }, {}), { message: "--config: there is no file /code/no.toml" });
  assert.throws(find({}, { LLMC_CONFIG: "/no.toml" }), { message: "LLMC_CONFIG: there is no file /no.toml" });
});

Deno.test("findConfigFiles fails when a file that is there cannot be read", () => {
  const files = { [FILE]: new Error("Permission denied (os error 13)") };
  assert.throws(() => findConfigFiles({}, makeMachine({ files })), {
    name: "ConfigError",
    message: "/code/llmc.toml: the file cannot be read: Permission denied (os error 13)",
  });
});

Deno.test("loadConfig shows an unknown key with its place and the nearest name", () => {
  assert.equal(
    complaintAbout("[mcp]\n\n[mcp.server]\n  prot = 9000\n"),
    [
      '/code/llmc.toml:4:3: unknown key "prot" in [mcp.server]; did you mean "port"?',
      "  4 |   prot = 9000",
      "    |   ^",
    ].join("\n"),
  );
});

Deno.test("loadConfig names the key or table that a misplaced one was meant for", () => {
  const first = (text: string) => complaintAbout(text).split("\n")[0];
  assert.equal(
    first("[mcp.servr]\nport = 1"),
    "/code/llmc.toml:1:6: unknown table [mcp.servr]; did you mean [mcp.server]?",
  );
  assert.equal(first("[server]\nport = 1"), "/code/llmc.toml:1:2: unknown table [server]; did you mean [mcp.server]?");
  assert.equal(
    first("[mcp]\nport = 1"),
    '/code/llmc.toml:2:1: unknown key "port" in [mcp]; did you mean mcp.server.port?',
  );
  assert.equal(
    first("[mcp.handles]\nsize = 1"),
    '/code/llmc.toml:2:1: unknown key "size" in [mcp.handles]; known here: ttl_hours, max_bytes',
  );
  assert.equal(
    first("mcp.server.x.y = 1"),
    "/code/llmc.toml:1:12: unknown table [mcp.server.x]; known here: host, port, " +
      "tls_enabled, tls_cert_file, tls_key_file, allowed_hosts, allowed_origins, ui_enabled, ui_session_sec",
  );
});

Deno.test("loadConfig says what a key expects and what it found, at the place of the value", () => {
  const first = (text: string) => complaintAbout(text).split("\n")[0];
  const cases = {
    "[mcp.server]\nport = '80'": '2:8: mcp.server.port: expected a whole number from 0 to 65535, found the text "80"',
    "[mcp.server]\nport = 65536": "2:8: mcp.server.port: expected a whole number from 0 to 65535, found 65536",
    "mcp = { server.port = 1.5 }": "1:23: mcp.server.port: expected a whole number from 0 to 65535, found 1.5",
    "[mcp.limits]\nrate_limit_rps = nan":
      "2:18: mcp.limits.rate_limit_rps: expected a number from 0.1 to 100000, found NaN",
    "[mcp]\nread_only = 1": "2:13: mcp.read_only: expected true or false, found 1",
    "[mcp]\nread_only = 2026-01-01": "2:13: mcp.read_only: expected true or false, found a date",
    "[mcp.auth]\nmode = ''": '2:8: mcp.auth.mode: expected one of "token", "none", found an empty text',
    "[mcp.tools]\nallowed_roots = '/x'":
      '2:17: mcp.tools.allowed_roots: expected a list, each item a path, found the text "/x"',
    "[mcp.tools]\nrun_cmd_allowlist = [\n  'git',\n  '/bin/sh',\n]":
      '4:3: mcp.tools.run_cmd_allowlist[1]: expected a program name or @set, found the text "/bin/sh"',
    "[mcp.te]\nbudgets = { x = 5000 }": '2:11: mcp.te.budgets: expected a value for "default" in it',
    "[mcp.te]\nbudgets = { default = 5000, x = 1 }":
      "2:33: mcp.te.budgets.x: expected a whole number from 1000 to 100000000, found 1",
    "[mcp]\nserver = 1": "2:10: mcp.server is a table; write [mcp.server] and its keys below",
    "[mcp.server.host]": "1:13: mcp.server.host: expected a host name or address, found a table",
  };
  for (const [text, message] of Object.entries(cases)) assert.equal(first(text), `${FILE}:${message}`);
});

Deno.test("loadConfig reports every mistake of every layer at once", () => {
  const lines = complaint({
    files: { [FILE]: "[mcp.server]\nport = -1\nhots = 'a'\n" },
    env: { LLMC_MCP__SERVER__PRT: "1", LLMC_MCP__READ_ONLY: "maybe" },
  }, { set: ["mcp.server.port=x", "server.host=a", "mcp.server=1"] }).split("\n").filter((line) =>
    !line.startsWith("  ")
  );
  assert.deepEqual(lines, [
    '/code/llmc.toml:3:1: unknown key "hots" in [mcp.server]; did you mean "host"?',
    "/code/llmc.toml:2:8: mcp.server.port: expected a whole number from 0 to 65535, found -1",
    "LLMC_MCP__SERVER__PRT: no such key, mcp.server.prt; did you mean LLMC_MCP__SERVER__PORT?",
    'LLMC_MCP__READ_ONLY: mcp.read_only: expected true or false, found the text "maybe"',
    'command line: unknown key "server.host"; did you mean mcp.server.host?',
    "command line: mcp.server is a table; set one of its keys",
    'command line: mcp.server.port: expected a whole number from 0 to 65535, found the text "x"',
  ]);
});

Deno.test("loadConfig refuses a --set that is no assignment", () => {
  const message = "--set port: expected KEY=VALUE, as in mcp.server.port=9000";
  assert.equal(complaint({}, { set: ["port"] }), message);
  assert.match(complaint({}, { set: ["=1"] }), /^--set =1: expected KEY=VALUE/);
});

Deno.test("loadConfig reports TOML that is broken or says something twice, with the line", () => {
  assert.equal(
    complaintAbout("[mcp]\nread_only = tru\n"),
    "/code/llmc.toml:2:13: not valid TOML: invalid value\n  2 | read_only = tru\n    |             ^",
  );
  assert.match(
    complaintAbout("[mcp.server]\nport = 1\nport = 2\n"),
    /^\/code\/llmc.toml:3:1: not valid TOML: .*\n {2}3 \| port = 2\n/,
  );
  assert.match(complaintAbout("[mcp]\n[mcp.server]\n[mcp.server]\n"), /^\/code\/llmc.toml:3:\d+: not valid TOML: /);
});

Deno.test("loadConfig says only that the version is another one when it is", () => {
  assert.equal(
    complaintAbout("[mcp]\nconfig_version = 'v1'\nnews = 1\n"),
    [
      '/code/llmc.toml:2:18: mcp.config_version: expected one of "v0", found the text "v1"',
      "  2 | config_version = 'v1'",
      "    |                  ^",
    ].join("\n"),
  );
});

Deno.test("loadConfig takes both spellings of the roots as one key, layer by layer", () => {
  const files = { [FILE]: "[mcp.linux_ops.roots]\nallowed_roots = ['/a']\nenforce_roots = false\n" };
  const alone = load({ files });
  assert.deepEqual(alone.settings.tools.allowed_roots, ["/a"]);
  assert.equal(alone.settings.tools.enforce_roots, false);
  assert.deepEqual(alone.origins, { "mcp.tools.allowed_roots": "toml", "mcp.tools.enforce_roots": "toml" });

  const env = { LLMC_MCP__TOOLS__ALLOWED_ROOTS: "/b" };
  assert.deepEqual(load({ files, env }).settings.tools.allowed_roots, ["/b"]);
  const twice = { [FILE]: "[mcp]\ntools.allowed_roots = ['/a']\nlinux_ops.roots.allowed_roots = ['/a']\n" };
  assert.deepEqual(load({ files: twice }, { root: ["/c"] }).settings.tools.allowed_roots, ["/a", "/c"]);
  const set = ["mcp.linux_ops.roots.allowed_roots=/d"];
  assert.deepEqual(load({ files: twice }, { set, root: ["/c"] }).settings.tools.allowed_roots, ["/d", "/c"]);
});

Deno.test("loadConfig refuses two spellings of the roots that differ, and names both", () => {
  assert.equal(
    complaintAbout("[mcp.tools]\nallowed_roots = ['/a']\n[mcp.linux_ops.roots]\nallowed_roots = ['/b']\n").split(
      "\n",
    )[0],
    "/code/llmc.toml:4:17: mcp.linux_ops.roots.allowed_roots and mcp.tools.allowed_roots (/code/llmc.toml:2:17) " +
      "mean the same and differ; keep one",
  );
  const env = { LLMC_MCP__TOOLS__ENFORCE_ROOTS: "true", LLMC_MCP__LINUX_OPS__ROOTS__ENFORCE_ROOTS: "false" };
  assert.equal(
    complaint({ env }),
    "LLMC_MCP__LINUX_OPS__ROOTS__ENFORCE_ROOTS: mcp.linux_ops.roots.enforce_roots and mcp.tools.enforce_roots " +
      "(LLMC_MCP__TOOLS__ENFORCE_ROOTS) mean the same and differ; keep one",
  );
});

Deno.test("loadConfig never repeats a secret that was written where its name belongs", () => {
  const messages = [
    complaintAbout('[mcp.auth]\ntoken = "s3cret"\n'),
    complaintAbout('[mcp.auth]\ntoken_env = "s3cret!"\n'),
    complaintAbout('[mcp.auth]\ntoken = "s3cret\n'),
    complaintAbout('[mcp.rag]\nembeddings_url = "ftp://ann:s3cret@host"\n'),
    complaint({
      env: { LLMC_MCP__RAG__EMBEDDINGS_URL: "ftp://ann:s3cret@host", LLMC_MCP__AUTH__TOKEN_ENV: "s3cret!" },
    }),
  ];
  for (const message of messages) assert.doesNotMatch(message, /s3cret/);
});

Deno.test("loadConfig reads a file with a byte order mark and CRLF", () => {
  const { settings } = load({ files: { [FILE]: "\uFEFF[mcp.server]\r\nport = 9\r\n" } });
  assert.equal(settings.server.port, 9);
});

Deno.test("loadConfig is not moved by names that objects have of themselves", () => {
  assert.match(complaintAbout("[mcp.__proto__]\nread_only = true\n"), /unknown table \[mcp\.__proto__\]/);
  assert.match(complaintAbout("[mcp]\nconstructor = 1\n"), /unknown key "constructor"/);
  assert.match(complaint({}, { set: ["mcp.__proto__.x=1"] }), /unknown key "mcp.__proto__.x"/);
  const { settings } = load({ files: { [FILE]: "[mcp.te.budgets]\ndefault = 1000\n__proto__ = 2000\n" } });
  assert.deepEqual(Object.keys(settings.te.budgets), ["default", "__proto__"]);
});

Deno.test("loadConfig shares no value with another configuration", () => {
  load({}).settings.tools.toolsets.push("ufo");
  load({}).settings.te.budgets.default = 1;
  assert.deepEqual(load({}).origins, {});
  assert.equal(load({}).settings.tools.toolsets.includes("ufo"), false);
  assert.equal(load({}).settings.te.budgets.default, 16_000);
});

Deno.test("loadConfig takes LLMC_ROOT as the root where nothing else sets one", () => {
  const env = { LLMC_ROOT: "~/app" };
  const { settings, origins } = load({ env });
  assert.deepEqual(settings.tools.allowed_roots, ["/home/ann/app"]);
  assert.deepEqual(origins, { "mcp.tools.allowed_roots": "env" });
  const ofFile = (text: string) => load({ env, files: { [FILE]: text } }).settings.tools.allowed_roots;
  assert.deepEqual(ofFile("[mcp.tools]\nallowed_roots = ['/srv']\n"), ["/srv"]);
  assert.deepEqual(ofFile("[mcp.linux_ops.roots]\nallowed_roots = ['/srv']\n"), ["/srv"]);
  assert.deepEqual(load({ env }, { root: ["/x"] }).settings.tools.allowed_roots, ["/x"]);
});

Deno.test("loadConfig has a relative script_path begin at LLMC_ROOT, as the specification has it", () => {
  const files = { [FILE]: "[mcp.te]\nscript_path = 'scripts/te'\n" };
  assert.equal(load({ files, env: { LLMC_ROOT: "/app" } }).settings.te.script_path, "/app/scripts/te");
  assert.equal(load({ files }).settings.te.script_path, "/code/scripts/te");
});
