/** Runs the official conformance suite against a server. @module */
import { runNpmTool } from "../npm_tool.ts";

/** Revisions that the suite has requirements for. */
export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
/** One of them. */
export type Revision = typeof REVISIONS[number];

/** What one run showed. */
export interface SuiteResult {
  /** Whether every required scenario passed, and nothing is in the list of expected failures that passes. */
  readonly passed: boolean;
  /** Failed checks by scenario, with those that are not required. */
  readonly failures: ReadonlyMap<string, number>;
  readonly output: string;
}

/** What may fail. It is empty, and it stays empty. */
const EXPECTED_FAILURES = new URL("expected_failures.yml", import.meta.url).pathname;

/** @param url Address of an MCP endpoint that asks for no token. */
export async function runConformance(url: string, revision: Revision): Promise<SuiteResult> {
  const args = ["server", "--url", url, "--requirements", revision, "--expected-failures", EXPECTED_FAILURES];
  const { code, stdout, stderr } = await runNpmTool("conformance", args, { HOME: "/nonexistent" });
  const failures = new Map<string, number>();
  for (const [, name = "", failed] of stdout.matchAll(/^[✓✗] ([\w-]+): \d+ passed, (\d+) failed/gm)) {
    failures.set(name, Number(failed));
  }
  return { passed: code === 0, failures, output: `${stdout}\n${stderr}` };
}
