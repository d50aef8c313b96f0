/**
 * Every key of the `[mcp]` table: type, range, default and meaning. The one definition of the configuration.
 *
 * `schemas/llmc.schema.json`, `llmc.toml` and `docs/config.md` are generated from it (scripts/generate_config_docs.ts).
 * The program checks a file against the generated JSON Schema, and takes only types from here: building zod objects at
 * every start would cost more than everything else that reading the configuration does.
 * @module
 */
import * as z from "zod";
import { linuxOpsTable, toolsTable } from "./tools_schema.ts";
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
    .describe("Additional names accepted in the Host header; loopback names and 'host' always are."),
  allowed_origins: list(webOrigin).describe("Additional origins allowed to send requests; others get 403."),
  ui_enabled: flag(true).describe("Serve the operator's page at /ui."),
  ui_session_sec: count(43_200, 5, 2_592_000).describe("Lifetime of a login at /ui, in seconds."),
});

const auth = z.strictObject({
  mode: z.enum(["token", "none"]).default("token")
    .describe("Authentication over HTTP; 'none' is allowed on a loopback host only."),
  header: headerName.default("X-LLMC-Token")
    .describe("Request header that carries the token; 'Authorization: Bearer' is accepted as well."),
  token_env: variableName.default("LLMC_MCP_TOKEN").describe("Name of the environment variable that holds the token."),
  token_file: optionalPath.default("")
    .describe("File that holds the token, readable by its owner only (mode 0600); takes precedence over token_env."),
  allow_unauthenticated: flag(false)
    .describe("Also serve callers without a token, on a loopback host only; if false, only /health is open."),
});

const rag = z.strictObject({
  jit_context_enabled: flag(true).describe("Add matching code to the response of POST /invoke_agent."),
  roots: list(path).describe(
    "Folders to index, inside the allowed roots; empty: roots that are git work trees, otherwise all roots except a home directory.",
  ),
  default_scope: z.enum(["repo", "docs", "both"]).default("repo").describe(
    "Default scope of a search.",
  ),
  top_k: count(0, 0, 50).describe(
    "Maximum number of snippets in an answer, and the number when a call names none; 0: 3, and as many as a call asks for.",
  ),
  token_budget: count(0, 0, 20_000).describe(
    "Maximum tokens of an answer, and the number when a call names none; 0: 600, and as many as a call asks for.",
  ),
  max_file_bytes: count(MIB, 1024, 64 * MIB).describe("Maximum size of an indexed file, in bytes."),
  embeddings_url: optionalUrl.default("")
    .describe("Base URL of an OpenAI-compatible embeddings service that re-ranks hits; empty: none."),
  embeddings_model: optionalLabel.default("").describe("Model name sent to the embeddings service."),
});

const te = z.strictObject({
  enabled: flag(true).describe(
    "Condense command output: rank, group, fold; false shows it unchanged.",
  ),
  script_path: optionalPath.default("").describe("External te program; empty: built in."),
  json_mode: flag(true).describe("Ask the external te for JSON."),
  timeout: count(30, 1, 3600).describe("Timeout of a te command, in seconds."),
  passthrough_on_failure: flag(true).describe("Run the plain command if the external te fails."),
  budgets: z.object({ default: tokenCount }).catchall(tokenCount)
    .default({ "default": 16_000, "claude-desktop-mcp": 45_000, "claude-ai": 45_000 })
    .describe("Token budget of a session before its results shrink, by agent; 'default' applies to all others."),
});

const observability = z.strictObject({
  enabled: flag(true).describe("Enable log lines, metrics and call records."),
  metrics_enabled: flag(true).describe("Count calls, latencies and errors."),
  metrics_prometheus_enabled: flag(true).describe("Serve the metrics as Prometheus text at metrics_path."),
  metrics_path: urlPath.default("/metrics").describe("Path of the metrics."),
  metrics_public: flag(false).describe("Serve the metrics without a token."),
  csv_token_audit_enabled: flag(false).describe("Append one line per call to csv_path."),
  csv_path: label.default("./artifacts/token_audit.csv").describe(
    "File of the token audit, inside the data directory.",
  ),
  log_format: z.enum(["json", "text"]).default("json").describe("Format of the log on standard error."),
  log_level: z.enum(["debug", "info", "warn", "error"]).default("info").describe("Minimum severity that is logged."),
  retention_days: count(0, 0, 36_500).describe("Days to keep call records; 0 keeps them forever."),
  include_correlation_id: flag(true).describe("Include the correlation id in log lines."),
});

