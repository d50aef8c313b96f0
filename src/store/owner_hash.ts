/** Hashes owners, so that records do not reveal who they are. @module */
import { secretName } from "../sys/secrets.ts";

/** Owners whose names are remembered; making one takes as long as a tenth of a small call. */
const MAX_KNOWN = 256;
const known = new Map<string, string>();

/** The same owner always has the same name; the token in it cannot be recovered from the name. */
export function hashOwner(owner: string): string {
  const name = known.get(owner) ?? secretName(owner);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(owner, name);
  return name;
}
