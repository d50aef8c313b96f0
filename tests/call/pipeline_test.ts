import assert from "node:assert/strict";
import { makeTestApp } from "../support/app.ts";

Deno.test("a call that its client cancelled, for whatever reason, is no fault of the server", async () => {
  await using test = await makeTestApp();
  for (const reason of ["the user pressed stop", new Error("no longer wanted"), undefined]) {
    const { error } = await test.call("run_cmd", { command: "true" }, { signal: AbortSignal.abort(reason) });
    assert.equal(error?.code, "TIMEOUT");
    assert.equal(error.message, "the call was cancelled");
  }
  assert.doesNotMatch(test.log.join(), /unexpected error/);
});
