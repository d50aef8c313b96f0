/** Formats figures for the page. @module */

/** `840 µs`, `3.2 ms`, `120 ms`, `1.4 s`. */
export function durationText(durationMs: number): string {
  if (durationMs < 1) return `${Math.round(durationMs * 1000)} µs`;
  if (durationMs < 10) return `${durationMs.toFixed(1)} ms`;
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  return `${(durationMs / 1_000).toFixed(durationMs < 10_000 ? 1 : 0)} s`;
}

/** `940`, `12.3 k`, `4.1 M`. */
export function countText(count: number): string {
  if (count < 10_000) return String(Math.round(count));
  if (count < 999_500) return `${(count / 1_000).toFixed(count < 100_000 ? 1 : 0)} k`;
  return `${(count / 1e6).toFixed(1)} M`;
}

/** `3 calls`, `1 call`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** `14:03:09` on the clock of the machine. */
export function clockText(timeMs: number): string {
  return new Date(timeMs).toTimeString().slice(0, 8);
}

/** `14:03` today, `3 May 14:03` on another day. */
export function dayText(timeMs: number, nowMs: number): string {
  const date = new Date(timeMs), time = clockText(timeMs).slice(0, 5);
  if (date.toDateString() === new Date(nowMs).toDateString()) return time;
  return `${date.toDateString().slice(4, 10)} ${time}`;
}

/** How long ago or until, so coarse that it seldom changes: `under a minute`, `12 min`, `3 h`, `2 d`. */
export function spanText(durationMs: number): string {
  const minutes = Math.floor(Math.abs(durationMs) / 60_000);
  if (minutes < 1) return "under a minute";
  if (minutes < 90) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1_440)} d`;
}

/** Share of a whole in percent, never rounded to all or nothing. */
export function percentText(part: number, whole: number): string {
  if (whole <= 0) return "0 %";
  const percent = (part / whole) * 100;
  return `${percent > 0 && percent < 1 ? "< 1" : percent < 100 && percent > 99 ? "> 99" : Math.round(percent)} %`;
}
