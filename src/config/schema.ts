/**
 * Every key of the `[mcp]` table: type, range, default and meaning. The one definition of the configuration.
 *
 * `schemas/llmc.schema.json`, `llmc.toml` and `docs/config.md` are generated from it (scripts/generate_config_docs.ts).
 * The program checks a file against the generated JSON Schema, and takes only types from here: building zod objects at
 * every start would cost more than everything else that reading the configuration does.
 * @module
 */
import * as z from "zod";
import {
  address,
  count,
  documentPath,
  effectOrTool,
  flag,
  headerName,
  label,
  list,
  optionalLabel,
  optionalPath,
  optionalUrl,
  path,
  program,
  tokenCount,
  urlPath,
  variableName,
  webOrigin,
} from "./value_kinds.ts";

const MIB = 1024 * 1024;

const server = z.strictObject({
  host: address.default("127.0.0.1").describe("Address or host name to listen on."),
  port: count(8080, 0, 65535).describe("TCP port to listen on; 0 takes any free one."),
  tls_enabled: flag(false).describe("Serve HTTPS with tls_cert_file and tls_key_file."),
  tls_cert_file: optionalPath.default("").describe("PEM file with the certificate chain."),
  tls_key_file: optionalPath.default("").describe("PEM file with the private key."),
  allowed_hosts: list(address)
    .describe("Names accepted in the Host header besides the loopback names and 'host' itself."),
  allowed_origins: list(webOrigin).describe("Origins accepted besides the server's own; others get 403."),
  ui_enabled: flag(true).describe("Serve the operator's page at /ui."),
  ui_session_sec: count(43_200, 5, 2_592_000).describe("Seconds that a login at /ui lasts, used or not."),
});

const auth = z.strictObject({
  mode: z.enum(["token", "none"]).default("token")
    .describe("How callers prove themselves over HTTP; 'none' is refused on a host that is not loopback."),
  header: headerName.default("X-LLMC-Token")
    .describe("Request header that carries the token; 'Authorization: Bearer' is accepted as well."),
  token_env: variableName.default("LLMC_MCP_TOKEN").describe("Name of the environment variable that holds the token."),
  token_file: optionalPath.default("")
    .describe("File that holds the token, readable by its owner only (mode 0600); it goes before token_env."),
  allow_unauthenticated: flag(false)
    .describe("Serve callers without a token too, on a loopback host only; false leaves just /health open."),
});

const tools = z.strictObject({
  toolsets: z.array(z.enum(["fs", "search", "run", "proc", "sys", "rag", "stats", "logs", "mvp", "te", "ufo"]))
    .default(["fs", "search", "run", "proc", "sys", "rag", "stats"])
    .describe("Groups of tools that are listed to clients."),
  name_style: z.enum(["underscore", "dotted"]).default("underscore")
    .describe("How names are listed: linux_fs_read or linux.fs_read; both can always be called."),
  result_format: z.enum(["lean", "json"]).default("lean")
    .describe("What a model gets: lean text, or the full structured result of every tool."),
  result_tokens: count(8000, 200, 200_000)
    .describe("Tokens of one result that are answered at once; the rest goes behind a handle."),
  enable_run_cmd: flag(true).describe("Offer the tools that start programs."),
  allowed_roots: list(path).describe("Folders that tools and the programs they start may touch."),
  enforce_roots: flag(true).describe("Keep everything inside allowed_roots; false opens the whole machine."),
  client_roots: z.enum(["narrow", "ignore"]).default("narrow").describe(
    "What the roots of an MCP client do for its session: narrow the allowed roots to what both hold, or nothing.",
  ),
  allow_outbound_network: flag(true).describe("Let started programs use the network."),
  run_cmd_allowlist: list(
    program,
    // deno-fmt-ignore
    ["bash", "sh", "rg", "grep", "cat", "ls", "head", "tail", "wc", "sort", "uniq", "cut", "find", "stat", "file", "du", "df", "ps",
      "git", "python3", "node", "pytest", "make", "diff", "patch", "sed", "awk", "tar", "echo", "date", "uname", "env"],
  ).describe("Programs that may be started, by name; those that are not installed are left out."),
  exec_timeout: count(30, 1, 3600).describe("Seconds a command may run when the call gives no timeout."),
  read_timeout: count(10, 1, 600).describe("Seconds a tool that reads or searches may take."),
  idle_timeout: count(60, 1, 3600)
    .describe("Seconds a request or a stream may stand still before its connection is closed."),
  confinement: z.enum(["required", "best_effort", "off"]).default("required")
    .describe("When the kernel cannot confine a program: refuse it, run it and say so, or never confine any."),
  allowlist_scope: z.enum(["command", "tree"]).default("command")
    .describe("What the allowlist binds: the started command, or (tree) every program that it starts in turn as well."),
  backups: z.enum(["data", "beside"]).default("data")
    .describe("Where a changed file's old text is kept: in the data directory, or beside the file as *.bak."),
});

