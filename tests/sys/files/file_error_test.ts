import assert from "node:assert/strict";
import { OpsError } from "../../../src/core/error.ts";
import { fileError } from "../../../src/sys/files/file_error.ts";

const codeOf = (error: unknown) => {
  const known = fileError(error, "a.txt");
  return known instanceof OpsError ? known.code : known;
};

Deno.test("fileError says what the operating system refused in the closed table's terms", () => {
  assert.equal(codeOf(new Deno.errors.NotFound()), "NOT_FOUND");
  assert.equal(codeOf(new Deno.errors.PermissionDenied()), "PERMISSION_DENIED");
  assert.equal(codeOf(new Deno.errors.NotCapable()), "PERMISSION_DENIED");
  assert.equal(codeOf(new Deno.errors.IsADirectory()), "IS_DIRECTORY");
  assert.equal(codeOf(new Deno.errors.NotADirectory()), "NOT_A_DIRECTORY");
  assert.equal(
    codeOf(Object.assign(new Error("Input/output error (os error 5)"), { code: "EIO" })),
    "PERMISSION_DENIED",
  );
});

Deno.test("fileError tells a file that is held for a moment from one that is closed", () => {
  const held = fileError(
    Object.assign(new Error("EAGAIN: resource temporarily unavailable"), { code: "EAGAIN" }),
    "a.txt",
  );
  assert.ok(held instanceof OpsError);
  assert.deepEqual([held.message, held.hint], ["another program holds 'a.txt'", "Try again in a moment."]);
});

Deno.test("fileError leaves alone what it does not know", () => {
  const known = new OpsError("TIMEOUT", "late"), fault = new TypeError("a fault of ours");
  assert.equal(fileError(known, "a.txt"), known);
  assert.equal(fileError(fault, "a.txt"), fault);
  assert.equal(fileError("text", "a.txt"), "text");
});
