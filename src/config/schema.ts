/**
 * Every key of the `[mcp]` table: type, range, default and meaning. The one definition of the configuration.
 *
 * `schemas/llmc.schema.json`, `llmc.toml` and `docs/config.md` are generated from it (scripts/generate_config_docs.ts).
 * The program itself checks a file against the generated JSON Schema: building zod objects at every start costs more
 * than all the rest of reading the configuration.
 * @module
 */
import { z } from "zod";

const MIB = 1024 * 1024;

const flag = (value: boolean, text: string) => z.boolean().default(value).describe(text);
const count = (value: number, min: number, max: number, text: string) =>
  z.int().min(min).max(max).default(value).describe(text);
const text = (value: string, meaning: string) => z.string().default(value).describe(meaning);
const matching = (value: string, pattern: RegExp, meaning: string) =>
  z.string().regex(pattern).default(value).describe(meaning);
const names = (value: string[], pattern: RegExp, meaning: string) =>
  z.array(z.string().regex(pattern)).default(value).describe(meaning);
const paths = (value: string[], meaning: string) => z.array(z.string().min(1)).default(value).describe(meaning);

/** A program is named, never given by path: what it is on this machine is found once, at start. */
const PROGRAM = /^[A-Za-z0-9._+-]+$/;
/** One line without control characters. */
const LABEL = /^[^\u0000-\u001f\u007f]{1,200}$/;

const server = z.strictObject({
  host: matching("127.0.0.1", /^[A-Za-z0-9.:_-]+$/, "Address or host name to listen on."),
  port: count(8080, 0, 65535, "TCP port to listen on; 0 takes any free one."),
  tls_enabled: flag(false, "Serve HTTPS with tls_cert_file and tls_key_file."),
  tls_cert_file: text("", "PEM file with the certificate chain."),
  tls_key_file: text("", "PEM file with the private key."),
  allowed_hosts: names(
    [],
    /^[A-Za-z0-9.:_[\]-]+$/,
    "Host names accepted in the Host header besides the loopback names and host itself.",
  ),
  allowed_origins: names(
    [],
    /^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/,
    "Origins accepted besides the server's own, as scheme://host[:port]; others get 403.",
  ),
  ui_enabled: flag(true, "Serve the operator's page at /ui."),
}).describe("The HTTP face.");

const auth = z.strictObject({
  mode: z.enum(["token", "none"]).default("token")
    .describe("How a caller proves itself over HTTP; none is refused on a host that is not loopback."),
  header: matching(
    "X-LLMC-Token",
    /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/,
    "Request header that carries the token; Authorization: Bearer is accepted as well.",
  ),
  token_env: matching(
    "LLMC_MCP_TOKEN",
    /^([A-Za-z_][A-Za-z0-9_]*)?$/,
    "Name of the environment variable that holds the token.",
  ),
  token_file: text("", "File that holds the token, readable by its owner only (mode 0600); it goes before token_env."),
  allow_unauthenticated: flag(
    false,
    "Serve callers without a token too, on a loopback host only; false leaves just /health open.",
  ),
}).describe("Who may call over HTTP. Secrets are named here, never stored.");

const TOOLSETS = ["fs", "search", "run", "proc", "sys", "rag", "stats", "logs", "mvp", "te", "ufo"] as const;

const tools = z.strictObject({
  toolsets: z.array(z.enum(TOOLSETS)).default(["fs", "search", "run", "proc", "sys", "rag", "stats"])
    .describe("Groups of tools that are listed to clients."),
  name_style: z.enum(["underscore", "dotted"]).default("underscore")
    .describe("How names are listed: linux_fs_read or linux.fs_read; both are always callable."),
  result_format: z.enum(["lean", "json"]).default("lean")
    .describe("What a model gets: lean text, or the full structured result of every tool."),
  result_tokens: count(
    8000,
    200,
    200_000,
    "Tokens of one result that are answered at once; the rest goes behind a handle.",
  ),
  enable_run_cmd: flag(true, "Offer the tools that start programs."),
  allowed_roots: paths(
    [],
    "Folders that tools may touch; ~ is the home directory, a relative path starts at this file's folder.",
  ),
  enforce_roots: flag(
    true,
    "Keep tools and the programs they start inside allowed_roots; false opens the whole machine.",
  ),
  allow_outbound_network: flag(true, "Let started programs use the network."),
  run_cmd_allowlist: names(
    // deno-fmt-ignore: one program a line would be longer than the rest of the section
    ["bash", "sh", "rg", "grep", "cat", "ls", "head", "tail", "wc", "sort", "uniq", "cut", "find", "stat", "file", "du", "df", "ps",
      "git", "python3", "node", "pytest", "make", "diff", "patch", "sed", "awk", "tar", "echo", "date", "uname", "env"],
    PROGRAM,
    "Programs that may be started, by name; those that are not installed are left out.",
  ),
  exec_timeout: count(30, 1, 3600, "Seconds a command may run when the call gives no timeout."),
  read_timeout: count(10, 1, 600, "Seconds a tool that reads or searches may take."),
  idle_timeout: count(60, 1, 3600, "Seconds a request or a stream may stand still before its connection is closed."),
  confinement: z.enum(["required", "best_effort", "off"]).default("required")
    .describe(
      "What happens to programs when the kernel cannot confine them: refuse, run and say so, or never confine.",
    ),
  allowlist_scope: z.enum(["command", "tree"]).default("command")
    .describe("Where the allowlist binds: the started command, or (tree) every program that it starts in turn."),
  backups: z.enum(["data", "beside"]).default("data")
    .describe("Where linux_fs_apply_diff keeps the old files: in the data directory, or beside them as *.bak."),
}).describe("What the tools may do.");

