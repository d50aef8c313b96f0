import assert from "node:assert/strict";
import { parseResourceUri, resourceUri } from "../../../../src/server/mcp/resources/resource_uri.ts";

Deno.test("an address of a resource leads back to what it was made from", () => {
  const ids = ["a.txt", "src/app.ts", "/home/me/ä b.txt", "100%", "a#b?c", "..", "H_file_x"];
  for (const id of ids) assert.deepEqual(parseResourceUri(resourceUri("file", id)), { kind: "file", id });
});

Deno.test("a slash may be written as such or encoded", () => {
  assert.deepEqual(parseResourceUri("llmc://file/a%2Fb"), { kind: "file", id: "a/b" });
  assert.deepEqual(parseResourceUri("llmc://file/a/b"), { kind: "file", id: "a/b" });
  assert.deepEqual(parseResourceUri("llmc://file//a/b"), { kind: "file", id: "/a/b" });
});

Deno.test("nothing is decoded twice", () => {
  assert.deepEqual(parseResourceUri("llmc://file/%252e%252e%252fx"), { kind: "file", id: "%2e%2e%2fx" });
});

Deno.test("an address that is not exactly one of ours is none", () => {
  const wrong = [
    ...[
      "",
      "llmc://",
      "llmc://file",
      "llmc://file/",
      "llmc:/file/a",
      "LLMC://file/a",
      "http://file/a",
      " llmc://file/a",
    ],
    ...["llmc://File/a", "llmc://fi.le/a", "llmc://file/a?b", "llmc://file/a#b", "llmc://file/%", "llmc://file/%zz"],
    ...["llmc://file/%ff", "llmc://file/a%00b", "llmc://file/a%0Ab", "llmc://file/a\nb", "llmc://file/%1b[2J"],
    `llmc://file/${"a".repeat(17_000)}`,
  ];
  for (const uri of wrong) assert.equal(parseResourceUri(uri), null, JSON.stringify(uri.slice(0, 60)));
});
