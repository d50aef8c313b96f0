import assert from "node:assert/strict";
import { makeReport } from "../../src/sandbox/level.ts";
import type { MachineSettings } from "../../src/sandbox/machine_settings.ts";

const MACHINE: MachineSettings = {
  kernel: "6.8.0",
  securityModules: ["capability", "landlock", "apparmor"],
  forbidding: [],
  container: "",
  isRoot: false,
  install: (name) => `sudo apt-get install -y ${name}`,
  asRoot: (command) => `sudo ${command}`,
};

function adviceOf(landlockAbi: number, reason: string | null, machine: Partial<MachineSettings> = {}): string {
  const bubblewrap = { works: reason === null, reason: reason ?? "", version: "" };
  const found = { landlockAbi, bubblewrap, unconfined: false, root: false };
  return makeReport(found, () => ({ ...MACHINE, ...machine })).advice;
}

Deno.test("makeReport: advises the one command that helps on this machine", () => {
  const noMap = "bwrap: setting up uid map: Permission denied";
  const forbidding = [{ key: "kernel.apparmor_restrict_unprivileged_userns", value: "0" }];
  assert.equal(adviceOf(6, null), "");
  assert.equal(adviceOf(6, "/usr/bin/bwrap is not installed"), "sudo apt-get install -y bubblewrap");
  assert.equal(
    adviceOf(6, noMap, { forbidding }),
    "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
  );
  assert.match(
    adviceOf(6, noMap, { container: "docker" }),
    /^run the container with --security-opt seccomp=unconfined/,
  );
  assert.match(adviceOf(6, noMap), /AppArmor or SELinux profile/);
  assert.equal(
    adviceOf(6, "exit code 1: bwrap: loopback: Failed RTM_NEWADDR"),
    "run the container with --cap-add NET_ADMIN",
  );
  assert.equal(adviceOf(6, "exit code 1: something new\nmore"), "bubblewrap does not work here: something new");
});

Deno.test("makeReport: without Landlock it says what the kernel lacks", () => {
  assert.equal(adviceOf(0, null, { kernel: "5.4.0" }), "boot Linux 5.13 or newer");
  assert.equal(
    adviceOf(0, null, { securityModules: ["capability", "apparmor"] }),
    "boot with lsm=landlock,capability,apparmor on the kernel's command line",
  );
  assert.match(adviceOf(0, null, { container: "docker" }), /seccomp=unconfined/);
});

Deno.test("makeReport: asks nothing of the machine where everything holds", () => {
  const found = {
    landlockAbi: 6,
    bubblewrap: { works: true, reason: "", version: "0.11" },
    unconfined: false,
    root: false,
  };
  assert.equal(makeReport(found, () => assert.fail("nobody asked")).level, "full");
});
