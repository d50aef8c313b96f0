/** Writes what V8 compiled of a thread's script once it is asked to; for the program that records, never released. @module */
import type { Script } from "node:vm";

/** Its presence asks the threads to write. Paths are relative to the folder that the program is started in. */
export const ASK = "record";

const POLL_MS = 20;

/** Leaves NAME.cache. */
export function recordWhenAsked(name: string, script: Script): void {
  const timer = setInterval(() => {
    if (!isAsked()) return;
    clearInterval(timer);
    Deno.writeFileSync(`${name}.part`, script.createCachedData());
    Deno.renameSync(`${name}.part`, `${name}.cache`);
  }, POLL_MS);
}

function isAsked(): boolean {
  try {
    Deno.statSync(ASK);
    return true;
  } catch {
    return false;
  }
}
