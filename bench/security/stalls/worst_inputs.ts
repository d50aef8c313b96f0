/** Generates the most expensive arguments of every tool. @module */
import { HOSTILE_FILES, HOSTILE_FILES_IN_SHORT } from "./hostile_files.ts";
import { AWKS, BLOCKS, COMMANDS, DIFFS, GLOBS, long, PATHS, PATTERNS, SEDS } from "./worst_texts.ts";

/** One call. */
export interface WorstCall {
  readonly tool: string;
  /** What is bad about it. */
  readonly what: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** How many: every input for every tool that takes its kind, or each input once. */
export type Extent = "all" | "short";

const call = (tool: string, what: string, args: Record<string, unknown>): WorstCall => ({ tool, what, args });

/** For tools that take one path. */
const withPaths = (tool: string, more: Record<string, unknown> = {}, key = "path"): WorstCall[] =>
  Object.entries(PATHS).map(([what, path]) => call(tool, `path: ${what}`, { [key]: path, ...more }));

const each = <T>(table: Readonly<Record<string, T>>, make: (value: T, what: string) => WorstCall): WorstCall[] =>
  Object.entries(table).map(([what, value]) => make(value, what));

/** Tools that take a path and nothing else that costs. */
const PATH_TOOLS = [
  "linux_fs_read",
  "linux_fs_stat",
  "linux_fs_delete",
  "linux_fs_list",
  "read_file",
  "repo_read",
  "stat",
  "list_dir",
];

function fileCalls(extent: Extent): WorstCall[] {
  const files = extent === "all" ? HOSTILE_FILES : HOSTILE_FILES_IN_SHORT;
  const readers = extent === "all" ? ["linux_fs_read", "read_file", "repo_read"] : ["linux_fs_read"];
  return [
    ...PATH_TOOLS.flatMap((tool, at) => withPaths(tool).slice(0, extent === "all" || at === 0 ? undefined : 1)),
    ...withPaths("linux_fs_write", { content: "x", mode: "create" }),
    ...files.flatMap((path) => readers.map((tool) => call(tool, path, { path }))),
    ...files.map((path) => call("linux_fs_read", `end of ${path}`, { path, offset_lines: 900_000, max_lines: 2000 })),
    call("linux_fs_list", "20,000 names", { path: "listed", max_entries: 5000 }),
    call("list_dir", "20,000 names", { path: "listed", max_entries: 10_000 }),
    call("linux_fs_stat", "wrong name in a large folder", { path: PATHS["wrong name in a large folder"] }),
    ...each(GLOBS, (file_glob, what) => call("linux_fs_list", `glob: ${what}`, { path: ".", depth: 10, file_glob })),
    call("linux_fs_write", "lines", { path: "written.txt", content: long("a\n") }),
    call("linux_fs_write", "dashes", { path: "written.txt", content: long("-") }),
    call("linux_fs_write", "appends to a large file", { path: "one_line.txt", content: "x", mode: "append" }),
    call("linux_fs_write", "wrong hash", { path: "one_line.txt", content: "x", expected_sha256: "0".repeat(64) }),
    call("linux_fs_move", "long names", { source: PATHS.folders, target: PATHS.dots }),
    call("linux_fs_move", "wrong name", { source: "many/nam_88888.txt", target: "many/x" }),
    call("linux_fs_mkdirs", "deep", { path: long("d/", 4000) }),
    call("linux_fs_mkdirs", "too deep", { path: long("d/") }),
    call("linux_fs_delete", "a large folder", { path: "many_more", recursive: true }),
    call("linux_fs_changes", "lines of a large folder", { path: "many_more", diff: true }),
    call("linux_fs_undo", "plan for everything", { since: "1h", dry_run: true }),
    call("linux_fs_undo", "a large folder", { path: "many_more" }),
  ];
}

function searchCalls(): WorstCall[] {
  return [
    ...["linux_search_content", "linux_search_files"].flatMap((tool) => [
      ...each(GLOBS, (file_glob, what) => call(tool, `file_glob: ${what}`, { pattern: "x", file_glob })),
      ...withPaths(tool, { pattern: "x" }, "root"),
    ]),
    ...each(GLOBS, (pattern, what) => call("linux_search_files", `pattern: ${what}`, { pattern })),
    ...each(
      PATTERNS,
      (pattern, what) => call("linux_search_content", `pattern: ${what}`, { pattern, max_results: 1000 }),
    ),
    call("linux_search_files", "every name", { pattern: "name", max_results: 1000 }),
    call("linux_search_content", "every line", { pattern: "", max_results: 1000, context_lines: 10 }),
    call("linux_search_content", "one letter", { pattern: "e", max_results: 1000 }),
  ];
}

function editCalls(extent: Extent): WorstCall[] {
  const again = extent === "all";
  const block = (tool: string) =>
    each(BLOCKS, ([path, old_text], what) => call(tool, what, { path, old_text, new_text: "zz", dry_run: true }));
  const diff = (tool: string) => each(DIFFS, (diff_text, what) => call(tool, what, { diff_text, dry_run: true }));
  return [
    ...block("linux_fs_patch_block"),
    ...diff("linux_fs_apply_diff"),
    ...again ? [...block("repo_write_patch"), ...diff("repo_write_patch")] : diff("repo_write_patch").slice(0, 1),
  ];
}

function programCalls(extent: Extent): WorstCall[] {
  const files = extent === "all" ? HOSTILE_FILES : HOSTILE_FILES_IN_SHORT;
  const shells = (tool: string, more: Record<string, unknown> = {}) =>
    each(COMMANDS, (command, what) => call(tool, `shell: ${what}`, { command, ...more })).slice(
      0,
      extent === "all" ? undefined : 3,
    );
  const variables = Array.from({ length: 60 }, (_, at) => [`A${at}`, long("a", 2000)]);
  return [
    ...policyCalls(),
    ...["te_run", "EXEC_CLI"].flatMap((tool) => shells(tool)),
    ...shells("linux_proc_start", { wait_ms: 0 }),
    call("run_cmd", "large input", { argv: ["cat"], stdin: long("x\n") }),
    call("run_cmd", "input of a shell", { argv: ["bash"], stdin: long("$(", 200_000) }),
    call("run_cmd", "variables", { argv: ["true"], env: Object.fromEntries(variables) }),
    call("run_pytest", "arguments", { path: long("a", 100_000), args: Array(250).fill("-q"), timeout: 5 }),
    ...files.flatMap((file) =>
      ["run_cmd", "te_run"].map((tool) => call(tool, `prints ${file}`, { argv: ["cat", file] }))
    ),
    call("linux_proc_send", "no process", { proc_id: long("p"), input: "x" }),
    call("linux_proc_read", "no process", { proc_id: long("p") }),
    call("linux_proc_stop", "no process", { proc_id: long("p") }),
    call("linux_proc_kill", "no process", { pid: 2 ** 31 }),
    call("linux_proc_list", "names", { name: long("a*"), user: long("u"), max_results: 100_000, kernel: true }),
    call("linux_proc_list", "everything", { max_results: 100_000, kernel: true }),
    call("linux_proc_tree", "everything", { max_depth: 1000 }),
    call("linux_proc_tree", "user", { user: long("u") }),
  ];
}

function otherCalls(): WorstCall[] {
  const many = Array.from({ length: 20_000 }, (_, at) => [`a${at}`, 1]);
  return [
    call("rag_search", "long question", { q: long("why does the index of the parser ", 100_000) }),
    call("rag_search", "different words", { q: Array.from({ length: 20_000 }, (_, at) => `w${at}`).join(" ") }),
    call("rag_search", "one word", { q: long("a", 100_000) }),
    call("rag_query", "marks", { query: long('"-*(', 100_000) }),
    call("rag_query", "names", { query: long("aB", 100_000) }),
    ...["code_symbol", "code_rename"].flatMap((tool) =>
      [long("a", 1000), long("a.b", 999), "log.txt:1 a", "one_line.txt:1", "a1"].map((symbol) =>
        call(tool, `symbol: ${symbol.slice(0, 20)}`, {
          symbol,
          ...tool === "code_rename" ? { new_name: long("b", 200), unsure: "rename", dry_run: true } : {},
        })
      )
    ),
    call("code_rewrite", "holes", { pattern: long("$A", 4000), replacement: "x", language: "python", dry_run: true }),
    call("code_rewrite", "depth", { pattern: long("f(", 4000), replacement: "x", language: "python", dry_run: true }),
    call("script", "endless", { code: "for (;;) {}" }),
    call("script", "long", { code: long("[".repeat(9), 9_000) }),
    call("rag_bootload", "long names", { session_id: long("s", 100_000), task_id: long("t", 100_000) }),
    call("linux_handle_read", "no handle", { handle: long("h") }),
    call("linux_sys_snapshot", "usual", {}),
    ...["linux_fs_undo", "linux_fs_changes"].flatMap((tool) => [
      call(tool, "no operation", { op: long("op") }),
      call(tool, "time", { since: long("1") }),
    ]),
    call("linux_fs_changes", "path", { path: long("../"), diff: true }),
    ...["memory", "disk", "cpu", "network", "hardware", "os"].flatMap((info_type) =>
      ["linux_sys_info", "SYS_INFO"].map((tool) => call(tool, info_type, { info_type }))
    ),
    ...each(GLOBS, (pattern, what) => call("linux_sys_services", what, { pattern, state: "all", max_results: 500 })),
    ...each(PATTERNS, (grep, what) => call("linux_sys_logs", what, { grep, lines: 500 })),
    call("linux_sys_logs", "unit", { unit: long("a*") }),
    call("linux_mcp_usage_stats", "prefix", { tool_prefix: long("a*"), window_seconds: 86_400 }),
    call("linux_mcp_recent_calls", "name", { tool_name: long("a*"), max_results: 200 }),
    call("linux_mcp_run_onboarding", "repository", { flow_name: "explain_repo", options: { path: "." } }),
    call("linux_mcp_run_onboarding", "downloads", { flow_name: "organize_downloads", options: { path: "many" } }),
    call("linux_mcp_run_onboarding", "system", { flow_name: "system_health" }),
    call("linux_mcp_run_onboarding", "no flow", { flow_name: long("a") }),
    call("health", "usual", {}),
    call("get_metrics", "usual", {}),
    call("linux_fs_read", "wrong argument", { [long("path")]: 1, path: "x" }),
    call("linux_fs_read", "many arguments", Object.fromEntries(many)),
    call("linux_fs_read", "deep argument", { path: nested(100_000) }),
    call(long("a", 99), "unknown tool", {}),
  ];
}

/** Every worst call at the level `full`. */
export function worstCalls(extent: Extent): readonly WorstCall[] {
  return [...fileCalls(extent), ...searchCalls(), ...editCalls(extent), ...programCalls(extent), ...otherCalls()];
}

/** Calls whose arguments the rules take apart; at lower levels more than at `full`. */
export function policyCalls(): readonly WorstCall[] {
  return [
    ...each(AWKS, (program, what) => call("run_cmd", `awk: ${what}`, { argv: ["awk", program, "same.txt"] })),
    ...each(SEDS, (program, what) => call("run_cmd", `sed: ${what}`, { argv: ["sed", "-n", program, "same.txt"] })),
    ...each(COMMANDS, (command, what) => call("run_cmd", `shell: ${what}`, { command })),
    call("run_cmd", "changes thousands of files", {
      command: "mkdir changed && seq 3000 | split -l 1 -a 4 - changed/x; sed -i s/^/x/ changed/*; rm -r changed",
    }),
    call("run_cmd", "find", { argv: ["find", ".", ...Array.from({ length: 240 }, () => "-o")] }),
    call("run_cmd", "find -exec", {
      argv: ["find", ...Array.from({ length: 80 }, () => ["-exec", "env", ";"]).flat()],
    }),
    call("run_cmd", "git", {
      argv: ["git", ...Array.from({ length: 120 }, () => ["-c", `a.b=${long("!", 500)}`]).flat(), "log"],
    }),
    call("run_cmd", "tar", { argv: ["tar", long("c", 100_000), "x"] }),
    call("run_cmd", "options", { argv: ["ls", `-${long("a", 100_000)}`] }),
    call("run_cmd", "long option", { argv: ["sort", `--${long("a", 100_000)}=x`] }),
    call("run_cmd", "path", { argv: ["cat", long("../", 100_000)] }),
    call("run_cmd", "paths", { argv: ["cat", ...Array.from({ length: 250 }, (_, at) => `many/nam_${at}`)] }),
  ];
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}
