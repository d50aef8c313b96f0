/** Lets a configuration file that was merely found narrow the operator's configuration, and nothing else. @module */
import { isInsideAny } from "../core/path.ts";
import type { Machine } from "./machine.ts";
import { expandSets } from "./program_sets.ts";
import type { Settings } from "./schema.ts";

/**
 * Which values of a key are narrower than the operator's: `free` means that no value opens anything, `operator` that only the
 * operator's own will do. A list names the values from the widest to the narrowest.
 */
type Direction =
  | "free"
  | "operator"
  | "true"
  | "false"
  | "lower"
  | "fewer"
  | "more"
  | "roots"
  | readonly string[];

/** Dotted names of all keys below a table. */
type KeysOf<Table, Prefix extends string> = Table extends readonly unknown[] | string | number | boolean ? Prefix
  : string extends keyof Table ? Prefix // free names
  : { [Name in keyof Table & string]-?: KeysOf<NonNullable<Table[Name]>, `${Prefix}.${Name}`> }[keyof Table & string];

/** Every key of the configuration: the type makes sure that none is missing here. */
const DIRECTIONS: Readonly<Record<KeysOf<Settings, "mcp">, Direction>> = {
  "mcp.enabled": "false",
  "mcp.config_version": "free",
  "mcp.data_dir": "operator",
  "mcp.read_only": "true",
  "mcp.server.host": "operator",
  "mcp.server.port": "operator",
  "mcp.server.tls_enabled": "operator",
  "mcp.server.tls_cert_file": "operator",
  "mcp.server.tls_key_file": "operator",
  "mcp.server.allowed_hosts": "fewer",
  "mcp.server.allowed_origins": "fewer",
  "mcp.server.ui_enabled": "false",
  "mcp.server.ui_session_sec": "lower",
  "mcp.auth.mode": ["none", "token"],
  "mcp.auth.header": "operator",
  "mcp.auth.token_env": "operator",
  "mcp.auth.token_file": "operator",
  "mcp.auth.allow_unauthenticated": "false",
  "mcp.tools.toolsets": "fewer",
  "mcp.tools.list": "free",
  "mcp.tools.name_style": "free",
  "mcp.tools.result_format": "free",
  "mcp.tools.result_tokens": "free",
  "mcp.tools.result_links": "free",
  "mcp.tools.enable_run_cmd": "false",
  "mcp.tools.enable_script": "false",
  "mcp.tools.allowed_roots": "roots",
  "mcp.tools.enforce_roots": "true",
  "mcp.tools.client_roots": ["ignore", "narrow"],
  "mcp.tools.network": ["on", "list", "off"],
  "mcp.tools.network_allow": "fewer",
  "mcp.tools.allow_outbound_network": "false",
  "mcp.tools.allow_host_sockets": "false",
  "mcp.tools.guarded_paths": "more",
  "mcp.tools.unguarded_paths": "fewer",
  "mcp.tools.allow_user_namespaces": "false",
  "mcp.tools.run_cmd_allowlist": "fewer",
  "mcp.tools.shell_env": ["login", "inherit", "fixed"],
  "mcp.tools.pass_env": "fewer",
  "mcp.tools.home_max_bytes": "lower",
  "mcp.tools.home_max_age_days": "lower",
  "mcp.tools.exec_timeout": "lower",
  "mcp.tools.read_timeout": "lower",
  "mcp.tools.idle_timeout": "lower",
  "mcp.tools.confinement": ["off", "best_effort", "required"],
  "mcp.tools.allowlist_scope": ["command", "tree"],
  "mcp.tools.backups": "free",
  "mcp.approvals.require": "more",
  "mcp.secrets.mode": ["off", "mask"],
  "mcp.secrets.allow": "fewer",
  "mcp.linux_ops.roots.allowed_roots": "roots",
  "mcp.linux_ops.roots.enforce_roots": "true",
  "mcp.linux_ops.commands.allowed_binaries": "fewer",
  "mcp.linux_ops.commands.unsafe_binaries": "more",
  "mcp.linux_ops.commands.allow_unsafe": "false",
  "mcp.linux_ops.process_limits.max_procs_per_session": "lower",
  "mcp.linux_ops.process_limits.max_procs_total": "lower",
  "mcp.linux_ops.process_limits.default_timeout_sec": "lower",
  "mcp.linux_ops.process_limits.max_timeout_sec": "lower",
  "mcp.linux_ops.process_limits.idle_ttl_sec": "lower",
  "mcp.linux_ops.process_limits.killable": "fewer",
  "mcp.linux_ops.process_limits.allow_kill_other_users": "false",
  "mcp.linux_ops.program_limits.memory_mb": "lower",
  "mcp.linux_ops.program_limits.processes": "lower",
  "mcp.linux_ops.program_limits.cpu_sec": "lower",
  "mcp.linux_ops.program_limits.disk_mb": "lower",
  "mcp.linux_ops.features.fs_enabled": "false",
  "mcp.linux_ops.features.proc_enabled": "false",
  "mcp.linux_ops.features.repl_enabled": "false",
  "mcp.linux_ops.features.system_enabled": "false",
  "mcp.linux_ops.features.logs_enabled": "false",
  "mcp.handles.ttl_hours": "lower",
  "mcp.handles.max_bytes": "lower",
  "mcp.undo.enabled": "operator",
  "mcp.undo.children": "operator",
  "mcp.undo.max_bytes": "operator",
  "mcp.undo.max_age": "operator",
  "mcp.undo.max_file_bytes": "operator",
  "mcp.rag.jit_context_enabled": "false",
  "mcp.rag.roots": "free",
  "mcp.rag.default_scope": "free",
  "mcp.rag.top_k": "free",
  "mcp.rag.token_budget": "free",
  "mcp.rag.max_file_bytes": "lower",
  "mcp.rag.embeddings_url": "operator",
  "mcp.rag.embeddings_model": "operator",
  "mcp.session.default_agent_id": "free",
  "mcp.session.default_model": "free",
  "mcp.session.budget_profile": "free",
  "mcp.te.enabled": "free",
  "mcp.te.script_path": "operator",
  "mcp.te.json_mode": "free",
  "mcp.te.timeout": "lower",
  "mcp.te.passthrough_on_failure": "free",
  "mcp.te.budgets": "operator",
  "mcp.resources.sidecars": "free",
  "mcp.docker.data_volume": "operator",
  "mcp.docker.persist_telemetry": "operator",
  "mcp.docker.persist_token_audit": "operator",
  "mcp.observability.enabled": "true",
  "mcp.observability.metrics_enabled": "free",
  "mcp.observability.metrics_prometheus_enabled": "false",
  "mcp.observability.metrics_path": "operator",
  "mcp.observability.metrics_public": "false",
  "mcp.observability.csv_token_audit_enabled": "free",
  "mcp.observability.csv_path": "operator",
  "mcp.observability.log_format": "free",
  "mcp.observability.log_level": "operator",
  "mcp.observability.retention_days": "operator",
  "mcp.observability.include_correlation_id": "free",
  "mcp.limits.rate_limit_rps": "lower",
  "mcp.limits.rate_limit_burst": "lower",
  "mcp.limits.concurrency_per_token": "lower",
  "mcp.limits.max_streams": "lower",
  "mcp.limits.max_queued": "lower",
  "mcp.limits.max_sessions": "lower",
  "mcp.limits.max_request_bytes": "lower",
  "mcp.limits.max_header_bytes": "lower",
  "mcp.onboarding.downloads_dir": "operator",
  "mcp.onboarding.allow_apply": "false",
};

