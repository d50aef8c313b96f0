/** Creates the temporary folder of a session. @module */
import { createHash } from "node:crypto";
import type { HostConfig, MarkedRequest } from "./protocol.ts";

/** The temporary folder of a session: calls find there what earlier ones left. The server's end removes it. */
export function sessionTmp({ scratchDir }: HostConfig, { session = "" }: MarkedRequest): string {
  // Another session's name is not told: it would be a path in the environment.
  const path = `${scratchDir}/${createHash("sha256").update(session).digest("hex").slice(0, 16)}`;
  Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
