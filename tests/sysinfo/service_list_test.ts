import assert from "node:assert/strict";
import { isInState, readServices } from "../../src/sysinfo/service_list.ts";

const LIST = `cron.service                loaded    active   running Regular background program processing daemon
● nginx.service               loaded    failed   failed  A high performance web server
  systemd-fsck@dev-sda1.service loaded    active   exited  File System Check on /dev/sda1
auditd.service              not-found inactive dead    auditd.service
bare.service loaded inactive dead
dbus.socket loaded active running D-Bus
`;

Deno.test("readServices reads units with and without marks, and leaves out those that do not exist", () => {
  assert.deepEqual(readServices(LIST), [
    { name: "cron", active: "active", sub: "running", description: "Regular background program processing daemon" },
    { name: "nginx", active: "failed", sub: "failed", description: "A high performance web server" },
    { name: "systemd-fsck@dev-sda1", active: "active", sub: "exited", description: "File System Check on /dev/sda1" },
    { name: "bare", active: "inactive", sub: "dead", description: "" },
  ]);
});

Deno.test("isInState tells running from merely active", () => {
  const names = (state: Parameters<typeof isInState>[1]) =>
    readServices(LIST).filter((service) => isInState(service, state)).map(({ name }) => name);
  assert.deepEqual(names("running"), ["cron"]);
  assert.deepEqual(names("active"), ["cron", "systemd-fsck@dev-sda1"]);
  assert.deepEqual(names("failed"), ["nginx"]);
  assert.deepEqual(names("inactive"), ["bare"]);
  assert.equal(names("all").length, 4);
});