const BY_NAME: ReadonlyMap<string, Direction> = new Map(Object.entries(DIRECTIONS));

/** What narrowing depends on besides the values. */
export interface FoundAt {
  /** Folder of the file that was found. */
  readonly folder: string;
  readonly machine: Pick<Machine, "realPath">;
  /** Whether the operator set roots; where not, the folder itself is the widest. */
  readonly rootsAreSet: boolean;
}

/** Whether a value that was found opens nothing that the operator's value keeps closed. */
export function isNarrower(key: string, found: unknown, operators: unknown, at: FoundAt): boolean {
  if (same(found, operators)) return true;
  const direction = BY_NAME.get(key) ?? "operator";
  switch (direction) {
    case "free":
      return true;
    case "operator":
      return false;
    case "true":
      return found === true;
    case "false":
      return found === false;
    case "lower":
      return typeof found === "number" && typeof operators === "number" && found <= operators;
    case "fewer":
      return isSubset(found, operators);
    case "more":
      return isSubset(operators, found);
    case "roots":
      return rootsAreWithin(found, operators, at);
    default:
      return direction.indexOf(String(found)) >= direction.indexOf(String(operators));
  }
}

function isSubset(part: unknown, whole: unknown): boolean {
  const all = membersOf(whole);
  return membersOf(part).every((item) => all.includes(item));
}

/** The texts of a list, named sets of programs taken apart. */
function membersOf(list: unknown): string[] {
  return Array.isArray(list) ? expandSets(list.map(String)) : [];
}

/** By real paths: a link in the folder could lead anywhere. */
function rootsAreWithin(found: unknown, operators: unknown, { folder, machine, rootsAreSet }: FoundAt): boolean {
  const real = (path: unknown) => typeof path === "string" ? machine.realPath(path) : undefined;
  const limits: unknown[] = rootsAreSet && Array.isArray(operators) ? operators : [folder];
  const widest = limits.map(real).filter((path) => path !== undefined);
  return Array.isArray(found) && found.every((root) => {
    const path = real(root);
    // One that does not exist is refused as such, with its name.
    return path === undefined || isInsideAny(path, widest);
  });
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
