/** Asks a client's user to approve one call by elicitation, and interprets the answer. @module */
import { summarizeArgs } from "../../store/args_summary.ts";
import type { Tool } from "../../call/tool.ts";

/** What a client gives back after it has asked its user. */
export interface Asked {
  readonly digest: string;
  readonly nonce: string;
}

/** What the user fills in. */
export const CONSENT_FORM = {
  type: "object" as const,
  properties: { allow: { type: "boolean" as const, title: "Allow this call", default: true } },
  required: ["allow"],
};

/** What the user is asked. */
export function consentQuestion(tool: Tool, args: object): string {
  return `The model wants to call ${tool.name} (${tool.title}): ${summarizeArgs(args) || "no arguments"}`;
}

/**
 * Whether the user allows the call; undefined when they were not asked about it.
 *
 * @param useOnce True the first time: an answer counts for the very call that was asked about, and for one of it.
 */
export function consentIn(
  answer: unknown,
  asked: Asked | undefined,
  digest: string,
  useOnce: (nonce: string) => boolean,
): boolean | undefined {
  if (answer === undefined || asked?.digest !== digest || !useOnce(asked.nonce)) return undefined;
  const { action, content } = Object(answer);
  return action === "accept" && Object(content).allow === true;
}
