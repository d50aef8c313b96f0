/** Describes a call that waits for approval: what the person is shown, and the code that allows it. @module */
import { visible } from "../core/visible.ts";
import type { Effect } from "./tool.ts";

/** A call that waits, as the person sees it. Never shown to a model. */
export interface PendingApproval {
  readonly id: string;
  /** What the person may pass on, to let this one call through. */
  readonly code: string;
  readonly tool: string;
  readonly effect: Effect;
  /** All arguments, see {@link argumentsText}. */
  readonly argsText: string;
  /** What the client calls itself; null when it gave no name. Never a proof of who it is. */
  readonly client: string | null;
  /** Milliseconds since the epoch. */
  readonly askedMs: number;
  readonly expiresMs: number;
}

/** Without letters and digits that look alike: a person reads it aloud or types it. */
const CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789", CODE_LENGTH = 6;

/** A new code. */
export function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CODE_LENGTH));
  return Array.from(bytes, (byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join("");
}

/** Whether a person gave the code; spaces and the case of letters do not count. */
export function isCodeOf({ code }: PendingApproval, given: string): boolean {
  return given.replace(/\s/g, "").toUpperCase() === code;
}

/** Who asks, as far as the client says. */
export function clientText(client: string | null): string {
  return client === null ? "a client that gave no name" : `a client that calls itself “${visible(client)}”`;
}

/** The question as it is printed on a terminal. */
export function questionText({ tool, effect, argsText, client, code }: PendingApproval): string {
  const indented = (argsText || "no arguments").replace(/^/gm, "  ");
  return `approval wanted for ${tool} (${effect}) by ${clientText(client)}\n${indented}\n  code: ${code}`;
}
