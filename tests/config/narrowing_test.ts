/** Limits of a configuration file that was found in a repository, for every key of the schema. @module */
import assert from "node:assert/strict";
import { overridesOf } from "../../src/config/cli_layer.ts";
import { ConfigError } from "../../src/config/error.ts";
import { fileSchema } from "../../src/config/file_schema.ts";
import { type Key, listKeys } from "../../src/config/keys.ts";
import { loadConfig, type Loaded } from "../../src/config/load.ts";
import { isNarrower } from "../../src/config/narrowing.ts";
import { tomlValue } from "../../src/config/toml.ts";
import { type Fixture, makeMachine } from "./machine.ts";

const FILE = "/code/llmc.toml", OPERATORS = "/home/ann/.config/llmc/llmc.toml";

function load(
  found: string,
  operators = "",
  fixture: Fixture = {},
  flags: Parameters<typeof overridesOf>[0] = {},
): Loaded {
  const machine = makeMachine({ ...fixture, files: { [FILE]: found, [OPERATORS]: operators } });
  return loadConfig({ overrides: overridesOf(flags) }, machine);
}

/** The key that is refused; null when nothing is. */
function refused(...args: Parameters<typeof load>): string | null {
  try {
    load(...args);
    return null;
  } catch (error) {
    assert(error instanceof ConfigError);
    return error.problems.map(({ message }) => message).join("\n");
  }
}

const assignment = ({ path }: Key, value: unknown) =>
  `[${path.slice(0, -1).join(".")}]\n${path.at(-1)} = ${tomlValue(value)}\n`;

/** Values that fit a key, besides the given one. */
function otherValues({ node }: Key, value: unknown): unknown[] {
  if (node.type === "boolean") return [value !== true];
  if (node.enum) return node.enum.filter((each) => each !== value);
  if (typeof value === "number") {
    return [node.minimum ?? 0, node.maximum ?? 1e6, value + 1].filter((each) => each !== value);
  }
  if (Array.isArray(value)) return [[], [...value, ...node.items?.enum?.slice(-1) ?? ["extra"]]];
  return typeof value === "string" ? ["other"] : [];
}

/** The effective value. */
const valueOf = ({ path }: Key, { settings }: Loaded) =>
  path.slice(1).reduce<unknown>((table, step) => Object(table)[step], settings);

Deno.test("loadConfig takes no key from a found file that would open something", () => {
  const loosening = [
    ["mcp.tools.confinement", "[mcp.tools]\nconfinement = 'off'\n"],
    ["mcp.tools.confinement", "[mcp.tools]\nconfinement = 'best_effort'\n"],
    ["mcp.tools.enforce_roots", "[mcp.tools]\nenforce_roots = false\n"],
    ["mcp.tools.allow_host_sockets", "[mcp.tools]\nallow_host_sockets = true\n"],
    ["mcp.tools.allow_user_namespaces", "[mcp.tools]\nallow_user_namespaces = true\n"],
    ["mcp.tools.client_roots", "[mcp.tools]\nclient_roots = 'ignore'\n"],
    ["mcp.tools.toolsets", "[mcp.tools]\ntoolsets = ['fs', 'logs']\n"],
    ["mcp.tools.exec_timeout", "[mcp.tools]\nexec_timeout = 3600\n"],
    ["mcp.linux_ops.commands.allow_unsafe", "[mcp.linux_ops.commands]\nallow_unsafe = true\n"],
    ["mcp.linux_ops.commands.unsafe_binaries", "[mcp.linux_ops.commands]\nunsafe_binaries = []\n"],
    ["mcp.linux_ops.commands.allowed_binaries", "[mcp.linux_ops.commands]\nallowed_binaries = ['perl']\n"],
    [
      "mcp.linux_ops.process_limits.allow_kill_other_users",
      "[mcp.linux_ops.process_limits]\nallow_kill_other_users = true\n",
    ],
    ["mcp.linux_ops.features.logs_enabled", "[mcp.linux_ops.features]\nlogs_enabled = true\n"],
    ["mcp.auth.mode", "[mcp.auth]\nmode = 'none'\n"],
    ["mcp.auth.token_env", "[mcp.auth]\ntoken_env = 'HOME'\n"],
    ["mcp.auth.token_file", "[mcp.auth]\ntoken_file = '/code/token'\n"],
    ["mcp.auth.allow_unauthenticated", "[mcp.auth]\nallow_unauthenticated = true\n"],
    ["mcp.server.host", "[mcp.server]\nhost = '0.0.0.0'\n"],
    ["mcp.server.allowed_hosts", "[mcp.server]\nallowed_hosts = ['evil.example']\n"],
    ["mcp.server.allowed_origins", "[mcp.server]\nallowed_origins = ['https://evil.example']\n"],
    ["mcp.observability.enabled", "[mcp.observability]\nenabled = false\n"],
    ["mcp.observability.metrics_public", "[mcp.observability]\nmetrics_public = true\n"],
    ["mcp.te.script_path", "[mcp.te]\nscript_path = '/code/te'\n"],
    ["mcp.rag.embeddings_url", "[mcp.rag]\nembeddings_url = 'https://evil.example'\n"],
    ["mcp.data_dir", "[mcp]\ndata_dir = '/code/data'\n"],
    ["mcp.limits.rate_limit_rps", "[mcp.limits]\nrate_limit_rps = 50000\n"],
    ["mcp.onboarding.allow_apply", "[mcp.onboarding]\nallow_apply = true\n"],
  ] as const;
  for (const [key, text] of loosening) {
    const message = refused(text) ?? "";
    assert.ok(
      message.includes(`${key}: would open more`) && message.includes(`--config ${FILE}`),
      `${key}: ${message}`,
    );
  }
});

