import assert from "node:assert/strict";
import type { HostText } from "../../../src/sysinfo/machine_facts.ts";
import { sysServices } from "../../../src/tools/sys/services.ts";
import { makeTestApp } from "../../support/app.ts";
import { DESKTOP, factsOf } from "./machines.ts";
import { withFacts } from "./support.ts";

const UNITS: HostText = {
  source: "systemd",
  text: `cron.service    loaded active running Regular background program processing daemon
ssh.service     loaded active running OpenBSD Secure Shell server
getty@tty1.service loaded active running Getty on tty1
apparmor.service loaded active exited Load AppArmor profiles
nginx.service   loaded failed failed  A high performance web server
rsync.service   loaded inactive dead  fast remote file copy program daemon
`,
  reason: "",
  cut: false,
};
const call = (args: object, services = UNITS) => withFacts(factsOf({ ...DESKTOP, services })).call(sysServices, args);

Deno.test("linux.sys_services lists what runs, a line for each", async () => {
  const { result, text } = await call({});
  assert.deepEqual(result.services.map(({ name }) => name), ["cron", "ssh", "getty@tty1"]);
  assert.equal(result.total, 3);
  assert.equal(
    text,
    "cron Regular background program processing daemon\nssh OpenBSD Secure Shell server\ngetty@tty1 Getty on tty1",
  );
});

Deno.test("linux.sys_services filters by state, by part of a name and by glob", async () => {
  assert.deepEqual((await call({ state: "failed" })).text, "nginx failed A high performance web server");
  assert.deepEqual((await call({ state: "all", pattern: "SS" })).result.services.map(({ name }) => name), ["ssh"]);
  assert.deepEqual((await call({ state: "all", pattern: "*r*n*" })).result.services.map(({ name }) => name), [
    "cron",
    "rsync",
  ]);
  assert.equal((await call({ pattern: "nginx" })).text, "No service like 'nginx' is running.");
  const { services } = (await call({ state: "active", pattern: "apparmor" })).result;
  assert.deepEqual(services, [{ name: "apparmor", state: "active/exited", description: "Load AppArmor profiles" }]);
});

Deno.test("linux.sys_services is bounded and says so", async () => {
  const { result, text } = await call({ state: "all", max_results: 2 });
  assert.deepEqual([result.services.length, result.total, result.truncated], [2, 6, true]);
  assert.match(text, /\n\[2 of 6 · narrow with 'pattern'\]$/);
});

Deno.test("linux.sys_services says plainly that systemd does not run", async () => {
  const { result, text } = await withFacts(factsOf(DESKTOP)).call(sysServices);
  assert.deepEqual(result, {
    available: false,
    reason: "systemd does not run here; process 1 is 'init'",
    services: [],
    total: 0,
    truncated: false,
  });
  assert.equal(text, "No services: systemd does not run here; process 1 is 'init'.");
});

Deno.test("linux.sys_services answers on this machine, with systemd or without", async () => {
  await using app = await makeTestApp();
  const answer = await app.call("linux.sys_services", { state: "all" });
  assert.equal(answer.error, undefined, answer.text);
  assert.ok(answer.text.length > 10);
});
