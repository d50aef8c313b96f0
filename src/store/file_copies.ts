/**
 * Maps each version of a file to the handle that holds its copy, so that paging through a file copies it once.
 * @module
 */
import type { ReferenceRequest } from "./handles.ts";

/** Copies that are remembered; the oldest are forgotten first, and made again when they are wanted. */
const MAX_COPIES = 256;

/** Remembers copies, as long as the process lives. */
export interface FileCopies {
  /** @returns undefined when there is none that lives until then. */
  find(request: ReferenceRequest, untilMs: number): string | undefined;
  /** Remembers one whose file has a version. */
  add(request: ReferenceRequest, id: string, expiresMs: number): void;
}

/** Nothing is remembered yet. */
export function makeFileCopies(): FileCopies {
  const copies = new Map<string, { readonly id: string; readonly expiresMs: number }>();
  return {
    find(request, untilMs) {
      const copy = copies.get(keyOf(request));
      return copy !== undefined && copy.expiresMs >= untilMs ? copy.id : undefined;
    },
    add(request, id, expiresMs) {
      if (request.source.version === undefined) return;
      copies.delete(keyOf(request)); // a key keeps its place in the order of a Map
      copies.set(keyOf(request), { id, expiresMs });
      const [oldest] = copies.keys();
      if (copies.size > MAX_COPIES && oldest !== undefined) copies.delete(oldest);
    },
  };
}

function keyOf({ kind, owner, source: { path, version }, meta = {} }: ReferenceRequest): string {
  return JSON.stringify([kind, owner, path, version, meta]);
}
