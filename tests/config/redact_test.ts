import assert from "node:assert/strict";
import { maskLine, maskText, maskValue } from "../../src/config/redact.ts";

Deno.test("maskText hides user and password of every URL and nothing else", () => {
  assert.equal(maskText("https://ann:s3cret@host/v1?a=b@c"), "https://***@host/v1?a=b@c");
  assert.equal(maskText("see http://token@a:1 and HTTP://u:p@b"), "see http://***@a:1 and HTTP://***@b");
  assert.equal(maskText("https://host/path@2"), "https://host/path@2");
});

Deno.test("maskLine cuts what is assigned to a key that sounds like a secret", () => {
  assert.equal(maskLine('token = "s3cret"'), "token = …");
  assert.equal(maskLine('  mcp.auth."api_key"="s3cret" # x'), '  mcp.auth."api_key"= …');
  assert.equal(maskLine('token_env = "s3cret"'), "token_env = …");
  assert.equal(maskLine("password = 's3cret'"), "password = …");
});

Deno.test("maskLine keeps keys that only mention tokens", () => {
  for (const line of ["result_tokens = 8", "token_budget = 600", "csv_token_audit_enabled = 1", "[mcp.auth]"]) {
    assert.equal(maskLine(line), line);
  }
});

Deno.test("maskValue reaches texts in lists and tables and leaves the original alone", () => {
  const value = { a: ["http://u:p@h"], b: { c: "ftp://u@h", d: 1, e: null } };
  assert.deepEqual(maskValue(value), { a: ["http://***@h"], b: { c: "ftp://***@h", d: 1, e: null } });
  assert.equal(value.a[0], "http://u:p@h");
});