const processLimits = z.strictObject({
  max_procs_per_session: count(4, 1, 256, "Long-lived processes of one session at a time."),
  max_procs_total: count(32, 1, 4096, "Long-lived processes of all sessions together."),
  default_timeout_sec: count(
    60,
    1,
    86_400,
    "Seconds a wait for a long-lived process lasts when the call does not say.",
  ),
  max_timeout_sec: count(600, 1, 86_400, "Most seconds that any call may ask for."),
  idle_ttl_sec: count(3600, 10, 604_800, "Seconds after which a long-lived process that nobody used is stopped."),
  allow_kill_other_users: flag(false, "List and signal processes of other users too."),
}).describe("Bounds of linux_proc_start and its relatives.");

const linuxOps = z.strictObject({
  roots: z.strictObject({
    allowed_roots: z.array(z.string().min(1)).optional().describe("Another spelling of mcp.tools.allowed_roots."),
    enforce_roots: z.boolean().optional().describe("Another spelling of mcp.tools.enforce_roots."),
  }).prefault({}).describe(
    "The same as allowed_roots and enforce_roots of [mcp.tools]; giving both differently is an error.",
  ),
  commands: z.strictObject({
    allowed_binaries: names([], PROGRAM, "Programs allowed in addition to mcp.tools.run_cmd_allowlist."),
    unsafe_binaries: names(
      ["sudo", "su", "dd", "mkfs", "shutdown", "reboot"],
      PROGRAM,
      "Programs that stay refused even when they are allowed elsewhere.",
    ),
    allow_unsafe: flag(false, "Let unsafe_binaries run when they are allowed elsewhere."),
  }).prefault({}).describe("Programs that may be started, continued."),
  process_limits: processLimits.prefault({}),
  features: z.strictObject({
    fs_enabled: flag(true, "Offer the file and search tools."),
    proc_enabled: flag(true, "Offer the tools that list and signal processes."),
    repl_enabled: flag(true, "Offer long-lived processes: shells, interpreters, servers."),
    system_enabled: flag(true, "Offer the tools that describe the machine."),
    logs_enabled: flag(false, "Offer linux_sys_logs; off because logs are sensitive."),
  }).prefault({}).describe("Families of tools; what is switched off here is refused, not just unlisted."),
});

