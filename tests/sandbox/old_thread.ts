/** Confines itself after the runtime has created its threads, runs the self-test, and prints the result. @module */
import { planRuleset, restrictThread } from "../../src/sandbox/landlock.ts";
import { openLibc } from "../../src/sys/libc.ts";
import { placeCanary } from "../../src/sandbox/prepare_host.ts";
import { testOwnReads } from "../../src/sandbox/self_test.ts";

const [dir = ""] = Deno.args;
const libc = openLibc();
const canary = placeCanary(`${dir}/outside`, `${dir}/inside`);
// Each is lent a thread, which waits for more work for ten seconds; the self-test asks for as many.
await Promise.all(Array.from({ length: 8 }, () => Deno.stat(dir)));
const closed = { readOnly: [], listed: [], readExecute: [], readWriteNoExecute: [], devices: [], connectPorts: null };
restrictThread(libc, planRuleset({ ...closed, readWrite: [`${dir}/inside`] }));
const checks = await testOwnReads(canary, `${dir}/inside/own`, true);
// deno-lint-ignore no-console -- its result
console.log(JSON.stringify(checks));
