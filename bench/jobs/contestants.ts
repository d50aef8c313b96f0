/** The servers that can do the jobs. @module */
import type { Contestant } from "../peers/hands.ts";
import { installPeers } from "../peers/install.ts";
import { ours } from "../peers/ours.ts";

/** The executable. */
export const BINARY = Deno.env.get("LLMC_BIN") ?? new URL("../../dist/llmc-mcp", import.meta.url).pathname;

/** @throws Error when it cannot be had */
export async function contestantOf(key: string): Promise<Contestant> {
  if (key === "ours") return ours(BINARY, "");
  const found = (await installPeers()).peers.find((peer) => peer.key === key);
  if (!found) throw new Error(`unknown server '${key}', or npm cannot bring it`);
  return found;
}
