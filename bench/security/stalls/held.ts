/** Records how long an answer was delayed, and which requests are measured. @module */

/** The answer that took longest. */
export interface Held {
  /** How long it took, without the time in which server and prober waited for a processor. */
  readonly ms: number;
  /** The same with that time. */
  readonly tookMs: number;
  /** How long the serving thread computed meanwhile. */
  readonly computedMs: number;
  /** Answers in all. */
  readonly asked: number;
}

/** What is asked. */
export interface Target {
  readonly url: string;
  readonly token: string;
  /** Folder of the serving thread in `/proc`. */
  readonly serving: string;
}

/** Before the first answer. */
export const NOTHING_HELD: Held = { ms: 0, tookMs: 0, computedMs: 0, asked: 0 };
