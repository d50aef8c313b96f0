/** Names owners in records without saying who they are. @module */
import { secretName } from "../sys/secrets.ts";

/** The same owner always has the same name; from the name nobody gets back to the token in it. */
export function hashOwner(owner: string): string {
  return secretName(owner);
}
