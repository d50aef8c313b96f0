/** The servers that can do the jobs. @module */
import type { Contestant } from "../peers/hands.ts";
import { installPeers } from "../peers/install.ts";
import { ours } from "../peers/ours.ts";

/** The executable. */
export const BINARY = Deno.env.get("LLMC_BIN") ?? new URL("../../dist/llmc-mcp", import.meta.url).pathname;

/** @throws Error when it cannot be had */
export async function contestantOf(key: string): Promise<Contestant> {
  if (key === "ours") return ours(BINARY, "");
  if (key === "ours_core" || key === "ours_full") return withList(ours(BINARY, ""), key.slice("ours_".length));
  const found = (await installPeers()).peers.find((peer) => peer.key === key);
  if (!found) throw new Error(`unknown server '${key}', or npm cannot bring it`);
  return found;
}

/** Ours with one list of tools or the other, whichever is the default. */
function withList(own: Contestant, list: string): Contestant {
  return {
    ...own,
    key: `${own.key}_${list}`,
    async command(place, forbidden) {
      const command = await own.command(place, forbidden);
      return { ...command, args: [...command.args, "--set", `mcp.tools.list=${list}`] };
    },
  };
}
