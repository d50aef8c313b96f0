/** Checks a started server: search, programs, stores, index. @module */
import type { AppVerbs, Stored } from "../../app/verbs.ts";
import type { Config } from "../../config/resolve.ts";
import { humanSize } from "../../core/bytes.ts";
import { quoteWord } from "../../core/argv.ts";
import { type Finding, finding } from "./finding.ts";
import type { SecretSearch } from "../../sys/files/secret_files.ts";
import type { MachineSettings } from "../../sandbox/machine_settings.ts";
import { readGitSettings } from "../../sandbox/private_home.ts";
import { exists } from "../../sys/files/exists.ts";

/** A failure to store that is older than this is not shown. */
const RECENT_MS = 24 * 3_600_000;
const SEARCH_PATIENCE_MS = 3_000, NARROWER = "name the folders of your projects in mcp.tools.allowed_roots";
/** Without these no child can be started; all come with util-linux. */
const NEEDED = ["setsid", "setpriv"];
/** What a session is given when it asks for a terminal. */
const FOR_TERMINALS = "script";

/** Asks it. */
export async function checkServer(server: AppVerbs, config: Config, machine: MachineSettings): Promise<Finding[]> {
  const [ripgrep, stored, search] = await Promise.all([
    server.ripgrep(),
    server.stored(),
    server.secretSearch(SEARCH_PATIENCE_MS),
  ]);
  return [
    ripgrep.path
      ? finding("ripgrep", "ok", `${ripgrep.detail} at ${ripgrep.path}`)
      : finding("ripgrep", "warn", `${ripgrep.detail}; using a slower fallback search`, machine.install("ripgrep")),
    ...checkHelpers(machine),
    ...await checkPrograms(config, machine),
    ...checkHandles(stored, config),
    ...search ? [checkSecretFiles(search)] : [],
    ...stored.index.map(({ root, state, files, reason }) =>
      finding(
        "index",
        state === "unavailable" ? "warn" : "ok",
        `${root}: ${state}, ${files} files${reason ? `; ${reason}` : ""}`,
      )
    ),
  ];
}

/** Whether all folders of the roots are looked through for files whose values are secrets. */
function checkSecretFiles({ files, folders, foldersLeftOut, isDone }: SecretSearch): Finding {
  const name = "secret files", found = `${files} in ${folders} folders`;
  const rest = "the secrets of files that it does not reach are masked only where they have a known format";
  if (!isDone) return finding(name, "warn", `${found} so far; the search goes on while a server runs; ${rest}`);
  if (foldersLeftOut === 0) return finding(name, "ok", found);
  return finding(
    name,
    "warn",
    `${found}; ${foldersLeftOut} folders and what is in them are left out; ${rest}`,
    NARROWER,
  );
}

/** The handle store, by storing something, and what an earlier server could not store. */
function checkHandles({ handles, refused, lastFailure }: Stored, { dataDir }: Config): Finding[] {
  const name = "handles", help = `df -h ${quoteWord(dataDir)}`;
  if (handles === null) {
    return [finding(name, "bad", "the database cannot be read; see the lines above or the log")];
  }
  if (refused !== null) return [finding(name, "bad", `no result can be stored: ${refused}`, help)];
  const stored = finding(name, "ok", `${handles.count} stored, ${humanSize(handles.bytes)}`);
  if (lastFailure === null || Date.now() - lastFailure.lastMs > RECENT_MS) return [stored];
  const { count, lastMs, reason } = lastFailure;
  const when = new Date(lastMs).toISOString().slice(0, 19);
  return [stored, finding(name, "warn", `results could not be stored: ${count} until ${when}Z: ${reason}`, help)];
}

function checkHelpers(machine: MachineSettings): Finding[] {
  const absent = [...NEEDED, FOR_TERMINALS].filter((name) => !exists(`/usr/bin/${name}`));
  if (absent.length === 0) return [];
  const names = absent.join(", ");
  if (absent.some((name) => NEEDED.includes(name))) {
    return [
      finding("util-linux", "bad", `${names} not installed: programs cannot be started`, machine.install("util-linux")),
    ];
  }
  return [
    finding(
      "util-linux",
      "warn",
      `${names} not installed: programs cannot get a terminal`,
      machine.install("bsdutils"),
    ),
  ];
}

async function checkPrograms(config: Config, machine: MachineSettings): Promise<Finding[]> {
  const { binaries, programFolders, toolFolders, settings } = config;
  const named = new Set([...settings.tools.run_cmd_allowlist, ...settings.linux_ops.commands.allowed_binaries]);
  const missingBinaries = config.missingBinaries.filter((name) => named.has(name) || name === "git");
  const count = Object.keys(binaries).length;
  const absent = missingBinaries.length > 0 ? `; not installed: ${missingBinaries.join(", ")}` : "";
  const found = [
    finding("programs", "ok", `${count} allowed${absent}: ${Object.keys(binaries).sort().join(" ")}`),
    finding("PATH", "ok", programFolders.join(":")),
    finding("tool chains", "ok", toolFolders.length === 0 ? "none besides the system's" : toolFolders.join(" ")),
  ];
  const git = binaries.git;
  if (git !== undefined) found.push(finding("git", "ok", await versionOf(git)), ...await checkGit());
  else if (missingBinaries.includes("git")) found.push(finding("git", "warn", "not installed", machine.install("git")));
  return found;
}

/** Who commits, and whether hooks run. */
async function checkGit(): Promise<Finding[]> {
  const git = await readGitSettings(Deno.env.toObject()), name = git["user.name"], email = git["user.email"];
  const hooksPath = git["core.hookspath"];
  return [
    name && email
      ? finding("git identity", "ok", `${name} <${email}>`)
      : finding("git identity", "warn", "commits need a name and an email", 'git config --global user.name "…"'),
    hooksPath === undefined
      ? finding("git hooks", "ok", "those of a repository run, inside the sandbox")
      : finding("git hooks", "warn", `those of your own core.hooksPath (${hooksPath}) do not run; a repository's do`),
  ];
}

async function versionOf(program: string): Promise<string> {
  const command = new Deno.Command(program, { args: ["--version"], clearEnv: true, env: {}, stdin: "null" });
  const { stdout } = await command.output();
  return new TextDecoder().decode(stdout).trim().replace(/^git version /, "").slice(0, 60);
}
