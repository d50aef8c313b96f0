/** Reports the memory use of this process. @module */

/** Resident bytes, as the runtime counts them. */
export function memoryBytes(): number {
  return Deno.memoryUsage().rss;
}
