import assert from "node:assert/strict";
import { childrenOf } from "../../src/sandbox/process_group.ts";
import { limitChild } from "../../src/sandbox/child_limits.ts";
import { limitOf } from "../../src/sandbox/sweep.ts";
import { openLibc } from "../../src/sys/libc.ts";
import { eventually } from "../support/eventually.ts";

const libc = openLibc();

const BOUNDS = { memoryBytes: 1e12, processes: 1e6, diskBytes: 1e12, cpuSec: 1e6 };

Deno.test("limitChild marks what a child has started already, in whatever session", async () => {
  const script = "setsid sleep 61.5 & sleep 61.5 & exec sleep 61.5";
  const child = new Deno.Command("/bin/sh", { args: ["-c", script], stdin: "null" }).spawn();
  const mark = limitOf("1-0123abcd", "4567cdef");
  try {
    const started = await eventually(() => {
      const found = childrenOf(child.pid);
      assert.equal(found.length, 2);
      return found;
    });
    limitChild(libc, child.pid, mark, BOUNDS, false);
    for (const pid of [child.pid, ...started]) {
      const limits = await Deno.readTextFile(`/proc/${pid}/limits`);
      assert.match(limits, new RegExp(`^Max realtime timeout +${mark} +${mark} +us`, "m"));
    }
  } finally {
    for (const pid of [...childrenOf(child.pid), child.pid]) Deno.kill(pid, "SIGKILL");
    await child.status;
  }
});
