/**
 * The sample configurations for nginx and Caddy, unchanged except for names and ports, in front of the executable.
 * @module
 */
import { Sandbox, startHttp } from "../support/binary.ts";
import { DebianRoot } from "./debian_root.ts";
import { checkFaces } from "./faces_behind.ts";
import { startCaddy, startNginx } from "./proxies.ts";

// The SDK's clients leave timers behind when they close.
const options = { sanitizeOps: false, sanitizeResources: false };

Deno.test("nginx with the sample serves every face", options, async (t) => {
  await using root = await DebianRoot.make();
  await using box = await Sandbox.make({ "a.txt": "hello\n" });
  await using server = await startHttp(box);
  await using proxy = await startNginx(root, server);
  await checkFaces(t, proxy, server);
});

Deno.test("Caddy with the sample serves every face", options, async (t) => {
  await using root = await DebianRoot.make();
  await using box = await Sandbox.make({ "a.txt": "hello\n" });
  await using server = await startHttp(box);
  await using proxy = await startCaddy(root, server);
  await checkFaces(t, proxy, server);
});