const linuxOps = z.strictObject({
  roots: z.strictObject({
    allowed_roots: z.array(path).optional().describe("Another spelling of mcp.tools.allowed_roots."),
    enforce_roots: z.boolean().optional().describe("Another spelling of mcp.tools.enforce_roots."),
  }).prefault({}).describe("The roots again, under their older names; giving both differently is an error."),
  commands: z.strictObject({
    allowed_binaries: list(program).describe("Programs allowed in addition to mcp.tools.run_cmd_allowlist."),
    unsafe_binaries: list(program, ["sudo", "su", "dd", "mkfs", "shutdown", "reboot"])
      .describe("Programs that stay refused even when a list allows them."),
    allow_unsafe: flag(false).describe("Let unsafe_binaries run when a list allows them."),
  }).prefault({}).describe("Programs that may be started, continued."),
  process_limits: z.strictObject({
    max_procs_per_session: count(4, 1, 256).describe("Long-lived processes of one session at a time."),
    max_procs_total: count(32, 1, 4096).describe("Long-lived processes of all sessions together."),
    default_timeout_sec: count(60, 1, 86_400).describe(
      "Seconds that linux_proc_read waits for a pattern or an end when the call does not say; at most 45.",
    ),
    max_timeout_sec: count(600, 1, 86_400).describe("Most seconds that a call may ask for."),
    idle_ttl_sec: count(3600, 10, 604_800)
      .describe("Seconds after which a long-lived process that nobody used is stopped."),
    allow_kill_other_users: flag(false).describe("List and signal processes of other users too."),
  }).prefault({}).describe("Bounds of long-lived processes, and of signals."),
  features: z.strictObject({
    fs_enabled: flag(true).describe("Offer the file and search tools."),
    proc_enabled: flag(true).describe("Offer the tools that list and signal processes."),
    repl_enabled: flag(true).describe("Offer long-lived processes: shells, interpreters, servers."),
    system_enabled: flag(true).describe("Offer the tools that describe the machine."),
    logs_enabled: flag(false).describe("Offer linux_sys_logs; off because logs are sensitive."),
  }).prefault({}).describe("Families of tools; what is off is refused, not merely unlisted."),
});

const rag = z.strictObject({
  jit_context_enabled: flag(true).describe("Add matching code to the answer of POST /invoke_agent."),
  roots: list(path).describe(
    "Folders to index, inside the allowed roots; empty: those that are git work trees, or else all but a home directory.",
  ),
  default_scope: z.enum(["repo", "docs", "both"]).default("repo").describe(
    "What is searched when the call does not say.",
  ),
  top_k: count(3, 1, 50).describe("Snippets in an answer when the call does not say."),
  token_budget: count(600, 50, 20_000).describe("Tokens of an answer when the call does not say."),
  max_file_bytes: count(MIB, 1024, 64 * MIB).describe("Bytes above which a file is not indexed."),
  embeddings_url: optionalUrl.default("")
    .describe("Base URL of an OpenAI-shaped embeddings service that re-ranks hits; empty: none."),
  embeddings_model: optionalLabel.default("").describe("Model that the embeddings service is asked for."),
});

const te = z.strictObject({
  enabled: flag(true).describe(
    "Enrich command output: rank, group, fold; false runs commands directly and shows them plain.",
  ),
  script_path: optionalPath.default("").describe("An external te program; empty: the built-in one."),
  json_mode: flag(true).describe("Ask the external te for JSON."),
  timeout: count(30, 1, 3600).describe("Seconds an enriched command may run."),
  passthrough_on_failure: flag(true).describe("Run the plain command when the external te fails."),
  budgets: z.object({ default: tokenCount }).catchall(tokenCount)
    .default({ "default": 16_000, "claude-desktop-mcp": 45_000 })
    .describe("Tokens that a session may spend before its results shrink, by agent; 'default' is for the others."),
});

