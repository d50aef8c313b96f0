/** Confines itself after the runtime has made a thread for it, runs the self-test, and prints what that says. @module */
import { planRuleset, restrictThread } from "../../src/sandbox/landlock.ts";
import { openLibc } from "../../src/sandbox/libc.ts";
import { placeCanary } from "../../src/sandbox/prepare_host.ts";
import { testOwnReads } from "../../src/sandbox/self_test.ts";

const [dir = ""] = Deno.args;
const libc = openLibc();
const canary = placeCanary(`${dir}/outside`, `${dir}/inside`);
await Deno.stat(dir); // lent a thread, which waits for more work for ten seconds
const closed = { readOnly: [], readExecute: [], readWriteNoExecute: [], devices: [], connectPorts: null };
restrictThread(libc, planRuleset({ ...closed, readWrite: [`${dir}/inside`] }));
const checks = await testOwnReads(canary, `${dir}/inside/own`, true);
// deno-lint-ignore no-console -- its result
console.log(JSON.stringify(checks));
