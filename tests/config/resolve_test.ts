import assert from "node:assert/strict";
import { overridesOf } from "../../src/config/cli_layer.ts";
import { ConfigError } from "../../src/config/error.ts";
import { loadConfig } from "../../src/config/load.ts";
import { type Config, resolveConfig } from "../../src/config/resolve.ts";
import { type Fixture, makeMachine } from "./machine.ts";

const FILE = "/code/llmc.toml";

function resolve(fixture: Fixture, flags: Parameters<typeof overridesOf>[0] = {}, configFile?: string): Config {
  const machine = makeMachine(fixture);
  const named = configFile === undefined ? {} : { configFile };
  return resolveConfig(loadConfig({ ...named, overrides: overridesOf(flags) }, machine), machine);
}

/** With a file that the operator named. */
const withFile = (text: string, fixture: Fixture = {}) =>
  resolve({ ...fixture, files: { ...fixture.files, [FILE]: text } }, {}, FILE);

/** First lines of the faults that resolving gives. */
function complaints(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    assert(error instanceof ConfigError);
    return error.problems.map(({ where, message }) => `${where}: ${message}`);
  }
  throw new Error("it resolved");
}

Deno.test("resolveConfig makes roots real and drops repeated and nested ones", () => {
  const { roots, settings, unconfined } = withFile(
    "[mcp.tools]\nallowed_roots = ['~/src', '/link', '/srv/app', '/srv', '/srv/', '/srvs']\n",
    { folders: ["/home/ann/src", "/srv", "/srv/app", "/srvs", "/disk/real"], links: { "/link": "/disk/real" } },
  );
  assert.deepEqual(roots, ["/home/ann/src", "/disk/real", "/srv", "/srvs"]);
  assert.deepEqual(settings.tools.allowed_roots, roots);
  assert.equal(unconfined, false);
});

Deno.test("resolveConfig names every root that is missing or no folder, and where it was written", () => {
  const run = () =>
    resolve(
      {
        files: { [FILE]: "[mcp.tools]\nallowed_roots = [\n  '/srv',\n  '/gone',\n]\n", "/srv": "" },
        folders: [],
      },
      { root: ["/also-gone"] },
      FILE,
    );
  assert.deepEqual(complaints(run), [
    "/code/llmc.toml:3:3: mcp.tools.allowed_roots: /srv is not a directory",
    "/code/llmc.toml:4:3: mcp.tools.allowed_roots: /gone does not exist, or cannot be reached",
    "--root: mcp.tools.allowed_roots: /also-gone does not exist, or cannot be reached",
  ]);
});

Deno.test("resolveConfig reports the whole machine as unconfined, by either way to get there", () => {
  const slash = withFile("[mcp.tools]\nallowed_roots = ['/srv', '/']\n", { folders: ["/srv"] });
  const off = withFile("[mcp.tools]\nallowed_roots = ['/srv']\nenforce_roots = false\n", { folders: ["/srv"] });
  const linked = withFile("[mcp.tools]\nallowed_roots = ['/all']\n", { links: { "/all": "/" } });
  for (const { roots, unconfined, warnings } of [slash, off, linked]) {
    assert.deepEqual(roots, ["/"]);
    assert.equal(unconfined, true);
    assert.deepEqual(warnings, ["the roots are not enforced: tools and programs can access the whole machine"]);
  }
});

Deno.test("resolveConfig warns when no root is set", () => {
  const { roots, unconfined, warnings } = resolve({});
  assert.deepEqual(roots, []);
  assert.equal(unconfined, false);
  assert.deepEqual(warnings, ["no root is set, so file tools refuse every path; start with --root DIR"]);
});

Deno.test("resolveConfig chooses the data directory: setting, container volume, XDG_STATE_HOME, home", () => {
  const volume = { folders: ["/app/.llmc"], container: "docker" };
  assert.equal(resolve({}).dataDir, "/home/ann/.local/state/llmc-mcp");
  assert.equal(resolve({ env: { XDG_STATE_HOME: "/state" } }).dataDir, "/state/llmc-mcp");
  assert.equal(resolve({ env: { XDG_STATE_HOME: "state" } }).dataDir, "/home/ann/.local/state/llmc-mcp");
  assert.equal(resolve({ ...volume, env: { XDG_STATE_HOME: "/state" } }).dataDir, "/app/.llmc");
  assert.equal(resolve({ folders: ["/app/.llmc"] }).dataDir, "/home/ann/.local/state/llmc-mcp");
  assert.equal(resolve({ container: "docker" }).dataDir, "/home/ann/.local/state/llmc-mcp");
  const { dataDir, settings } = withFile("[mcp]\ndata_dir = '~/d'\n", volume);
  assert.equal(dataDir, "/home/ann/d");
  assert.equal(settings.data_dir, "/home/ann/d");
});

