import type { Check } from "../../src/sandbox/permission_check.ts";
import assert from "node:assert/strict";
import { tempTree } from "../support/temp_tree.ts";
import { LANDLOCK, needing } from "../support/needs.ts";

const PROGRAM = new URL("old_thread.ts", import.meta.url).pathname;

Deno.test({
  ...needing("the self-test notices a thread of the runtime that is older than the domain", LANDLOCK),
  async fn() {
    await using tree = await tempTree({ "inside/own": "own" });
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", PROGRAM, tree.root],
      stderr: "inherit",
    }).output();
    assert.ok(success);
    const checks: Check[] = JSON.parse(new TextDecoder().decode(stdout));
    const outcomes = Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));
    assert.equal(outcomes["threads list the canary's folder"], "leaked");
    assert.equal(outcomes["control: server reads its own data"], "held");
  },
});
