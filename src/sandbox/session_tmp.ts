/** Creates and removes the temporary folder of a session. @module */
import { createHash } from "node:crypto";
import type { HostConfig, MarkedRequest } from "./protocol.ts";

/** The temporary folder of a session: calls find there what earlier ones left. */
export function sessionTmp(host: HostConfig, { session = "" }: MarkedRequest): string {
  const path = pathOf(host, session);
  Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

/** Removes it. It leaves its place at once, so that a program that starts meanwhile gets one that stays. */
export function removeSessionTmp(host: HostConfig, session: string): Promise<void> {
  const old = `${host.scratchDir}/ended-${crypto.randomUUID()}`;
  try {
    Deno.renameSync(pathOf(host, session), old);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return Promise.resolve();
    throw error;
  }
  return Deno.remove(old, { recursive: true });
}

function pathOf({ scratchDir }: HostConfig, session: string): string {
  // Another session's name is not told: it would be a path in the environment.
  return `${scratchDir}/${createHash("sha256").update(session).digest("hex").slice(0, 16)}`;
}
