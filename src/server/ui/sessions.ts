/** Login sessions of the page. @module */
import { makeSecretCheck, secretName } from "../../sys/secrets.ts";

/** One login. */
export interface Session {
  /** Stands in every form of its pages; no other page can know it. */
  readonly csrf: string;
  /** On the clock that {@link SessionsOptions.now} reads. */
  readonly endsMs: number;
}

/** The logins of a running server; they end with it. */
export interface Sessions {
  /** Starts one. The returned id is what its browser keeps. */
  open(): { readonly id: string; readonly session: Session };
  /** The login of an id; undefined when there is none or it is over. */
  find(id: string): Session | undefined;
  close(id: string): void;
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
  isId(given: string): boolean;
}

/** One more ends the oldest. */
const MAX_SESSIONS = 32;

/** Keeps them in memory, by a hash: not even a dump of the table opens the page. */
export function makeSessions({ lifetimeMs, now }: SessionsOptions): Sessions {
  const entries = new Map<string, Entry>();

  function dropOld(): void {
    for (const [key, { session }] of entries) if (session.endsMs <= now()) entries.delete(key);
    const [oldest] = entries.keys();
    if (entries.size >= MAX_SESSIONS && oldest !== undefined) entries.delete(oldest);
  }

  return {
    open() {
      dropOld();
      const id = randomText(), session = { csrf: randomText(), endsMs: now() + lifetimeMs };
      entries.set(secretName(id), { session, isId: makeSecretCheck(id) });
      return { id, session };
    },
    find(id) {
      const entry = entries.get(secretName(id));
      return entry?.isId(id) && entry.session.endsMs > now() ? entry.session : undefined;
    },
    close(id) {
      if (entries.get(secretName(id))?.isId(id)) entries.delete(secretName(id));
    },
  };
}

/** 256 bits in characters that cookies and forms carry unchanged. */
function randomText(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });
}
