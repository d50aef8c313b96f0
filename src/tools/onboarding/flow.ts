/** Defines the contract of an onboarding flow, for the tool and for prompts. @module */
import type { ToolContext } from "../../call/tool.ts";

/** What a caller may ask of a flow. */
export interface FlowOptions {
  /** Change something, where the operator allows that; otherwise a flow only looks and plans. */
  readonly apply: boolean;
  /** The folder to look at, for flows that look at one. */
  readonly path?: string | undefined;
}

/** One thing that was done, and what came of it. */
export interface FlowStep {
  readonly description: string;
  readonly result: string;
}

/** What a flow reports: 3 to 10 steps. */
export interface FlowReport {
  readonly steps: readonly FlowStep[];
  /** One or two sentences. */
  readonly summary: string;
}

/** One flow. */
export interface Flow {
  readonly name: string;
  readonly title: string;
  /** One line for people. */
  readonly about: string;
  /** Whether {@link FlowOptions.path} means something to it. */
  readonly takesPath: boolean;
  /** @throws OpsError as the tools that it stands for. */
  run(options: FlowOptions, context: ToolContext): Promise<FlowReport>;
}
