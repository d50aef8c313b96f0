/** `run_pytest`: runs Python tests; reports counts, failures with location, and the slowest tests. @module */
import * as z from "zod";
import { readTestRun } from "../../condense/tests.ts";
import { renderTe, teResult } from "./te_result.ts";
import { defineTool } from "../../call/tool.ts";
import { runTe } from "./tool_envelope.ts";

const DEFAULT_TIMEOUT_SEC = 300;
/** Short tracebacks, a reason for everything that did not pass, the slowest five: what the parser reads. */
const REPORT = ["-q", "--tb=short", "-rfE", "--durations=5", "--color=no"];
const MAX_FAILURES = 100;

const counts = () =>
  z.object({
    passed: z.number(),
    failed: z.number(),
    skipped: z.number(),
    errors: z.number(),
  });

/** See the summary. */
export const runPytest = defineTool({
  name: "run_pytest",
  title: "Run Python tests",
  summary: "Run pytest; answers with counts, failures (file:line, message), duration and the slowest tests.",
  toolset: "te",
  effect: "execute",
  input: () =>
    z.strictObject({
      path: z.string().min(1).optional().describe("File, folder or node id; default: all"),
      args: z.array(z.string()).max(200).default([]).describe("More pytest arguments"),
      cwd: z.string().optional(),
      timeout: z.number().positive().max(3_600).default(DEFAULT_TIMEOUT_SEC).describe("Seconds"),
    }),
  output: () =>
    z.object({
      ...teResult().shape,
      counts: counts().nullable(),
      failures: z.array(z.object({ test: z.string(), file: z.string(), line: z.number(), message: z.string() })),
      duration_s: z.number().nullable(),
      slowest: z.array(z.object({ test: z.string(), seconds: z.number() })),
    }),
  render(result) {
    const slow = result.slowest.map(({ test, seconds }) => `${seconds}s ${test}`);
    return renderTe(result) + (slow.length > 0 ? `\n[slowest: ${slow.join(", ")}]` : "");
  },
  failed: (result) => !result.success && result.state === "exited",
  async run({ path, args, cwd, timeout }, context) {
    // Both are allowed by default; a machine may have pytest only as a module.
    const program = "pytest" in context.config.binaries ? ["pytest"] : ["python3", "-m", "pytest"];
    const argv = [...program, ...REPORT, ...args, ...(path === undefined ? [] : [path])];
    const { result, plain } = await runTe({ argv, cwd, timeoutMs: timeout * 1_000 }, context);
    const run = readTestRun(plain.stdout, plain.stderr)?.run;
    return {
      ...result,
      counts: run === undefined
        ? null
        : { passed: run.passed, failed: run.failed, skipped: run.skipped, errors: run.errors },
      failures: (run?.failures ?? []).slice(0, MAX_FAILURES).map(({ name, file, line, message }) => ({
        test: name,
        file,
        line,
        message,
      })),
      duration_s: run?.durationS ?? null,
      slowest: (run?.slowest ?? []).map(({ name, seconds }) => ({ test: name, seconds })),
    };
  },
});
