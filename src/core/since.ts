/** Parses points in time as people write them. @module */

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * Seconds since 1970 of `30m`, `2 hours ago`, `today`, `yesterday`, or an ISO date or time; UTC unless it says
 * otherwise. Null for everything else.
 */
export function readSince(text: string, nowMs: number): number | null {
  const word = text.trim().toLowerCase();
  const ago = word.match(/^(\d{1,6})\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?)(?:\s+ago)?$/);
  if (ago) return Math.max(0, Math.floor(nowMs / 1000) - Number(ago[1]) * (UNIT_SECONDS[ago[2]?.[0] ?? ""] ?? 0));
  const today = Math.floor(nowMs / 86_400_000) * 86_400;
  if (word === "today") return today;
  if (word === "yesterday") return today - 86_400;
  const iso = text.trim().match(/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i);
  if (!iso) return null;
  const [, date, time = "00:00", seconds = ":00", zone = "Z"] = iso;
  const offset = zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
  const parsed = Date.parse(`${date}T${time}${seconds.slice(0, 3)}${offset}`);
  return Number.isNaN(parsed) || parsed < 0 ? null : Math.floor(parsed / 1000);
}
