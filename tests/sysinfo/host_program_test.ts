import assert from "node:assert/strict";
import { findHostProgram, runHostProgram } from "../../src/sysinfo/host_program.ts";
import { holdTimers } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { tempTree } from "../support/temp_tree.ts";

const SHELL = "/bin/sh";
const WIDE = { timeoutMs: 10_000, maxBytes: 1024 * 1024 };

Deno.test("a program of the system gets no environment but the fixed one", async () => {
  const { stdout } = await runHostProgram(SHELL, ["-c", "env"], WIDE);
  const names = stdout.trim().split("\n").map((line) => line.split("=")[0]).filter((name) =>
    name !== "PWD" && name !== "_"
  );
  assert.deepEqual(names.sort(), ["LC_ALL", "SYSTEMD_COLORS", "SYSTEMD_PAGER", "SYSTEMD_URLIFY"]);
});

Deno.test("output is cut at its bound, and the program is stopped", async () => {
  using _deadline = holdTimers(WIDE.timeoutMs); // which does not come
  const endless = ["-c", "while :; do echo 12345678; done"];
  const { stdout, cut } = await runHostProgram(SHELL, endless, { ...WIDE, maxBytes: 1000 });
  assert.equal(stdout.length, 1000);
  assert.ok(cut);
});

Deno.test("a program that does not end is stopped, and what it said is kept", async () => {
  await using tree = await tempTree({});
  using deadline = holdTimers(WIDE.timeoutMs);
  const running = runHostProgram(SHELL, ["-c", 'echo begun; echo >"$0"; exec sleep 60', tree.path("ready")], WIDE);
  await eventually(() => Deno.stat(tree.path("ready")));
  await deadline.goOff();
  assert.deepEqual(await running, { stdout: "begun\n", complaint: "", cut: true });
});

Deno.test("complaints are kept apart", async () => {
  const { stdout, complaint, cut } = await runHostProgram(SHELL, ["-c", "echo out; echo one >&2; echo two >&2"], WIDE);
  assert.deepEqual({ stdout, complaint, cut }, { stdout: "out\n", complaint: "one\ntwo", cut: false });
});

Deno.test("a program that lies in a root is not started outside of the sandbox", async () => {
  const path = await findHostProgram("env", []);
  assert.ok(path?.endsWith("/env"));
  assert.equal(await findHostProgram("env", ["/usr", "/bin"]), null);
  assert.equal(await findHostProgram("env", ["/"]), path, "with the whole machine as root there is nothing to protect");
  assert.equal(await findHostProgram("no-such-program", []), null);
});
