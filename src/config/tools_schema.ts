/** Declares the keys of `[mcp.tools]` and `[mcp.linux_ops]`: what tools and programs may do. @module */
import * as z from "zod";
import {
  count,
  documentPath,
  flag,
  label,
  list,
  networkEntry,
  path,
  program,
  programOrSet,
  variablePattern,
} from "./value_kinds.ts";

const MIB = 1024 * 1024, GIB = 1024 * MIB;

/** `[mcp.tools]` */
export const toolsTable = z.strictObject({
  toolsets: z.array(
    z.enum(["fs", "search", "run", "proc", "sys", "rag", "code", "stats", "logs", "mvp", "te", "ufo", "script"]),
  )
    .default(["fs", "search", "run", "proc", "sys", "rag", "stats"])
    .describe("Groups of tools listed to clients."),
  list: z.enum(["core", "full"]).default("full").describe(
    "What clients are shown: the tools that nearly every job needs and `more`, which leads to the others; or all of them, which clients that load tools on demand are always shown. Every tool can be called by its name.",
  ),
  name_style: z.enum(["underscore", "dotted"]).default("underscore")
    .describe("Style of listed tool names: linux_fs_read or linux.fs_read; both can always be called."),
  result_format: z.enum(["lean", "json"]).default("lean")
    .describe("Result format: compact text, or the full structured result as JSON."),
  result_tokens: count(8000, 200, 200_000)
    .describe("Maximum tokens of one result; the rest is stored behind a handle."),
  result_links: flag(false)
    .describe("Add a resource_link to a shortened result; several clients reject such content."),
  enable_run_cmd: flag(true).describe("Enable the tools that start programs."),
  enable_script: flag(true).describe("Enable the tool that runs a program over other tools, each checked as itself."),
  allowed_roots: list(path).describe("Folders that tools, and the programs they start, may access."),
  enforce_roots: flag(true).describe("Confine everything to allowed_roots; false opens the whole machine."),
  client_roots: z.enum(["narrow", "ignore"]).default("narrow").describe(
    "Effect of an MCP client's own roots on its session: narrow the allowed roots to their intersection, or ignore them.",
  ),
  network: z.enum(["on", "list", "off"]).default("on").describe(
    "Network of started programs: that of this machine; one of their own, with a proxy to network_allow; or none.",
  ),
  network_allow: list(networkEntry).describe(
    "Names that programs reach with network = list: name, name:port, *.name, private:name:port (also at a private address), @npm, @pypi, @crates, @go, @debian, @github.",
  ),
  allow_outbound_network: flag(true).describe("Older spelling: false means network = off, whatever network says."),
  allow_host_sockets: flag(false).describe(
    "Allow started programs to connect to unix sockets of programs outside (X, D-Bus, docker) that the sandbox does not hide.",
  ),
  guarded_paths: list(
    documentPath,
    // deno-fmt-ignore
    [".git", ".vscode", ".idea", ".mcp.json", ".cursor", ".claude", ".codex", ".gemini", ".envrc", ".bashrc", ".bash_profile",
      ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".xprofile", ".xsessionrc", ".xinitrc",
      ".pam_environment", ".gitconfig", ".ssh", ".config/git", ".config/fish", ".config/autostart", ".config/systemd",
      ".config/environment.d", ".local/share/applications", ".local/share/systemd"],
  ).describe(
    "Files and folders, in any folder of a root, that run later, outside the sandbox: tools do not write them, and what programs write there is set aside.",
  ),
  unguarded_paths: list(documentPath, [])
    .describe(
      "Paths that are not guarded all the same, absolute or from a root: files and folders, with what is below.",
    ),
  allow_user_namespaces: flag(false)
    .describe("Allow started programs to make user namespaces, which the sandboxes of some browsers need."),
  run_cmd_allowlist: list(programOrSet, ["@developer"])
    .describe(
      "Programs that may be started, by name, and sets: @developer, @read, @spec; those not installed are left out.",
    ),
  shell_env: z.enum(["login", "inherit", "fixed"]).default("login").describe(
    "PATH of programs: the server's own, or a login shell's where that is bare; the server's own; or the system's folders.",
  ),
  pass_env: list(
    variablePattern,
    // deno-fmt-ignore
    ["LANG", "LC_*", "TZ", "JAVA_HOME", "GOROOT", "GOPATH", "GOPROXY", "GOFLAGS", "CARGO_HOME", "RUSTUP_*", "PYENV_*", "NVM_DIR",
      "FNM_*", "VOLTA_HOME", "ASDF_*", "MISE_*", "SDKMAN_DIR", "RBENV_ROOT", "UV_*", "PIPX_HOME", "VIRTUAL_ENV", "CONDA_PREFIX",
      "CONDA_DEFAULT_ENV", "http_proxy", "https_proxy", "no_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
      "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE", "CI"],
  ).describe("Variables of the server that programs get, by name or NAME*; never one that looks like a secret."),
  home_max_bytes: count(2 * GIB, MIB, 2 ** 40)
    .describe(
      "Bytes that the programs' private home, with the caches of package managers, may take; the oldest go first.",
    ),
  home_max_age_days: count(30, 1, 3650).describe("Days after which an unused file in that home is removed."),
  exec_timeout: count(30, 1, 3600).describe(
    "Default timeout of a command, in seconds; a run_cmd without a timeout of its own then goes on as a process.",
  ),
  read_timeout: count(10, 1, 600).describe("Timeout of tools that read or search, in seconds."),
  idle_timeout: count(60, 1, 3600)
    .describe("Seconds of inactivity after which a request or stream is closed."),
  confinement: z.enum(["required", "best_effort", "off"]).default("required")
    .describe(
      "If the kernel cannot confine programs: refuse to run them, run them with a warning, or never confine any.",
    ),
  allowlist_scope: z.enum(["command", "tree"]).default("command")
    .describe("What the allowlist applies to: the started command, or (tree) every program that it starts as well."),
  backups: z.enum(["data", "beside"]).default("data")
    .describe(
      "Where the previous content of a changed file is kept: in the data directory, or beside the file as *.bak.",
    ),
});

