/** Asks a client's user to approve one call by elicitation, and interprets the answer. @module */
import { argumentsText } from "../../call/arguments_text.ts";
import type { CallConsent } from "../../call/answer.ts";
import type { Tool } from "../../call/tool.ts";

/** What a client gives back after it has asked its user. */
export interface Asked {
  readonly digest: string;
  readonly nonce: string;
}

/** What the user fills in. Without a default: an answer is one only when the user chose it. */
export const CONSENT_FORM = {
  type: "object" as const,
  properties: {
    allow: { type: "boolean" as const, title: "Allow this call", description: "true runs it once, false refuses it" },
  },
  required: ["allow"],
};

/** What the user is asked: the whole call; null when it is too long for that. */
export function consentQuestion(tool: Tool, args: object): string | null {
  const text = argumentsText(args);
  if (text === null) return null;
  return `The model wants to call ${tool.name} (${tool.title}; effect: ${tool.effect}) with\n${text || "no arguments"}`;
}

/**
 * What the user decided about the call; undefined when they were not asked about it.
 *
 * @param useOnce True the first time: an answer counts for the very call that was asked about, and for one of it.
 */
export function consentIn(
  answer: unknown,
  asked: Asked | undefined,
  digest: string,
  useOnce: (nonce: string) => boolean,
): CallConsent | undefined {
  if (answer === undefined || asked?.digest !== digest || !useOnce(asked.nonce)) return undefined;
  const { action, content } = Object(answer);
  if (action === "decline") return "declined";
  if (action === "cancel") return "dismissed";
  const { allow } = Object(content);
  if (action !== "accept" || typeof allow !== "boolean") return "no choice";
  return allow ? "allowed" : "declined";
}
