/** Login sessions: issues, checks and expires the keys of pages. @module */
import { makeSecretCheck, secretName } from "../../sys/secrets.ts";

/** One login. */
export interface Session {
  /** On the clock that {@link SessionsOptions.now} reads. */
  readonly endsMs: number;
}

/** The logins of a running server; they end with it. */
export interface Sessions {
  /** Starts one; returns its key. */
  open(): string;
  /** The login of a key; undefined when there is none or it is over. */
  find(key: string): Session | undefined;
  close(key: string): void;
}

/** How logins live. */
export interface SessionsOptions {
  /** Counted from the login, whether it is used or not: a forgotten browser must not stay logged in. */
  readonly lifetimeMs: number;
  /** Milliseconds; must not jump. */
  readonly now: () => number;
}

interface Entry {
  readonly session: Session;
  isKey(given: string): boolean;
}

/** One more ends the oldest. */
const MAX_SESSIONS = 32;

/** Keeps them in memory, by a hash: not even a dump of the table opens the page. */
export function makeSessions({ lifetimeMs, now }: SessionsOptions): Sessions {
  const entries = new Map<string, Entry>();

  function dropOld(): void {
    for (const [name, { session }] of entries) if (session.endsMs <= now()) entries.delete(name);
    const [oldest] = entries.keys();
    if (entries.size >= MAX_SESSIONS && oldest !== undefined) entries.delete(oldest);
  }

  return {
    open() {
      dropOld();
      const key = randomText();
      entries.set(secretName(key), { session: { endsMs: now() + lifetimeMs }, isKey: makeSecretCheck(key) });
      return key;
    },
    find(key) {
      const entry = entries.get(secretName(key));
      return entry?.isKey(key) && entry.session.endsMs > now() ? entry.session : undefined;
    },
    close(key) {
      if (entries.get(secretName(key))?.isKey(key)) entries.delete(secretName(key));
    },
  };
}

/** 256 bits in characters that a header carries unchanged. */
function randomText(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });
}
