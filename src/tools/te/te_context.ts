/** Declares what a command line runs in, and its condensed output. @module */
import type { ToolContext } from "../../call/tool.ts";
import type { TeResult } from "./te_result.ts";

/** Output in the form that is shown. */
export interface Lean {
  readonly mode: TeResult["mode"];
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly facts: Partial<Pick<TeResult["enrichment"], "kind" | "match_count" | "hot_zone" | "omitted">>;
}

/** The services that a run needs. */
export type TeContext = Pick<
  ToolContext,
  "config" | "session" | "owner" | "programs" | "condense" | "handles" | "calls" | "signal"
>;
