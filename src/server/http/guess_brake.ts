/**
 * Slows down token guessing. Only wrong tokens wait: a correct one is never locked out, not even from an address that
 * is also guessing.
 * @module
 */

/** How the brake works. */
export interface GuessBrakeOptions {
  /** Milliseconds; must not jump. */
  readonly now: () => number;
  readonly sleep: (durationMs: number) => Promise<void>;
}

/** Counts wrong tokens by address. */
export interface GuessBrake {
  /** To be awaited before a wrong token is answered. False: too many of this address wait already. */
  brake(address: string): Promise<boolean>;
}

interface Guesser {
  failures: number;
  lastMs: number;
  waiting: number;
}

/** A person who mistypes does not notice anything. */
const FREE_FAILURES = 3;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 2_000;
const FORGET_MS = 60_000;
/** What waits costs memory and a connection, so that it is bounded too. */
const MAX_WAITING = 8;
const MAX_ADDRESSES = 4_096;

/** Makes the brake; the addresses that it remembers are bounded. */
export function makeGuessBrake({ now, sleep }: GuessBrakeOptions): GuessBrake {
  const guessers = new Map<string, Guesser>();
  return {
    async brake(address) {
      const guesser = recall(guessers, networkOf(address), now());
      const delayMs = delayAfter(++guesser.failures);
      if (delayMs === 0) return true;
      if (guesser.waiting >= MAX_WAITING) return false;
      guesser.waiting++;
      await sleep(delayMs);
      guesser.waiting--;
      return true;
    },
  };
}

/** One that was heard of last stands last, so that the first of a full table is the one to forget. */
function recall(guessers: Map<string, Guesser>, address: string, nowMs: number): Guesser {
  const known = guessers.get(address);
  const guesser = known && nowMs - known.lastMs < FORGET_MS ? known : { failures: 0, lastMs: 0, waiting: 0 };
  guesser.lastMs = nowMs;
  guessers.delete(address);
  guessers.set(address, guesser);
  if (guessers.size > MAX_ADDRESSES) {
    const [oldest = ""] = guessers.keys();
    guessers.delete(oldest);
  }
  return guesser;
}

function delayAfter(failures: number): number {
  if (failures <= FREE_FAILURES) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES - 1), LONGEST_DELAY_MS);
}

/** An IPv6 user has a whole /64 to choose addresses from. */
function networkOf(address: string): string {
  return address.includes(":") && !address.includes("::") ? address.split(":").slice(0, 4).join(":") : address;
}
