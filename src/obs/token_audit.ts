/** Token audit: one CSV line per call. @module */
import { parentOf } from "../core/path.ts";
import { appendText, ensurePrivateDirectory, removeFile } from "../sys/files/private_files.ts";

/** What one call cost. */
export interface TokenAuditEntry {
  readonly timeMs: number;
  readonly correlationId: string;
  readonly tool: string;
  readonly session: { readonly agentId: string; readonly sessionId: string; readonly model: string };
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** Appends entries. */
export interface TokenAudit {
  /** A file that cannot be written is reported, not thrown. */
  record(entry: TokenAuditEntry): void;
  /** Removes what was recorded before. */
  forget(): void;
}

/** Where the audit goes. */
export interface TokenAuditOptions {
  /** Its folder is made when missing. */
  readonly path: string;
  readonly now: () => number;
  /** Told of entries that could not be written, at most once a minute. */
  readonly warn: (message: string) => void;
}

const HEADER = "timestamp,correlation_id,agent_id,session_id,model,tool,tokens_in,tokens_out,tokens_total\r\n";
const WARN_MS = 60_000;

/** An audit in a file that outlives the server: the header comes once, at its top. */
export function makeTokenAudit({ path, now, warn }: TokenAuditOptions): TokenAudit {
  let quietUntilMs = 0;
  return {
    forget: () => removeFile(path),
    record(entry) {
      try {
        ensurePrivateDirectory(parentOf(path));
        appendText(path, toLine(entry), HEADER);
      } catch (error) {
        if (now() < quietUntilMs) return;
        quietUntilMs = now() + WARN_MS;
        warn(`the token audit cannot be written: ${error instanceof Error ? error.message : error}`);
      }
    },
  };
}

function toLine({ timeMs, correlationId, tool, session, tokensIn, tokensOut }: TokenAuditEntry): string {
  const labels = [correlationId, session.agentId, session.sessionId, session.model, tool].map(toField);
  const time = new Date(timeMs).toISOString();
  return [time, ...labels, tokensIn, tokensOut, tokensIn + tokensOut].join(",") + "\r\n";
}

/** RFC 4180; a label that a spreadsheet would run as a formula becomes text, because clients choose labels. */
function toField(label: string): string {
  const text = /^[=+\-@\t\r]/.test(label) ? `'${label}` : label;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
