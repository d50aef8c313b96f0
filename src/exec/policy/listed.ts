/** Checks program names against the allowlist, and suggests alternatives. @module */
import type { Config } from "../../config/resolve.ts";
import { OpsError } from "../../core/error.ts";
import { baseName, isInsideAny, normalizePath, parentOf } from "../../core/path.ts";
import { realPathOf } from "../../sys/files/real_path.ts";
import type { Place } from "./find_commands.ts";
import { refuse, shorten } from "./refusal.ts";

/** The shell's own commands. */
export const BUILTINS: ReadonlySet<string> = new Set(
  (": . [ [[ alias bg bind break builtin caller cd command compgen complete compopt continue coproc declare dirs disown " +
    "echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd " +
    "printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset " +
    "ulimit umask unalias unset wait").split(" "),
);

const TOOLS: Readonly<Record<string, string>> = {
  "Listening ports: linux_sys_info network": "lsof netstat ss fuser",
  "Processes: linux_proc_list": "ps top htop pgrep pidof pstree",
  "Signals: linux_proc_kill": "kill pkill killall",
  "The machine: linux_sys_info": "lscpu lsblk lspci lsusb dmidecode mount vmstat iostat free uptime hostnamectl",
  "Services: linux_sys_services": "systemctl service rc-service",
  "Logs: linux_sys_logs": "journalctl dmesg",
  "Edit with linux_fs_patch_block or linux_fs_write": "vi vim nvim nano emacs ed ex",
  "Run it without: the sandbox has the user's rights": "sudo su doas pkexec",
  "Background: linux_proc_start": "screen tmux at batch",
  "The rest of a result: linux_handle_read": "te",
};
const INSTEAD = new Map(
  Object.entries(TOOLS).flatMap(([step, names]) => names.split(" ").map((name) => [name, step])),
);

/** An allowed program that this machine does not have: its run ends with 127, as in a shell. */
export class MissingProgram extends OpsError {
  constructor(readonly program: string, folders: readonly string[]) {
    super("COMMAND_NOT_ALLOWED", `${program}: not installed (searched ${folders.join(" ")})`, "Use another program.");
  }
}

/** Checks the name of a program. */
export interface Listed {
  /** @throws OpsError COMMAND_NOT_ALLOWED; {@link MissingProgram} outside scripts, where no shell says it */
  check(name: string, place: Place): Promise<void>;
}

/**
 * Makes the check.
 * @param kernelHolds Whether the kernel confines what is started: then what a root holds may run, and a name that this
 * machine does not have is left to the shell.
 */
export function makeListed(
  { binaries, missingBinaries, otherBinaries, programFolders, roots, settings }: Config,
  kernelHolds: boolean,
): Listed {
  const { unsafe_binaries: unsafe, allow_unsafe: allowUnsafe } = settings.linux_ops.commands;
  const real = new Set(Object.values(binaries)), installed = new Set(otherBinaries);

  function checkSafe(...files: string[]): void {
    if (allowUnsafe) return;
    for (const file of files) {
      if (unsafe.some((entry) => entry === file || file.startsWith(`${entry}.`))) throw notAllowed(file, "unsafe");
    }
  }

  async function checkPath(path: string, cwd: string | null): Promise<void> {
    checkSafe(baseName(path));
    if (!path.startsWith("/") && cwd === null && kernelHolds) return; // from a directory that a script chooses
    const absolute = normalizePath(path, cwd ?? "/"), target = await realPathOf(absolute);
    const file = "path" in target ? target.path : absolute;
    checkSafe(baseName(file));
    if (real.has(file) || Object.hasOwn(binaries, baseName(absolute)) && programFolders.includes(parentOf(absolute))) {
      return;
    }
    // By its own place and not by what it links to: a virtual environment links to the interpreter that it is made with.
    const parent = parentOf(absolute), folder = await realPathOf(parent);
    if (kernelHolds && isInsideAny("path" in folder ? folder.path : parent, roots)) return;
    throw refuse(path, "not allowed", kernelHolds ? "Name an allowed program, or a file inside a root." : NEEDS_WALL);
  }

  return {
    async check(name, { cwd, script, functions, project }) {
      if (script && (functions.has(name) || BUILTINS.has(name))) return;
      if (name.includes("/")) return await checkPath(name, cwd);
      const path = Object.hasOwn(binaries, name) ? binaries[name] : undefined;
      checkSafe(name, ...path === undefined ? [] : [baseName(path)]);
      if (path !== undefined || kernelHolds && project) return;
      if (missingBinaries.includes(name)) {
        if (script) return; // the shell says it, and goes on as the script wants
        throw new MissingProgram(name, programFolders);
      }
      if (script && kernelHolds && !installed.has(name)) return; // a virtual environment may bring it
      throw notAllowed(name, "not allowed");
    },
  };
}

const NEEDS_WALL = "Files of a root run only where Landlock works; see llmc-mcp doctor.";

function notAllowed(name: string, reason: string): OpsError {
  return new OpsError(
    "COMMAND_NOT_ALLOWED",
    `${shorten(name)}: ${reason}`,
    INSTEAD.get(name) ?? "The operator can add it to mcp.tools.run_cmd_allowlist",
  );
}
