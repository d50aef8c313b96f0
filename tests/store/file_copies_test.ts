import assert from "node:assert/strict";
import { makeFileCopies } from "../../src/store/file_copies.ts";

const request = (path: string) => ({
  kind: "file",
  owner: "a",
  source: { path, sizeBytes: 1, mtimeMs: 1, version: "1" },
});

Deno.test("of more copies than are remembered the oldest are forgotten", () => {
  const copies = makeFileCopies();
  for (let index = 0; index < 256; index++) copies.add(request(`/${index}`), `${index}`, 1);
  copies.add(request("/0"), "again", 1);
  copies.add(request("/256"), "256", 1);
  assert.equal(copies.find(request("/0"), 0), "again");
  assert.equal(copies.find(request("/1"), 0), undefined);
  assert.equal(copies.find(request("/2"), 0), "2");
});
