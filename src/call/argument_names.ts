/** Maps argument names that models know from other tools to the names of ours. @module */

/** The one table; a name counts only where the tool has the argument and the call does not give it. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  argv: "args arguments",
  command: "cmd command_line script shell_command bash",
  content: "text contents file_text data file_content new_content",
  context_lines: "context c before_after",
  cwd: "working_directory working_dir workdir dir directory path",
  depth: "max_depth levels",
  diff_text: "diff patch unified_diff input",
  env: "environment env_vars",
  expected_replacements: "count expected_count occurrences",
  file_glob: "glob include file_pattern files pattern_glob globs",
  handle: "handle_id id",
  ignore_case: "case_insensitive i insensitive",
  include_hidden: "hidden show_hidden",
  input: "text data stdin keys",
  k: "top_k limit n max_results count",
  limit: "max max_lines count length",
  literal: "fixed_strings fixed_string is_literal",
  max_depth: "depth levels",
  max_entries: "limit max_results max count",
  max_lines: "limit num_lines n_lines line_count lines count",
  max_results: "limit max max_matches head_limit count top_k",
  new_text: "new_string new_str new replacement replace_with replace",
  offset: "start position from",
  offset_lines: "offset start_line start line_start line from_line",
  old_text: "old_string old_str old search find",
  overwrite: "force replace",
  path: "file_path filepath file filename target_file absolute_path relative_path dir directory folder root target",
  pattern: "query regex regexp search q search_term name term",
  pid: "process_id",
  proc_id: "process_id id session_id process pid",
  q: "query question pattern search text",
  query: "q question pattern search text",
  recursive: "force r",
  root: "path directory dir folder cwd base_path search_path",
  sort: "sort_by order_by order sorted_by",
  source: "from src old_path source_path",
  stdin: "input",
  target: "to dest destination new_path destination_path target_path",
  timeout: "timeout_sec timeout_seconds timeout_s max_time",
  timeout_ms: "wait_ms timeout_millis",
  wait_for: "pattern until wait_for_pattern",
  window_seconds: "window seconds",
};
const BY_ARGUMENT: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(OTHER_NAMES).map(([name, others]) => [name, new Set(others.split(" "))]),
);

/** Arguments that say how much: beyond its bound, the bound is what was meant. A process id or an offset is not. */
const AMOUNTS: ReadonlySet<string> = new Set(
  ("budget_tokens cols context_lines depth k limit lines max_bytes max_depth max_entries max_lines max_results rows " +
    "timeout timeout_ms wait_ms window_seconds").split(" "),
);

/** Whether a number beyond the bound of this argument may become the bound. */
export function isAmount(argument: string): boolean {
  return AMOUNTS.has(argument);
}

/** `filePath` as `file_path`. */
function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).replaceAll("-", "_").toLowerCase();
}

/**
 * The argument of a tool that a name stands for.
 *
 * @param free Arguments of the tool that the call does not give.
 * @returns undefined when no argument is meant, or several could be.
 */
export function meantArgument(name: string, free: readonly string[]): string | undefined {
  const plain = snakeCase(name);
  if (free.includes(plain)) return plain;
  const meant = free.filter((argument) => BY_ARGUMENT.get(argument)?.has(plain));
  return meant.length === 1 ? meant[0] : undefined;
}
