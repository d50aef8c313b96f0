/** Formats byte sizes for people. @module */

const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"];

/** A size in powers of 1024 with the digits that matter: `512MB`, `8.2GB`, `16GB`. */
export function humanSize(bytes: number): string {
  let value = Math.max(0, bytes), unit = 0;
  // 1023.5 would be shown as 1024 of the smaller unit.
  while (value >= 1023.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const shown = value >= 99.95 || unit === 0 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${shown}${UNITS[unit]}`;
}

/** A duration in the two largest units that matter: `3d 4h`, `5m`. */
export function humanDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60), days = Math.floor(hours / 24);
  if (days > 0) return `${days}d ${hours % 24}h`;
  if (hours > 0) return `${hours}h ${minutes % 60}m`;
  return minutes > 0 ? `${minutes}m` : `${Math.floor(seconds)}s`;
}