const settings = z.strictObject({
  enabled: flag(true, "Run at all; false makes every start refuse."),
  config_version: z.enum(["v0"]).default("v0").describe("Version of this file's layout."),
  data_dir: text("", "Folder for the database, stored results and indexes; empty: $XDG_STATE_HOME/llmc-mcp."),
  read_only: flag(false, "Refuse every tool that writes, destroys or executes."),
  server: server.prefault({}),
  auth: auth.prefault({}),
  tools: tools.prefault({}),
  approvals: z.strictObject({
    require: names(
      [],
      /^[A-Za-z][A-Za-z0-9_.]*$/,
      "Effects (write, destroy, execute) or tool names for which a person is asked first.",
    ),
  }).prefault({}).describe("Calls that wait for a person's consent."),
  linux_ops: linuxOps.prefault({}),
  handles: z.strictObject({
    ttl_hours: count(24, 1, 8760, "Hours a stored result is kept."),
    max_bytes: count(256 * MIB, MIB, 2 ** 40, "Bytes of all stored results together; the oldest go first."),
  }).prefault({}).describe("Results that were too large to answer at once."),
  rag: z.strictObject({
    jit_context_enabled: flag(true, "Add matching code to the answer of POST /invoke_agent."),
    roots: paths([], "Folders to index; empty: the allowed roots that are git work trees."),
    default_scope: z.enum(["repo", "docs", "both"]).default("repo").describe(
      "What is searched when the call does not say.",
    ),
    top_k: count(3, 1, 50, "Snippets in an answer when the call does not say."),
    token_budget: count(600, 50, 20_000, "Tokens of an answer when the call does not say."),
    max_file_bytes: count(MIB, 1024, 64 * MIB, "Bytes above which a file is not indexed."),
    embeddings_url: matching(
      "",
      /^(https?:\/\/\S+)?$/,
      "Base URL of an OpenAI-shaped embeddings service that re-ranks hits; empty: none.",
    ),
    embeddings_model: text("", "Model that the embeddings service is asked for."),
  }).prefault({}).describe("Code search."),
  session: z.strictObject({
    default_agent_id: matching("claude-desktop-mcp", LABEL, "Agent recorded for a client that does not name itself."),
    default_model: matching("unknown", LABEL, "Model recorded when the client does not say."),
    budget_profile: matching("default", LABEL, "Budget profile recorded when the client does not say."),
  }).prefault({}).describe("Labels of a session; they never give rights."),
  te: z.strictObject({
    enabled: flag(true, "Enrich command output: rank, group, fold."),
    script_path: text("", "An external te program; empty: the built-in one."),
    json_mode: flag(true, "Ask the external te for JSON."),
    timeout: count(30, 1, 3600, "Seconds an enriched command may run."),
    passthrough_on_failure: flag(true, "Run the plain command when the external te fails."),
    budgets: z.object({ default: z.int().min(1000).max(100_000_000) })
      .catchall(z.int().min(1000).max(100_000_000))
      .default({ "default": 16_000, "claude-desktop-mcp": 45_000 })
      .describe("Tokens that one session of an agent may spend before its results shrink, by agent."),
  }).prefault({}).describe("The Tool Envelope."),
  resources: z.strictObject({
    sidecars: paths(
      ["DOCS/agents.core.min.md", "DOCS/contracts.env.min.md"],
      "Documents offered as MCP resources, relative to the first root; built-in ones stand in for those that are absent.",
    ),
  }).prefault({}).describe("MCP resources."),
  docker: z.strictObject({
    data_volume: text(
      "/app/.llmc",
      "Data directory inside a container, when data_dir is empty and this folder exists.",
    ),
    persist_telemetry: flag(true, "Keep records of calls across restarts of a container."),
    persist_token_audit: flag(true, "Keep the token audit file across restarts of a container."),
  }).prefault({}).describe("What differs inside a container."),
  observability: z.strictObject({
    enabled: flag(true, "Record calls at all: log lines, metrics, call records."),
    metrics_enabled: flag(true, "Count calls, latencies and errors."),
    metrics_prometheus_enabled: flag(true, "Serve the metrics as Prometheus text at metrics_path."),
    metrics_path: matching("/metrics", /^\/[A-Za-z0-9_.\/-]+$/, "Path of the metrics."),
    metrics_public: flag(false, "Serve the metrics without a token."),
    csv_token_audit_enabled: flag(false, "Append one line per call to csv_path."),
    csv_path: text("./artifacts/token_audit.csv", "File of the token audit, relative to the data directory."),
    log_format: z.enum(["json", "text"]).default("json").describe("Form of the log on standard error."),
    log_level: z.enum(["debug", "info", "warn", "error"]).default("info").describe(
      "Least severe level that is logged.",
    ),
    retention_days: count(0, 0, 36_500, "Days that call records are kept; 0 keeps them for good."),
    include_correlation_id: flag(true, "Put the correlation id into log lines."),
  }).prefault({}).describe("Logs, metrics and records."),
  limits: z.strictObject({
    rate_limit_rps: z.number().min(0.1).max(100_000).default(10).describe(
      "Calls per second that one token may sustain.",
    ),
    rate_limit_burst: count(20, 1, 100_000, "Calls that one token may make at once before the rate binds."),
    concurrency_per_token: count(8, 1, 1024, "Calls of one token that run at the same time."),
    max_request_bytes: count(256 * 1024, 1024, 64 * MIB, "Bytes of a request body; more gets 413."),
    max_header_bytes: count(16 * 1024, 1024, MIB, "Bytes of all request headers; more gets 431."),
  }).prefault({}).describe("Limits of each caller."),
  onboarding: z.strictObject({
    downloads_dir: text("~/Downloads", "Folder that the organize_downloads flow looks at."),
    allow_apply: flag(false, "Let a flow move files when the call says apply; otherwise flows only plan."),
  }).prefault({}).describe("Guided flows."),
}).describe("Configuration of llmc-mcp.");

/** The `[mcp]` table. */
export const settingsSchema = settings;

/** The effective settings: nested as in the file, every key present except the two alternative spellings of the roots. */
export type Settings = z.output<typeof settingsSchema>;

/** The whole file, as an editor sees it. */
export const fileSchema = z.strictObject({ mcp: settingsSchema.prefault({}) });