const observability = z.strictObject({
  enabled: flag(true).describe("Record calls at all: log lines, metrics, call records."),
  metrics_enabled: flag(true).describe("Count calls, latencies and errors."),
  metrics_prometheus_enabled: flag(true).describe("Serve the metrics as Prometheus text at metrics_path."),
  metrics_path: urlPath.default("/metrics").describe("Path of the metrics."),
  metrics_public: flag(false).describe("Serve the metrics without a token."),
  csv_token_audit_enabled: flag(false).describe("Append a line to csv_path for each call."),
  csv_path: label.default("./artifacts/token_audit.csv").describe(
    "File of the token audit, inside the data directory.",
  ),
  log_format: z.enum(["json", "text"]).default("json").describe("Form of the log on standard error."),
  log_level: z.enum(["debug", "info", "warn", "error"]).default("info").describe("Least severe level that is logged."),
  retention_days: count(0, 0, 36_500).describe("Days that call records are kept; 0 keeps them for good."),
  include_correlation_id: flag(true).describe("Put the correlation id into log lines."),
});

/** The `[mcp]` table. */
export const settingsSchema = z.strictObject({
  enabled: flag(true).describe("Run at all; false makes every start refuse."),
  config_version: z.enum(["v0"]).default("v0").describe("Version of this file's layout."),
  data_dir: optionalPath.default("")
    .describe("Folder for the database, stored results and indexes; empty: $XDG_STATE_HOME/llmc-mcp."),
  read_only: flag(false).describe("Refuse every tool that writes, destroys or executes."),
  server: server.prefault({}).describe("The HTTP face."),
  auth: auth.prefault({}).describe("Who may call over HTTP; secrets are named here, never stored."),
  tools: tools.prefault({}).describe("What tools may do."),
  approvals: z.strictObject({
    require: list(effectOrTool)
      .describe("Effects (write, destroy, execute) or tools for which a person is asked first."),
  }).prefault({}).describe("Calls that wait for a person's consent."),
  linux_ops: linuxOps.prefault({}).describe("Programs, processes and families of tools."),
  handles: z.strictObject({
    ttl_hours: count(24, 1, 8760).describe("Hours a stored result is kept."),
    max_bytes: count(256 * MIB, MIB, 2 ** 40).describe("Bytes of all stored results together; the oldest go first."),
  }).prefault({}).describe("Results that were too large to answer at once."),
  rag: rag.prefault({}).describe("Code search."),
  session: z.strictObject({
    default_agent_id: label.default("claude-desktop-mcp").describe("Agent recorded for a client that does not say."),
    default_model: label.default("unknown").describe("Model recorded for a client that does not say."),
    budget_profile: label.default("default").describe("Budget profile recorded for a client that does not say."),
  }).prefault({}).describe("Labels of a session; they never give rights."),
  te: te.prefault({}).describe("The Tool Envelope."),
  resources: z.strictObject({
    sidecars: list(documentPath, ["DOCS/agents.core.min.md", "DOCS/contracts.env.min.md"]).describe(
      "Documents offered as MCP resources, by path from the first root; built-in ones stand in for absent ones.",
    ),
  }).prefault({}).describe("MCP resources."),
  docker: z.strictObject({
    data_volume: optionalPath.default("/app/.llmc")
      .describe("Data directory inside a container, where data_dir is empty and this folder exists."),
    persist_telemetry: flag(true).describe("Keep the records of calls when the container restarts."),
    persist_token_audit: flag(true).describe("Keep the token audit when the container restarts."),
  }).prefault({}).describe("What differs inside a container."),
  observability: observability.prefault({}).describe("Logs, metrics and records."),
  limits: z.strictObject({
    rate_limit_rps: z.number().min(0.1).max(100_000).default(10).describe(
      "Calls per second that one token may sustain.",
    ),
    rate_limit_burst: count(20, 1, 100_000).describe("Calls that one token may make at once before the rate binds."),
    concurrency_per_token: count(8, 1, 1024).describe("Calls of one token that run at the same time."),
    max_request_bytes: count(MIB / 4, 1024, 64 * MIB).describe("Bytes of a request body; more gets 413."),
    max_header_bytes: count(16 * 1024, 1024, MIB).describe("Bytes of all request headers; more gets 431."),
  }).prefault({}).describe("Limits of each caller."),
  onboarding: z.strictObject({
    downloads_dir: path.default("~/Downloads").describe("Folder that the organize_downloads flow looks at."),
    allow_apply: flag(false).describe("Let a flow move files when the call says apply; otherwise flows only plan."),
  }).prefault({}).describe("Guided flows."),
});

/** The effective settings: nested as in the file; every key is there, except the other spellings of the roots. */
export type Settings = z.output<typeof settingsSchema>;

/** The whole file, as an editor sees it. */
export const fileSchema = z.strictObject({ mcp: settingsSchema.prefault({}).describe("Configuration of llmc-mcp.") });