Deno.test("resolveConfig follows links in the part of the data directory that exists", () => {
  const { dataDir } = withFile("[mcp]\ndata_dir = '/var/llmc/new/deep'\n", {
    folders: ["/disk/llmc"],
    links: { "/var/llmc": "/disk/llmc" },
  });
  assert.equal(dataDir, "/disk/llmc/new/deep");
});

Deno.test("resolveConfig refuses a root inside the data directory, and an audit file outside it", () => {
  const run = () =>
    withFile(
      "[mcp]\ndata_dir = '/srv'\n[mcp.tools]\nallowed_roots = ['/srv/app']\n[mcp.observability]\ncsv_path = '../a.csv'\n",
      {
        folders: ["/srv", "/srv/app"],
      },
    );
  assert.deepEqual(complaints(run), [
    "/code/llmc.toml:2:12: mcp.data_dir: the root /srv/app is inside the data directory /srv; move one of them",
    "/code/llmc.toml:6:12: mcp.observability.csv_path: /a.csv is outside the data directory /srv",
  ]);
});

Deno.test("resolveConfig puts the audit file into the data directory", () => {
  const { settings } = withFile("[mcp]\ndata_dir = '/d'\n[mcp.observability]\ncsv_path = 'audit/t.csv'\n");
  assert.equal(settings.observability.csv_path, "/d/audit/t.csv");
});

Deno.test("resolveConfig finds allowed programs once, and leaves out unsafe and missing ones", () => {
  const { binaries, missingBinaries, warnings } = withFile(
    "[mcp.tools]\nallowed_roots = ['/srv']\nrun_cmd_allowlist = ['git', 'sudo', 'rg', 'pytest']\n" +
      "[mcp.linux_ops.commands]\nallowed_binaries = ['jq', 'git', 'cargo']\n",
    {
      folders: ["/srv"],
      programs: { git: "/usr/bin/git", sudo: "/usr/bin/sudo", jq: "/usr/bin/jq", python3: "/usr/bin/python3.11" },
    },
  );
  assert.deepEqual(binaries, { git: "/usr/bin/git", jq: "/usr/bin/jq" });
  assert.deepEqual(missingBinaries, ["rg", "pytest", "cargo"]);
  assert.deepEqual(warnings, [
    "sudo: allowed by a list, but refused as unsafe (mcp.linux_ops.commands.unsafe_binaries)",
    "rg, pytest, cargo: allowed, but not installed",
  ]);
});

Deno.test("resolveConfig takes sets beside names, and says nothing of what a set has and the machine has not", () => {
  const programs = { git: "/usr/bin/git", terraform: "/opt/tf/terraform", perl: "/usr/bin/perl", cat: "/usr/bin/cat" };
  const resolve = (list: string) => withFile(`[mcp.tools]\nrun_cmd_allowlist = ${list}\n`, { programs });
  const both = resolve("['@developer', 'terraform']");
  assert.deepEqual(Object.keys(both.binaries).sort(), ["cat", "git", "perl", "terraform"]);
  assert.ok(both.missingBinaries.includes("cargo"));
  assert.ok(!both.warnings.some((text) => text.includes("not installed")));
  assert.deepEqual(Object.keys(resolve("['@spec']").binaries).sort(), ["cat", "git"]);
  assert.deepEqual(Object.keys(resolve("['@read']").binaries), ["cat"]);
  assert.throws(() => resolve("['@everything']"), /@everything is not a set; there are @developer, @spec, @read/);
});

Deno.test("resolveConfig allows unsafe programs when told, but only those that a list allows", () => {
  const { binaries } = withFile(
    "[mcp.tools]\nrun_cmd_allowlist = ['dd']\n[mcp.linux_ops.commands]\nallow_unsafe = true\n",
    { programs: { dd: "/usr/bin/dd", su: "/usr/bin/su" } },
  );
  assert.deepEqual(binaries, { dd: "/usr/bin/dd" });
});

Deno.test("resolveConfig protects what decides over the sandbox and lies in a root", () => {
  const { protectedPaths, warnings } = withFile(
    "[mcp]\ndata_dir = '/code/.llmc'\n[mcp.tools]\nallowed_roots = ['/code']\nrun_cmd_allowlist = ['git', 'mine']\n" +
      "[mcp.auth]\ntoken_file = 'token'\n[mcp.server]\ntls_key_file = '/etc/key.pem'\n",
    { links: { "/code/token": "/secret/token" }, programs: { git: "/usr/bin/git", mine: "/code/bin/mine" } },
  );
  assert.deepEqual(protectedPaths, ["/code/.llmc", "/code/llmc.toml", "/code/token", "/code/bin/mine"]);
  assert.deepEqual(warnings, ["mine is /code/bin/mine, inside the root /code: keep it from being changed there"]);
});

Deno.test("resolveConfig protects as much when the root is the whole machine", () => {
  const { protectedPaths } = withFile("[mcp.tools]\nenforce_roots = false\n", { programs: { git: "/usr/bin/git" } });
  const [data, ...files] = protectedPaths;
  assert.equal(data, "/home/ann/.local/state/llmc-mcp");
  assert.deepEqual(files, [FILE, "/home/ann/.config/llmc/llmc.toml", "/etc/llmc/llmc.toml", "/usr/bin/git"]);
});

