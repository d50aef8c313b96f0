import assert from "node:assert/strict";
import { nearest } from "../../src/config/suggest.ts";

const KNOWN = ["host", "port", "tls_enabled", "tls_cert_file", "allowed_hosts", "allowed_origins"];

Deno.test("nearest finds a name through missing, added, wrong and swapped letters", () => {
  const cases = {
    prot: "port",
    porrt: "port",
    pert: "port",
    hots: "host",
    alowed_host: "allowed_hosts",
    TLS_ENABLD: "tls_enabled",
  };
  for (const [wrong, right] of Object.entries(cases)) assert.equal(nearest(wrong, KNOWN), right);
});

Deno.test("nearest takes swapped letters for one error, which matters in short names", () => {
  assert.equal(nearest("rga", ["te", "rag"]), "rag");
  assert.equal(nearest("rbx", ["te", "rag"]), undefined);
});

Deno.test("nearest finds the name that a shorter one begins", () => {
  assert.equal(nearest("tls", KNOWN), "tls_enabled");
  assert.equal(nearest("token", ["mode", "token_env"]), "token_env");
});

Deno.test("nearest suggests nothing for a name that is like none", () => {
  for (const wrong of ["", "x", "zz", "workers", "po", "colour_scheme"]) {
    assert.equal(nearest(wrong, KNOWN), undefined, wrong);
  }
});

Deno.test("nearest counts a swap as one error, in the middle and at the ends, and no more than eight errors", () => {
  assert.equal(nearest("read_fiel", ["read_file", "read_line"]), "read_file");
  assert.equal(nearest("ra_file_x", ["ar_file_x"]), "ar_file_x");
  const long = "a".repeat(200);
  assert.equal(nearest(`x${long}x`, [`y${long}y`]), `y${long}y`);
  assert.equal(nearest("x".repeat(60), [`${"x".repeat(50)}${"y".repeat(10)}`]), undefined);
});
