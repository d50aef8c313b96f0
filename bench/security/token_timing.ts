/** Tests whether the time of a token comparison reveals anything about the token. @module */
import type { TokenTiming } from "../../scripts/reports/security.ts";
import { makeSecretCheck } from "../../src/sys/secrets.ts";
import { makeRandom } from "../../tests/support/random.ts";

const SECRET = "a3f8c1d97b2e4056a3f8c1d97b2e4056a3f8c1d97b2e4056";
const CANDIDATES: Readonly<Record<string, string>> = {
  "right": asReceived(SECRET),
  "wrong in the first character": asReceived(`x${SECRET.slice(1)}`),
  "wrong in the middle": asReceived(`${SECRET.slice(0, 24)}x${SECRET.slice(25)}`),
  "wrong in the last character": asReceived(`${SECRET.slice(0, -1)}x`),
  "nothing right": asReceived("z".repeat(SECRET.length)),
};
const ROUNDS = 600, PER_ROUND = 300;
/** What a comparison tells it tells every time; what a busy machine adds differs. */
const TIMES = 3;

/** A text of one piece, as from the wire: what is put together here is stored as its parts, and takes a tenth longer to read. */
function asReceived(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

/** Measures in turns, so that what else the machine does falls on all alike; of several times the least disturbed one. */
export function measureTokenTiming(): TokenTiming {
  const check = makeSecretCheck(SECRET);
  const all = Array.from({ length: TIMES }, () => undisturbed(check)).map((undisturbedNs) => ({
    undisturbedNs,
    spreadPercent: spread(undisturbedNs),
  }));
  const least = all.reduce((best, next) => next.spreadPercent < best.spreadPercent ? next : best);
  return { ...least, naiveSpreadPercent: spread(undisturbed(naiveCheck)) };
}

function undisturbed(check: (given: string) => boolean): Record<string, number> {
  const random = makeRandom(1), samples = new Map<string, number[]>();
  let right = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const order = Object.entries(CANDIDATES).map((entry) => ({ entry, at: random.below(1e9) }));
    for (const { entry: [name, given] } of order.sort((one, other) => one.at - other.at)) {
      const startedMs = performance.now();
      for (let count = 0; count < PER_ROUND; count++) if (check(given)) right++;
      const list = samples.get(name) ?? [];
      samples.set(name, list);
      list.push((performance.now() - startedMs) * 1e6 / PER_ROUND);
    }
  }
  if (right !== ROUNDS * PER_ROUND) throw new Error("the comparison is wrong");
  return Object.fromEntries([...samples].map(([name, list]) => [name, quick(list)]));
}

function naiveCheck(given: string): boolean {
  for (let index = 0; index < SECRET.length; index++) if (given[index] !== SECRET[index]) return false;
  return given.length === SECRET.length;
}

/** The quickest tenth of the rounds is that in which the machine did little else. */
function quick(list: readonly number[]): number {
  return list.toSorted((one, other) => one - other)[Math.trunc(list.length / 10)] ?? Number.NaN;
}

function spread(values: Readonly<Record<string, number>>): number {
  const all = Object.values(values), fastest = Math.min(...all);
  return (Math.max(...all) - fastest) / fastest * 100;
}
