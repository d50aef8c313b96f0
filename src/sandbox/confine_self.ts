/** Puts the calling worker into its Landlock domain. @module */
import { restrictThread, type Ruleset } from "./landlock.ts";
import { openLibc } from "../sys/libc.ts";

/**
 * Confines the calling worker and everything that it will start, then gives the right to call C functions away.
 *
 * It must come before the worker touches a file: a thread of its pool that is older would stay outside. In the
 * executable that holds, because modules come from memory; the self-test after it would tell.
 */
export function confineSelf(ruleset: Ruleset): void {
  restrictThread(openLibc(), ruleset);
  Deno.permissions.revokeSync({ name: "ffi" });
}
