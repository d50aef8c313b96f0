/** Checks the sandbox level, what limits it, and what it does not cover. @module */
import type { Check } from "../../sandbox/permission_check.ts";
import { networkOf } from "../../config/network.ts";
import type { Config } from "../../config/resolve.ts";
import { socketHold } from "../../sandbox/child_filter.ts";
import { bubblewrapTrouble, landlockTrouble, type Trouble } from "../../sandbox/advice.ts";
import type { MachineSettings } from "../../sandbox/machine_settings.ts";
import { heldByLandlock } from "../../sandbox/level.ts";
import { recordsPrograms, whyNotRecorded } from "../../sandbox/recorder/coverage.ts";
import { foldersAboveOperatorPaths } from "../../sandbox/root_entries.ts";
import type { Level, SandboxReport } from "../../sandbox/protocol.ts";
import { type Finding, finding, type State } from "./finding.ts";

/** Everything about confinement. */
export function checkSandbox(
  report: SandboxReport,
  checks: readonly Check[],
  config: Config,
  machine: MachineSettings,
): Finding[] {
  return [
    landlock(report, machine),
    bubblewrap(report, machine),
    ...unixSockets(report, config),
    // What was not tried is what could not be: the lines above say why.
    ...checks.filter(({ outcome }) => outcome !== "skipped").map((check) => checkFinding(check, report.unconfined)),
    ...gaps(report, config),
    ...settings(config),
    secrets(config),
    network(report, config),
    undoOfPrograms(report, config),
    ...machine.isRoot ? [ROOT] : [],
  ];
}

/** One attempt of the self-test. With unconfined roots everything leaks, as the operator wants it. */
export function checkFinding({ name, outcome, detail }: Check, unconfined: boolean): Finding {
  const leaked: State = unconfined ? "warn" : "bad";
  const states: Readonly<Record<Check["outcome"], State>> = { held: "ok", skipped: "warn", leaked, broken: leaked };
  return finding(name, states[outcome], detail);
}

const ROOT = finding(
  "user",
  "warn",
  "running as root weakens the sandbox: file permissions do not limit the server",
  "run it as the user who owns the files",
);

function landlock({ landlockAbi }: SandboxReport, machine: MachineSettings): Finding {
  if (landlockAbi > 0) return finding("Landlock", "ok", `ABI ${landlockAbi}, Linux ${machine.kernel}`);
  return trouble("Landlock", landlockTrouble(machine));
}

function bubblewrap({ bubblewrap: { works, version, reason } }: SandboxReport, machine: MachineSettings): Finding {
  return works ? finding("bubblewrap", "ok", version) : trouble("bubblewrap", bubblewrapTrouble(reason, machine));
}

/** What keeps programs from unix sockets of other programs. */
function unixSockets({ level, landlockAbi }: SandboxReport, { settings }: Config): Finding[] {
  if (level === "none" || settings.tools.confinement === "off") return [];
  const name = "unix sockets", namespaces = level !== "landlock" && settings.tools.allowlist_scope === "command";
  switch (socketHold(settings.tools, { namespaces, landlockAbi })) {
    case "namespace":
      return [finding(name, "ok", "programs have a network of their own, without the sockets of this machine")];
    case "landlock":
      return [finding(name, "ok", "Landlock keeps programs from abstract sockets, mounts from the others")];
    case "seccomp": {
      const detail = "seccomp refuses unix sockets to programs, their own too; socket pairs work";
      return [finding(name, "ok", detail)];
    }
    case "open": {
      const detail = "mcp.tools.allow_host_sockets is true: programs can talk to other programs of this user";
      return [finding(name, "warn", detail, "set mcp.tools.allow_host_sockets = false")];
    }
  }
}

function trouble(name: string, { why, advice }: Trouble): Finding {
  return finding(name, "warn", why, advice);
}

/** What a level leaves open; docs/security.md says more. */
const OPEN: Readonly<Record<Level, string>> = {
  full: "",
  landlock: "programs can see other processes, and change times and modes of files that they cannot write",
  bwrap: "the server's own file tools only check paths, so a program that swaps symlinks can win a race",
  none: "the kernel enforces nothing: paths are only checked, and programs that could run code are refused",
};

function gaps({ level, unconfined }: SandboxReport, config: Config): Finding[] {
  const { confinement } = config.settings.tools;
  const found: Finding[] = [];
  if (level === "none" && confinement !== "required") {
    found.push(
      finding("open at none", "bad", "programs run without any confinement", 'set mcp.tools.confinement = "required"'),
    );
  } else if (OPEN[level] !== "") found.push(finding(`open at ${level}`, "warn", OPEN[level]));
  if (unconfined) return found;
  return [...found, ...precious(level, config)];
}

/** Files of the operator inside a root: tools refuse them, but programs are not tools. */
function precious(level: Level, config: Config): Finding[] {
  const folders = foldersAboveOperatorPaths(config);
  if (folders.length === 0) return [];
  const inside = config.operatorPaths.join(", ");
  if (level === "none") {
    return [finding("own files", "bad", `nothing keeps programs from ${inside}`, "move them out of the roots")];
  }
  if (!heldByLandlock(config, level !== "landlock")) return [];
  const detail = `${inside} inside a root: so that programs cannot change that, they make, remove and rename nothing ` +
    `directly in ${folders.join(", ")}; what is in the folders there is open to them`;
  return [finding("own files", "warn", detail, "move them out of the roots, or raise the level")];
}

/** Whether what programs change can be undone. */
function undoOfPrograms({ level, bubblewrap }: SandboxReport, config: Config): Finding {
  const name = "undo of programs";
  if (!recordsPrograms(config)) return finding(name, "ok", "switched off by mcp.undo");
  const works = !heldByLandlock(config, bubblewrap.works);
  const why = whyNotRecorded(config, { bubblewrap: works, landlock: level === "full" || level === "landlock" });
  if (why !== null) return finding(name, "warn", `not covered: ${why}`);
  const limits = level === "bwrap" ? "; links and attributes are not restored at this level" : "";
  return finding(name, "ok", `what programs change in the roots is recorded${limits}`);
}

function network({ bubblewrap: { works } }: SandboxReport, { settings: { tools } }: Config): Finding {
  const mode = networkOf(tools), name = "network";
  if (mode === "list" && !works) {
    const detail = "mcp.tools.network is list, which needs bubblewrap: programs are refused";
    return finding(name, "bad", detail, 'make bubblewrap work, or set mcp.tools.network = "off"');
  }
  const allowed = tools.network_allow.join(", ") || "none";
  return finding(
    name,
    "ok",
    mode === "list" ? `programs reach listed names only: ${allowed}` : `for programs: ${mode}`,
  );
}

function secrets({ settings: { secrets: { mode, allow } } }: Config): Finding {
  if (mode === "off") {
    return finding("secrets", "warn", "mcp.secrets.mode is off: results show them", 'set mcp.secrets.mode = "mask"');
  }
  const shown = allow.length > 0 ? `, except those in ${allow.join(", ")}` : "";
  return finding(
    "secrets",
    "ok",
    `results hold placeholders in place of known formats and values of .env files${shown}`,
  );
}

function settings({ settings: { tools } }: Config): Finding[] {
  if (tools.confinement !== "off") return [];
  return [
    finding(
      "confinement",
      "bad",
      "mcp.tools.confinement is off: programs are not confined",
      "remove the line from llmc.toml",
    ),
  ];
}
