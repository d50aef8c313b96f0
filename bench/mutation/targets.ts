/** The mutated sources, and the tests that must fail for their mutants. @module */

/** Sources of one purpose. */
export interface Group {
  readonly name: string;
  /** Each source, and what of it is data: see {@link Source}. */
  readonly sources: readonly Source[];
}

/** One file. */
export interface Source {
  /** Path from the top. */
  readonly path: string;
  /** Tests that cover it, the quickest first: a mutant that one of them notices needs no other. */
  readonly tests: readonly string[];
}

const of = (tests: readonly string[], paths: readonly string[]): Source[] => paths.map((path) => ({ path, tests }));
const inFolder = (folder: string, names: string): string[] => names.split(" ").map((name) => `${folder}/${name}.ts`);

const GUARD = ["tests/sys/files/real_path_test.ts", "tests/roots/path_guard_test.ts"];
const GATE = [
  "tests/exec/policy/git_test.ts",
  "tests/exec/policy/tables_test.ts",
  "tests/exec/policy/wrappers_test.ts",
  "tests/exec/policy/gate_test.ts",
  "tests/exec/policy/over_refusal_test.ts",
  "tests/exec/policy/syntax_test.ts",
  "tests/exec/policy/rules_test.ts",
];
const TABLE = [
  "tests/exec/policy/rule_options_test.ts",
  "tests/exec/policy/syntax_test.ts",
  ...GATE,
];
const EDIT = [
  "tests/core/edit/block_test.ts",
  "tests/core/edit/corpus_test.ts",
  "tests/core/edit/line_ends_test.ts",
  "tests/core/edit/diff_names_test.ts",
  "tests/core/edit/align_test.ts",
  "tests/core/edit/edges_test.ts",
  "tests/core/edit/closest_test.ts",
  "tests/core/edit/text_file_test.ts",
  "tests/core/edit/unified_diff_test.ts",
  "tests/core/edit/block_property_test.ts",
  "tests/core/edit/hostile_test.ts",
  "tests/core/edit/malformed_property_test.ts",
  "tests/tools/fs/patch_block_test.ts",
  "tests/tools/fs/apply_diff_test.ts",
  "tests/core/edit/diff_roundtrip_test.ts",
];

/** Everything that is mutated. */
export const GROUPS: readonly Group[] = [
  {
    name: "path guard",
    sources: of(GUARD, ["src/roots/path_guard.ts", "src/sys/files/real_path.ts"]),
  },
  {
    name: "gate",
    sources: of(
      GATE,
      inFolder("src/exec/policy", "gate find_commands git_commands guard_arguments listed operands refusal"),
    ),
  },
  { name: "splitter", sources: of(["tests/core/argv_test.ts"], ["src/core/argv.ts"]) },
  {
    name: "argument table",
    sources: of(TABLE, inFolder("src/exec/policy", "rules apply_rules syntax env_rules")),
  },
  {
    name: "editing core",
    sources: of(EDIT, [
      ...inFolder("src/core/edit", "block text_file line_ends edits apply_hunks locate_hunk hunk hunk_edits"),
      ...inFolder("src/core/edit", "parse_unified parse_diff parse_envelope parse_search_replace plan_diff"),
      ...inFolder("src/core/edit", "diff_names planned_files align unified_diff stray_match"),
    ]),
  },
  {
    name: "limits",
    sources: [
      ...of(["tests/server/http/token_bucket_test.ts"], ["src/server/http/token_bucket.ts"]),
      ...of(["tests/server/http/call_gate_test.ts"], ["src/server/http/call_gate.ts"]),
      ...of(["tests/server/http/middleware/rate_gate_test.ts"], ["src/server/http/middleware/rate_gate.ts"]),
      ...of(["tests/server/http/middleware/size_limit_test.ts"], ["src/server/http/middleware/size_limit.ts"]),
      ...of(["tests/server/http/read_body_test.ts"], ["src/server/http/read_body.ts"]),
      ...of(["tests/server/http/guess_brake_test.ts"], ["src/server/http/guess_brake.ts"]),
      ...of(["tests/core/turnstile_test.ts"], ["src/core/turnstile.ts"]),
      ...of(["tests/call/budgets_test.ts"], ["src/call/budgets.ts"]),
      ...of(["tests/exec/output_test.ts"], ["src/exec/output.ts", "src/exec/show_output.ts"]),
    ],
  },
];
