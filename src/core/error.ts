/** Defines the one error type and its closed table of codes. @module */

interface ErrorKind {
  /** HTTP status when the error is the answer of a request. */
  readonly status: number;
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** What to change, when the thrower knows nothing better. */
  readonly hint: string;
}

const kind = (status: number, hint: string, retryable = false): ErrorKind => ({ status, retryable, hint });

/** Every code that a caller can meet. The first block is that of the specifications, the rest is ours. */
export const ERRORS = {
  INVALID_PATH: kind(403, "Use a path inside the allowed roots; they are set by mcp.tools.allowed_roots or --root."),
  NOT_FOUND: kind(404, "Check the spelling, or list the parent directory."),
  NOT_A_DIRECTORY: kind(422, "Give a directory in 'path'."),
  IS_DIRECTORY: kind(422, "Give a file in 'path', or set 'recursive' where the tool has it."),
  PERMISSION_DENIED: kind(403, "The operating system refuses this to the server's user."),
  SHA_MISMATCH: kind(409, "The file changed: read it again and repeat the change with its new hash."),
  WRITE_FAILED: kind(500, "Nothing was changed; check free space and that the file system is writable."),
  OUTPUT_TOO_LARGE: kind(413, "Ask for less: narrow the range or the pattern."),
  PATCH_COUNT_MISMATCH: kind(409, "Make 'old_text' match exactly as often as 'expected_replacements' says."),
  COMMAND_NOT_ALLOWED: kind(403, "Use an allowed program; they are set by mcp.tools.run_cmd_allowlist."),
  PROCESS_NOT_FOUND: kind(404, "List the processes again; this one has ended."),
  PROC_LIMIT_EXCEEDED: kind(429, "Stop a process with linux_proc_stop first.", true),
  KILL_FORBIDDEN: kind(403, "This process is protected: pid 1, and the server's own."),
  INVALID_ARGUMENT: kind(422, "Correct the argument that the message names."),
  FEATURE_DISABLED: kind(403, "The operator switched this off in llmc.toml."),
  TIMEOUT: kind(504, "Ask for less at once; where the tool has 'timeout', give a longer one.", true),
  STATS_BACKEND_UNAVAILABLE: kind(503, "The call records cannot be read; see the server's log.", true),
  UNKNOWN_FLOW: kind(404, "Use one of the flows that the message names."),
  AUTH_FAILED: kind(401, "Send the token in the X-LLMC-Token header or as a bearer token."),
  FORBIDDEN: kind(403, "This Host or Origin is not accepted; see mcp.server.allowed_hosts and allowed_origins."),
  BAD_ARGS: kind(422, "Correct the field that the message names."),
  TOO_LARGE: kind(413, "Send a smaller request; the bound is mcp.limits.max_request_bytes."),
  RATE_LIMITED: kind(429, "Wait as long as Retry-After says.", true),
  INTERNAL: kind(500, "This is a fault of the server; its log has the details under the correlation id."),
  SANDBOX_UNAVAILABLE: kind(503, "Run llmc-mcp doctor: it names the package or setting that is missing."),
  HANDLE_NOT_FOUND: kind(
    404,
    "The handle expired or belongs to another token, user or roots: repeat the call that made it.",
  ),
  DIFF_REJECTED: kind(409, "Nothing was changed; read the named lines again and send a diff that fits them."),
  INDEX_UNAVAILABLE: kind(503, "The search index cannot be used now; linux_search_content works without it.", true),
  APPROVAL_REQUIRED: kind(
    403,
    "Ask the person for the code on the server's terminal or its page /ui, then repeat this call with confirm: CODE.",
    true,
  ),
  APPROVAL_DECLINED: kind(403, "The person declined this call; do not repeat it unless they ask for it."),
} as const satisfies Record<string, ErrorKind>;

/** A code of {@link ERRORS}. */
export type ErrorCode = keyof typeof ERRORS;

/** What a caller is told of an error, over every face. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly correlation_id: string;
}

/** An error that the caller can act upon. Everything else that is thrown becomes INTERNAL in the envelope. */
export class OpsError extends Error {
  override readonly name = "OpsError";
  /** What the caller should change. */
  readonly hint: string;

  constructor(readonly code: ErrorCode, message: string, hint?: string) {
    super(message);
    this.hint = hint ?? ERRORS[code].hint;
  }

  /** HTTP status that belongs to the code. */
  get status(): number {
    return ERRORS[this.code].status;
  }

  /** The wire form. */
  body(correlationId: string): ErrorBody {
    return { code: this.code, message: this.message, hint: this.hint, correlation_id: correlationId };
  }
}