Deno.test("resolveConfig protects both a linked configuration file and the link", () => {
  const { protectedPaths, projectFile } = resolve(
    { files: { [FILE]: "", "/code/real.toml": "" }, links: { [FILE]: "/code/real.toml" } },
    { root: ["."] },
  );
  assert.deepEqual(protectedPaths, [FILE, "/code/real.toml"]);
  assert.equal(projectFile, FILE);
});

Deno.test("resolveConfig protects every place where another start would look for a file", () => {
  const places = ["/home/ann/.config/llmc/llmc.toml", FILE];
  const none = resolve({}, { root: ["/code", "~"] });
  assert.deepEqual(none.protectedPaths, ["/home/ann/.local/state/llmc-mcp", ...places]);
  const found = resolve({ files: { [FILE]: "" } }, { root: ["/code", "~"] });
  assert.deepEqual(found.protectedPaths, none.protectedPaths, "the next start may be in another folder");
  const named = resolve({ files: { "/srv/x.toml": "" } }, { root: ["/code", "~"] }, "/srv/x.toml");
  assert.deepEqual(named.protectedPaths, none.protectedPaths);
  const second = resolve({ files: { "/home/ann/.config/llmc/llmc.toml": "" } }, { root: ["/code"] });
  assert.deepEqual(second.protectedPaths, [FILE]);
});

Deno.test("resolveConfig requires folders to index to exist inside the roots", () => {
  const text = (roots: string) => `[mcp.tools]\nallowed_roots = ['/code']\n[mcp.rag]\nroots = ${roots}\n`;
  const folders = ["/code/a", "/srv"];
  assert.deepEqual(withFile(text("['a', '/code/a']"), { folders }).settings.rag.roots, ["/code/a"]);
  assert.deepEqual(complaints(() => withFile(text("['/srv', 'b']"), { folders })), [
    "/code/llmc.toml:4:18: mcp.rag.roots: /code/b does not exist, or cannot be reached",
    "/code/llmc.toml:4:10: mcp.rag.roots: /srv is outside the allowed roots",
  ]);
});

Deno.test("resolveConfig refuses to be open to the network without a token", () => {
  const open = (host: string, rest: string) => () => withFile(`[mcp.server]\nhost = '${host}'\n[mcp.auth]\n${rest}\n`);
  for (const host of ["0.0.0.0", "::", "192.168.1.2", "localhost.example.org", "127.0.0.1.example.org"]) {
    assert.deepEqual(complaints(open(host, "mode = 'none'")), [
      `/code/llmc.toml:4:8: mcp.auth.mode: "none" leaves ${host} open to the network; use it only with a loopback mcp.server.host`,
    ]);
    assert.equal(complaints(open(host, "allow_unauthenticated = true")).length, 1);
    open(host, "mode = 'token'")();
  }
  for (const host of ["127.0.0.1", "127.8.9.1", "localhost", "::1", "[::1]"]) open(host, "mode = 'none'")();
});

Deno.test("resolveConfig reports settings that contradict each other", () => {
  const run = () =>
    withFile(
      "[mcp.server]\ntls_enabled = true\ntls_cert_file = '/c'\n[mcp.auth]\ntoken_env = ''\n" +
        "[mcp.linux_ops.process_limits]\nmax_procs_per_session = 40\nmax_timeout_sec = 10\n",
    );
  assert.deepEqual(complaints(run), [
    "/code/llmc.toml:2:15: mcp.server.tls_enabled: needs both mcp.server.tls_cert_file and mcp.server.tls_key_file",
    'configuration: mcp.auth.mode: is "token", but neither mcp.auth.token_env nor mcp.auth.token_file names one',
    "/code/llmc.toml:7:25: mcp.linux_ops.process_limits.max_procs_per_session: is above max_procs_total, 32",
    "configuration: mcp.linux_ops.process_limits.default_timeout_sec: is above max_timeout_sec, 10",
  ]);
});

Deno.test("resolveConfig gives plain data that can be sent to a worker", () => {
  const config = withFile("[mcp.te.budgets]\ndefault = 1000\n", { programs: { git: "/usr/bin/git" } });
  assert.deepEqual(structuredClone(config), config);
});

Deno.test("resolveConfig indexes the git work trees among the roots, or else all roots but a home directory", () => {
  const indexed = (root: string[], folders: string[]) => resolve({ folders }, { root }).settings.rag.roots;
  const all = ["/home/ann", "/srv/a", "/srv/b"];
  assert.deepEqual(indexed(all, [...all, "/srv/b/.git"]), ["/srv/b"]);
  assert.deepEqual(indexed(all, all), ["/srv/a", "/srv/b"]);
  assert.deepEqual(indexed(["/home/ann"], ["/home/ann", "/home/ann/.git"]), ["/home/ann"]);
});