Deno.test("loadConfig leaves every key that the operator changed as it is, whatever default a found file repeats", () => {
  let tried = 0;
  for (const key of listKeys(fileSchema)) {
    const start = key.node.default;
    if (start === undefined || key.node.type === "object") continue;
    for (const value of otherValues(key, start)) {
      if (tomlValue(value) === tomlValue(start)) continue;
      const operators = assignment(key, value);
      if (refused("", operators)?.includes("expected")) continue; // not a value of this key
      tried++;
      assert.deepEqual(
        valueOf(key, load(assignment(key, start), operators)),
        valueOf(key, load("", operators)),
        key.name,
      );
    }
  }
  assert.ok(tried > 100, `${tried}`);
});

Deno.test("loadConfig takes nothing from a found file for a key that has no direction", () => {
  const at = { folder: "/code", machine: makeMachine(), rootsAreSet: false };
  assert.equal(isNarrower("mcp.tools.key_of_tomorrow", true, false, at), false);
  assert.equal(isNarrower("mcp.tools.key_of_tomorrow", false, true, at), false);
});

Deno.test("loadConfig keeps what the operator closed, whichever layer said so", () => {
  const closed = [
    [
      "mcp.approvals.require",
      "[mcp.approvals]\nrequire = ['execute', 'write']\n",
      "[mcp.approvals]\nrequire = ['write']\n",
    ],
    [
      "mcp.tools.run_cmd_allowlist",
      "[mcp.tools]\nrun_cmd_allowlist = ['cat']\n",
      "[mcp.tools]\nrun_cmd_allowlist = ['cat', 'sh']\n",
    ],
  ] as const;
  for (const [key, operators, found] of closed) {
    assert.deepEqual(
      load("", operators).settings,
      loadConfig({}, makeMachine({ files: { [OPERATORS]: operators } })).settings,
    );
    assert.ok(refused(found, operators)?.includes(`${key}: `), key);
  }
  const open = "[mcp]\nread_only = false\n", env = { LLMC_MCP__READ_ONLY: "true" };
  assert.equal(load(open, "[mcp]\nread_only = true\n").settings.read_only, true);
  assert.equal(load(open, "", {}, { set: ["mcp.read_only=true"] }).settings.read_only, true);
  assert.equal(load(open, "", { env }).settings.read_only, true);
});

Deno.test("loadConfig narrows what the operator says by what it found", () => {
  const found =
    "[mcp]\nread_only = true\n[mcp.tools]\nrun_cmd_allowlist = ['cat']\nread_timeout = 5\n[mcp.approvals]\nrequire = ['write']\n";
  const { settings, configFile, projectFile } = load(found, "[mcp.server]\nport = 9\n", {}, {
    set: ["mcp.tools.read_timeout=7"],
  });
  assert.equal(settings.read_only, true);
  assert.equal(settings.server.port, 9);
  assert.deepEqual(settings.tools.run_cmd_allowlist, ["cat"]);
  assert.equal(settings.tools.read_timeout, 5);
  assert.deepEqual(settings.approvals.require, ["write"]);
  assert.deepEqual([configFile, projectFile], [OPERATORS, FILE]);
});

Deno.test("loadConfig takes roots from a found file inside the operator's roots, or else inside its folder", () => {
  const roots = (...paths: string[]) => `[mcp.tools]\nallowed_roots = ${tomlValue(paths)}\n`;
  const fixture = { folders: ["/code/sub", "/srv", "/srv/app", "/code/link"], links: { "/code/link": "/srv" } };
  assert.equal(refused(roots("sub"), "", fixture), null);
  assert.equal(refused(roots("."), "", fixture), null);
  for (const path of ["/srv", "..", "~", "link", "link/app"]) {
    assert.ok(refused(roots(path), "", fixture)?.includes("mcp.tools.allowed_roots: "), path);
  }
  assert.equal(refused(roots("/srv/app"), roots("/srv"), fixture), null);
  assert.ok(refused(roots("."), roots("/srv"), fixture)?.includes("mcp.tools.allowed_roots: "));
  assert.ok(refused(roots("."), "", fixture, { root: ["/srv"] })?.includes("mcp.tools.allowed_roots: "));
  const other = "[mcp.linux_ops.roots]\nallowed_roots = ['/srv']\n";
  assert.ok(refused(other, "", fixture)?.includes("mcp.tools.allowed_roots: "));
});
