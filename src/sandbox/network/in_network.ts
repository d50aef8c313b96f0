/** Starts children inside the network of listed names, and appends the refused names to their output. @module */
import type { ChildVerbs } from "../protocol.ts";
import type { ListedNetwork } from "./listed_network.ts";

/** The same host, with a network that is there before the first child. @param network Null for the usual networks. */
export function inNetwork(children: ChildVerbs, network: ListedNetwork | null): ChildVerbs {
  if (network === null) return children;
  const startedMs = new Map<number, number>();
  return {
    ...children,
    async spawn(request) {
      await network.open();
      const atMs = performance.now(), child = await children.spawn(request);
      startedMs.set(child.id, atMs);
      return child;
    },
    async wait(id) {
      const exit = await children.wait(id), atMs = startedMs.get(id) ?? Infinity;
      startedMs.delete(id);
      const refused = network.refusedSince(atMs);
      return refused.length > 0 ? { ...exit, refused } : exit;
    },
  };
}
