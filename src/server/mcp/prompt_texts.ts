/** Texts of the prompts. @module */

/** How a text speaks of tools. */
export interface Instruct {
  /** The name under which a client knows a tool. */
  tool(name: string): string;
  /** Whether it can be called. */
  has(name: string): boolean;
}

/** One argument that a person may give. */
interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** What it can be, for its completion. */
  readonly values?: "directory" | readonly string[];
}

/** One prompt. */
export interface PromptText {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly args: readonly PromptArgument[];
  /** Tools without which it makes no sense. */
  readonly needs: readonly string[];
  /** The message; an argument that was not given is empty. */
  text(args: Readonly<Record<string, string>>, instruct: Instruct): string;
}

const FOLDER = (what: string): PromptArgument => ({
  name: "path",
  description: `${what}; the first allowed folder when empty`,
  required: false,
  values: "directory",
});

const explainRepo: PromptText = {
  name: "explain_repo",
  title: "Explain a repository",
  description: "What a code base is for, how its parts fit together, and where to start reading.",
  args: [FOLDER("Folder of the repository")],
  needs: ["linux_fs_list", "linux_fs_read"],
  text({ path }, { tool, has }) {
    const where = path ? ` in ${path}` : "";
    const first = has("linux_mcp_run_onboarding")
      ? `Run ${tool("linux_mcp_run_onboarding")} with flow_name explain_repo${
        path ? ` and options {"path": ${JSON.stringify(path)}}` : ""
      }.`
      : `List the tree with ${tool("linux_fs_list")} (depth 2) and read the README and the build files.`;
    return `Explain the repository${where}.

1. ${first}
2. Read the entry points and the two or three central modules, in ranges.
3. Tell me: what it is for; its main parts and how they work together; how it is built, tested and run; which five files to
   read first and why. Name paths. Say what you did not look at. Change nothing.`;
  },
};

const systemHealth: PromptText = {
  name: "system_health",
  title: "Check this machine",
  description: "Load, memory, disks and the busiest processes, with what deserves attention.",
  args: [{
    name: "focus",
    description: "What to look at closely",
    required: false,
    values: ["cpu", "memory", "disk", "network"],
  }],
  needs: ["linux_sys_snapshot"],
  text({ focus }, { tool, has }) {
    const first = has("linux_mcp_run_onboarding")
      ? `Run ${tool("linux_mcp_run_onboarding")} with flow_name system_health.`
      : `Take ${tool("linux_sys_snapshot")}${has("linux_proc_list") ? ` and ${tool("linux_proc_list")}` : ""}.`;
    return `Check the health of this machine${focus ? `, above all ${focus}` : ""}.

1. ${first}
2. Look closer only where a figure is out of the ordinary${focus ? ` or concerns ${focus}` : ""}.
3. Report in a few lines: what is fine, what deserves attention and why, and what I could do. Stop or change nothing.`;
  },
};

const organizeDownloads: PromptText = {
  name: "organize_downloads",
  title: "Tidy the downloads folder",
  description: "Looks at the downloads, proposes folders, and moves files only after you agree.",
  args: [],
  needs: ["linux_mcp_run_onboarding", "linux_fs_list"],
  text: (_args, { tool }) =>
    `Help me tidy my downloads folder.

1. Run ${tool("linux_mcp_run_onboarding")} with flow_name organize_downloads. It only plans.
2. Show me the plan as a short list, with what looks like a duplicate or can go.
3. Ask me before anything is moved. When I agree, run the same flow with options {"apply": true}; if the server refuses that,
   tell me the setting that it names. Delete nothing.`,
};

const fixFailingTest: PromptText = {
  name: "fix_failing_test",
  title: "Fix a failing test",
  description: "Runs a test, finds the cause, makes the smallest change, and runs the test again.",
  args: [
    { name: "command", description: "Command that runs the test, such as: pytest -x tests/test_a.py", required: true },
    FOLDER("Folder to run it in"),
  ],
  needs: ["run_cmd", "linux_fs_read", "linux_fs_patch_block"],
  text: ({ command, path }, { tool }) =>
    `Make this test pass: ${command}${path ? ` (in ${path})` : ""}

1. Run it with ${tool("run_cmd")}${path ? `, cwd ${JSON.stringify(path)}` : ""}. If it passes, say so and stop.
2. From the first failure, read the lines that it names and what they call. State the cause in one sentence before you edit.
3. Fix the cause, not the test, with ${
      tool("linux_fs_patch_block")
    }; change the test only if it is wrong, and say why it is.
4. Run it again, then the tests nearby. After three attempts that do not help, stop and tell me what you know.
5. End with the cause, the change, and what you ran.`,
};

const reviewDiff: PromptText = {
  name: "review_diff",
  title: "Review a diff",
  description: "Reads the changes of a Git work tree and reports real problems, worst first.",
  args: [
    {
      name: "base",
      description: "What to compare with, such as main; uncommitted changes when empty",
      required: false,
    },
    FOLDER("Folder of the repository"),
  ],
  needs: ["run_cmd", "linux_fs_read"],
  text({ base, path }, { tool }) {
    const range = base ? `${base}...HEAD` : "HEAD";
    return `Review ${base ? `the changes since ${base}` : "the uncommitted changes"}${path ? ` in ${path}` : ""}.

1. With ${tool("run_cmd")}${
      path ? ` (cwd ${JSON.stringify(path)})` : ""
    }: git diff --stat ${range}, then git diff ${range}${base ? "" : ", and git status --short for new files"}.
2. Read around each change as far as you need to judge it: callers, tests, error paths.
3. Report only what matters, worst first: wrong behaviour, lost errors, races, security, missing tests. For each: path and
   line, what happens, how to fix it. If there is nothing, say so. Change nothing.`;
  },
};

/** In the order in which clients show them. */
export const PROMPTS: readonly PromptText[] = [
  explainRepo,
  systemHealth,
  organizeDownloads,
  fixFailingTest,
  reviewDiff,
];