/** `[mcp.linux_ops]` */
export const linuxOpsTable = z.strictObject({
  roots: z.strictObject({
    allowed_roots: z.array(path).optional().describe("Alias of mcp.tools.allowed_roots."),
    enforce_roots: z.boolean().optional().describe("Alias of mcp.tools.enforce_roots."),
  }).prefault({}).describe("The roots under their older names; setting both to different values is an error."),
  commands: z.strictObject({
    allowed_binaries: list(programOrSet).describe("Programs allowed in addition to mcp.tools.run_cmd_allowlist."),
    unsafe_binaries: list(program, ["sudo", "su", "dd", "mkfs", "shutdown", "reboot"])
      .describe("Programs that are refused even if a list allows them."),
    allow_unsafe: flag(false).describe("Run unsafe_binaries if a list allows them."),
  }).prefault({}).describe("Further settings for programs that may be started."),
  process_limits: z.strictObject({
    max_procs_per_session: count(4, 1, 256).describe(
      "Maximum long-lived processes that one session of a client starts.",
    ),
    max_procs_total: count(32, 1, 4096).describe("Maximum long-lived processes in total."),
    default_timeout_sec: count(60, 1, 86_400).describe(
      "Default wait of linux_proc_read for a pattern or the end of the process, in seconds; at most 45.",
    ),
    max_timeout_sec: count(600, 1, 86_400)
      .describe("Maximum timeout that a call may ask for, in seconds; a command that went on as a process ends then."),
    idle_ttl_sec: count(3600, 10, 604_800)
      .describe("Seconds after which an unused long-lived process is stopped."),
    killable: list(label).describe(
      "Names of processes that linux_proc_kill may signal besides those that this server started; * for all.",
    ),
    allow_kill_other_users: flag(false).describe("Also list and signal processes of other users."),
  }).prefault({}).describe("Limits of long-lived processes and signals."),
  program_limits: z.strictObject({
    memory_mb: count(0, 0, 16_777_216).describe(
      "Megabytes of memory that a program and all that it started may use together, and each of them; 0: three quarters of the machine's.",
    ),
    processes: count(4096, 8, 1_000_000).describe("Processes that a program may have started at once."),
    cpu_sec: count(86_400, 1, 31_536_000).describe("Seconds of CPU time that each process may use."),
    disk_mb: count(8192, 16, 16_777_216).describe(
      "Megabytes in the temporary folder of a session, and in each other private folder of a program.",
    ),
  }).prefault({}).describe("Bounds of every started program; one that is passed is named in the result."),
  features: z.strictObject({
    fs_enabled: flag(true).describe("Enable the file and search tools."),
    proc_enabled: flag(true).describe("Enable the tools that list and signal processes."),
    repl_enabled: flag(true).describe("Enable long-lived processes: shells, interpreters, servers."),
    system_enabled: flag(true).describe("Enable the tools that describe the machine."),
    logs_enabled: flag(false).describe("Enable linux_sys_logs; off by default because logs are sensitive."),
  }).prefault({}).describe("Families of tools; a disabled tool is refused, not merely hidden."),
});
