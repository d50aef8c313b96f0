/** The errors of each tool beside the common ones, for the documents and for a test. @module */
import type { ErrorCode } from "../src/core/error.ts";

const PATH: readonly ErrorCode[] = ["INVALID_PATH", "NOT_FOUND", "PERMISSION_DENIED"];
const PROGRAM: readonly ErrorCode[] = ["COMMAND_NOT_ALLOWED", "INVALID_PATH", "NOT_A_DIRECTORY", "SANDBOX_UNAVAILABLE"];
const CHANGE: readonly ErrorCode[] = [...PATH, "IS_DIRECTORY", "SHA_MISMATCH", "OUTPUT_TOO_LARGE", "WRITE_FAILED"];

/** By the tool's name; tools that are not named have the common ones only. */
export const TOOL_ERRORS: Readonly<Record<string, readonly ErrorCode[]>> = {
  linux_fs_read: [...PATH, "IS_DIRECTORY"],
  linux_fs_list: [...PATH, "NOT_A_DIRECTORY"],
  rag_search: ["INDEX_UNAVAILABLE"],
  code_symbol: [...PATH, "INDEX_UNAVAILABLE"],
  code_rename: [...CHANGE, "INDEX_UNAVAILABLE"],
  code_rewrite: [...CHANGE, "INDEX_UNAVAILABLE"],
  linux_search_content: PATH,
  linux_search_files: PATH,
  linux_fs_patch_block: [...CHANGE, "PATCH_COUNT_MISMATCH"],
  linux_fs_apply_diff: [...CHANGE, "DIFF_REJECTED"],
  linux_fs_write: [...PATH, "IS_DIRECTORY", "NOT_A_DIRECTORY", "SHA_MISMATCH", "WRITE_FAILED"],
  run_cmd: PROGRAM,
  linux_handle_read: ["HANDLE_NOT_FOUND"],
  linux_fs_stat: PATH,
  linux_fs_move: [...PATH, "NOT_A_DIRECTORY", "IS_DIRECTORY", "WRITE_FAILED"],
  linux_fs_delete: [...PATH, "IS_DIRECTORY", "WRITE_FAILED"],
  linux_fs_mkdirs: [...PATH, "NOT_A_DIRECTORY", "WRITE_FAILED"],
  linux_fs_undo: [...PATH, "WRITE_FAILED"],
  linux_fs_changes: PATH,
  linux_proc_start: [...PROGRAM, "PROC_LIMIT_EXCEEDED"],
  linux_proc_send: ["PROCESS_NOT_FOUND"],
  linux_proc_read: ["PROCESS_NOT_FOUND"],
  linux_proc_stop: ["PROCESS_NOT_FOUND"],
  linux_proc_tree: ["PROCESS_NOT_FOUND"],
  linux_proc_kill: ["PROCESS_NOT_FOUND", "KILL_FORBIDDEN", "PERMISSION_DENIED"],
  linux_mcp_usage_stats: ["STATS_BACKEND_UNAVAILABLE"],
  linux_mcp_recent_calls: ["STATS_BACKEND_UNAVAILABLE"],
  linux_mcp_run_onboarding: ["UNKNOWN_FLOW", ...PATH],
  read_file: [...PATH, "IS_DIRECTORY"],
  list_dir: [...PATH, "NOT_A_DIRECTORY"],
  stat: PATH,
  te_run: PROGRAM,
  repo_read: [...PATH, "IS_DIRECTORY"],
  repo_write_patch: [...CHANGE, "DIFF_REJECTED", "PATCH_COUNT_MISMATCH"],
  run_pytest: PROGRAM,
  rag_query: ["INDEX_UNAVAILABLE"],
  EXEC_CLI: PROGRAM,
};

/** What the envelope itself answers, for any tool. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  "INVALID_ARGUMENT",
  "FEATURE_DISABLED",
  "TIMEOUT",
  "APPROVAL_REQUIRED",
  "APPROVAL_DECLINED",
  "INTERNAL",
];
