/** One working example call of every tool, shown in the documented catalogue and run by a test. @module */

/** A call, and what has to be there before it. */
export interface ToolExample {
  readonly args: Readonly<Record<string, unknown>>;
  /**
   * A call whose result gives a value: each argument written as `$field` is taken from it. Documents show the `sample`.
   */
  readonly first?: {
    readonly tool: string;
    readonly args: Readonly<Record<string, unknown>>;
    readonly field: string;
    readonly sample: string;
  };
  /** Settings without which the tool is switched off, as the command line takes them. */
  readonly needs?: string;
}

/** Files of the root in which the examples run. */
export const EXAMPLE_FILES: Readonly<Record<string, string>> = {
  "README.md": "# Demo\n\nA small project for the examples.\n",
  "AGENTS.md": "# Agents\n\nRun the tests with pytest.\n",
  "src/money.py": 'def format_money(cents):\n    """Cents as text."""\n    return f"{cents / 100:.2f} EUR"\n',
  "src/cart.py":
    "from money import format_money\n\n\ndef total(prices):\n    # TODO: discounts\n    return format_money(sum(prices))\n",
  "notes/old.txt": "to be moved\n",
  "notes/junk.txt": "to be deleted\n",
  "long.txt": Array.from({ length: 3_000 }, (_, at) => `line ${at + 1}`).join("\n") + "\n",
};

const DIFF = `--- a/src/cart.py
+++ b/src/cart.py
@@ -4,3 +4,3 @@
 def total(prices):
-    # TODO: discounts
+    # discounts: none yet
     return format_money(sum(prices))
`;

const REPL = {
  tool: "linux_proc_start",
  args: { command: "python3 -q -i", pty: true },
  field: "proc_id",
  sample: "P_0p3kq1x9",
};

/** By the tool's name. */
export const TOOL_EXAMPLES: Readonly<Record<string, ToolExample>> = {
  linux_fs_read: { args: { path: "long.txt", offset_lines: -20 } },
  linux_fs_list: { args: { path: ".", depth: 2 } },
  rag_search: { args: { q: "how is an amount of money shown", k: 3 } },
  code_symbol: { args: { symbol: "format_money" } },
  code_rewrite: {
    args: { pattern: "format_money($X)", replacement: "show_money($X)", language: "python", dry_run: true },
  },
  code_rename: { args: { symbol: "format_money", new_name: "show_money", dry_run: true } },
  linux_search_content: { args: { pattern: "def \\w+", file_glob: "*.py" } },
  linux_search_files: { args: { pattern: "cart" } },
  linux_fs_patch_block: {
    args: { path: "src/money.py", old_text: ":.2f} EUR", new_text: ":.2f} €" },
  },
  linux_fs_apply_diff: { args: { diff_text: DIFF, dry_run: true } },
  linux_fs_write: { args: { path: "notes/new.txt", content: "a line\n", mode: "create" } },
  run_cmd: { args: { command: "grep -rn TODO src | sort", timeout: 10 } },
  linux_handle_read: {
    args: { handle: "$handle", offset: 2_000, limit: 100 },
    first: {
      tool: "linux_fs_read",
      args: { path: "long.txt" },
      field: "handle",
      sample: "H_file_mi8f2k_4c1d9e7a0b3f5c2d8e6a9b1c",
    },
  },
  linux_fs_stat: { args: { path: "src/money.py" } },
  linux_fs_move: { args: { source: "notes/old.txt", target: "notes/older.txt" } },
  linux_fs_delete: { args: { path: "notes/junk.txt" } },
  linux_fs_mkdirs: { args: { path: "build/reports" } },
  linux_fs_undo: { args: { since: "2h", dry_run: true } },
  linux_fs_changes: { args: { path: "notes" } },
  linux_proc_start: { args: { command: "python3 -q -i", pty: true } },
  linux_proc_send: { args: { proc_id: "$proc_id", input: "6 * 7", wait_for: "42" }, first: REPL },
  linux_proc_read: { args: { proc_id: "$proc_id", timeout_ms: 500 }, first: REPL },
  linux_proc_stop: { args: { proc_id: "$proc_id" }, first: REPL },
  linux_proc_list: { args: { sort: "mem", max_results: 10 } },
  linux_proc_tree: { args: { max_depth: 2 } },
  linux_proc_kill: {
    args: { pid: "$pid", signal: "TERM" },
    first: { tool: "linux_proc_start", args: { argv: ["tail", "-f", "long.txt"] }, field: "pid", sample: "4711" },
  },
  rag_bootload: { args: { session_id: "s1", task_id: "t1" } },
  linux_sys_snapshot: { args: {} },
  linux_sys_info: { args: { info_type: "memory" } },
  linux_sys_services: { args: { state: "failed" } },
  linux_sys_logs: { args: { since: "1h", priority: "err" }, needs: "mcp.linux_ops.features.logs_enabled=true" },
  linux_mcp_usage_stats: { args: { window_seconds: 3_600 } },
  linux_mcp_recent_calls: { args: { max_results: 5 } },
  linux_mcp_run_onboarding: { args: { flow_name: "explain_repo" } },
  health: { args: {} },
  read_file: { args: { path: "README.md" } },
  list_dir: { args: { path: "src" } },
  stat: { args: { path: "README.md" } },
  get_metrics: { args: {} },
  script: { args: { code: 'print(fs.list("src").entries.map(({ path }) => path).join("\n"))' } },
  te_run: { args: { command: "grep -rn format_money ." } },
  repo_read: { args: { path: "src/cart.py" } },
  repo_write_patch: { args: { diff_text: DIFF, dry_run: true } },
  run_pytest: { args: { path: "src" } },
  rag_query: { args: { query: "format_money" } },
  EXEC_CLI: { args: { command: "ls src" } },
  SYS_INFO: { args: { info_type: "os" } },
};
