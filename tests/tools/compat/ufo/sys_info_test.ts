import assert from "node:assert/strict";
import { makeTestApp } from "../../../support/app.ts";

Deno.test("SYS_INFO answers under both of its names, as structured data", async () => {
  await using app = await makeTestApp();
  for (const name of ["SYS_INFO", "get_system_info"]) {
    const answer = await app.call(name, { info_type: "memory" });
    assert.equal(answer.tool, "SYS_INFO");
    assert.ok(answer.record);
    const { info_type, data, timestamp } = JSON.parse(answer.text);
    assert.equal(info_type, "memory");
    assert.match(data.total, /^[\d.]+(?:MB|GB|TB)$/);
    assert.deepEqual(Object.keys(data).slice(0, 6), ["total", "used", "free", "available", "swap_total", "swap_used"]);
    assert.ok(!Number.isNaN(Date.parse(timestamp)));
  }
});

Deno.test("SYS_INFO without a type describes the operating system, as UFO's own server does", async () => {
  await using app = await makeTestApp();
  const { info_type } = await app.result("get_system_info");
  assert.equal(info_type, "os");
});

Deno.test("SYS_INFO refuses other types and names those that there are", async () => {
  await using app = await makeTestApp();
  const { error } = await app.call("SYS_INFO", { info_type: "everything" });
  assert.equal(error?.code, "INVALID_ARGUMENT");
  assert.match(error.message, /memory.*disk.*cpu.*network.*hardware.*os/);
});