/** The `[mcp]` table. */
export const settingsSchema = z.strictObject({
  enabled: flag(true).describe("Set false to disable the server."),
  config_version: z.enum(["v0"]).default("v0").describe("Version of the configuration format."),
  data_dir: optionalPath.default("")
    .describe("Folder for the database, stored results and indexes; empty: $XDG_STATE_HOME/llmc-mcp."),
  read_only: flag(false).describe("Refuse every tool that writes, destroys or executes."),
  server: server.prefault({}).describe("HTTP server."),
  auth: auth.prefault({}).describe("Authentication over HTTP; secrets are referenced here, never stored."),
  tools: toolsTable.prefault({}).describe("Tools and their permissions."),
  approvals: z.strictObject({
    require: list(effectOrTool)
      .describe(
        "Tools that need a person's approval, by name or by effect: write, destroy, execute, each with those after it.",
      ),
  }).prefault({}).describe("Calls that need a person's approval."),
  secrets: z.strictObject({
    mode: z.enum(["mask", "off"]).default("mask").describe(
      "Replace secrets in everything that is shown or kept by placeholders, which become the secrets again in files; or show them.",
    ),
    allow: list(path).describe("Files and folders whose secrets are shown, such as examples in tests."),
  }).prefault({}).describe("Secrets in files and in the output of programs."),
  linux_ops: linuxOpsTable.prefault({}).describe("Programs, processes and families of tools."),
  handles: z.strictObject({
    ttl_hours: count(24, 1, 8760).describe("Hours to keep a stored result."),
    max_bytes: count(256 * MIB, MIB, 2 ** 40).describe(
      "Maximum total size of stored results, in bytes; the oldest are removed first.",
    ),
  }).prefault({}).describe("Stored results that were too large for one answer."),
  undo: z.strictObject({
    enabled: flag(true).describe("Keep what tools change, so that linux_fs_undo can restore it."),
    children: flag(true).describe("Keep what programs change as well; they wait for the copy of a file."),
    max_bytes: count(512 * MIB, MIB, 2 ** 40).describe(
      "Maximum total size of earlier contents, compressed, in bytes; the oldest operations are removed first.",
    ),
    max_age: count(14, 1, 3650).describe("Days to keep an operation."),
    max_file_bytes: count(32 * MIB, 1024, 2 ** 30).describe(
      "Maximum size of a file whose content is kept, in bytes; a larger one is changed without.",
    ),
  }).prefault({}).describe("Undo of changes to files."),
  rag: rag.prefault({}).describe("Code search."),
  session: z.strictObject({
    default_agent_id: label.default("claude-desktop-mcp").describe(
      "Agent recorded for a client that does not identify itself.",
    ),
    default_model: label.default("unknown").describe("Model recorded for a client that does not name one."),
    budget_profile: label.default("default").describe("Budget profile recorded for a client that does not name one."),
  }).prefault({}).describe("Labels of a session; they carry no authority."),
  te: te.prefault({}).describe("The Tool Envelope."),
  resources: z.strictObject({
    sidecars: list(documentPath, ["DOCS/agents.core.min.md", "DOCS/contracts.env.min.md"]).describe(
      "Documents offered as MCP resources, by path relative to the first root; missing ones are replaced by built-in ones.",
    ),
  }).prefault({}).describe("MCP resources."),
  docker: z.strictObject({
    data_volume: optionalPath.default("/app/.llmc")
      .describe("Data directory inside a container, if data_dir is empty and this folder exists."),
    persist_telemetry: flag(true).describe("Keep call records across container restarts."),
    persist_token_audit: flag(true).describe("Keep the token audit across container restarts."),
  }).prefault({}).describe("Container settings."),
  observability: observability.prefault({}).describe("Logs, metrics and records."),
  limits: z.strictObject({
    rate_limit_rps: z.number().min(0.1).max(100_000).default(10).describe(
      "Sustained calls per second per token.",
    ),
    rate_limit_burst: count(20, 1, 100_000).describe("Burst of calls per token before the rate limit applies."),
    concurrency_per_token: count(8, 1, 1024).describe("Maximum concurrent calls per token."),
    max_streams: count(512, 1, 10_000).describe("Event streams of one token that are open at once; one more gets 429."),
    max_queued: count(256, 0, 10_000).describe(
      "Requests per token that wait for the rate, and calls that wait for a free place; one more gets 429 at once.",
    ),
    max_sessions: count(2000, 1, 100_000).describe(
      "Open MCP sessions; one more ends the session that was idle longest, or gets 429 if all are in use.",
    ),
    max_request_bytes: count(MIB / 4, 1024, 64 * MIB).describe(
      "Maximum size of a request body, in bytes; larger ones get 413.",
    ),
    max_header_bytes: count(16 * 1024, 1024, MIB).describe(
      "Maximum total size of request headers, in bytes; larger ones get 431.",
    ),
  }).prefault({}).describe("Limits per token."),
  onboarding: z.strictObject({
    downloads_dir: path.default("~/Downloads").describe("Folder that the organize_downloads flow works on."),
    allow_apply: flag(false).describe("Allow a flow to move files if the call says apply; otherwise flows only plan."),
  }).prefault({}).describe("Guided flows."),
});

/** The effective settings: nested as in the file; every key is there, except the other spellings of the roots. */
export type Settings = z.output<typeof settingsSchema>;

/** The whole file, as an editor sees it. */
export const zodFileSchema = z.strictObject({
  mcp: settingsSchema.prefault({}).describe("Configuration of llmc-mcp."),
});
