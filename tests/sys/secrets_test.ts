import assert from "node:assert/strict";
import { makeSecretCheck, secretName } from "../../src/sys/secrets.ts";

Deno.test("makeSecretCheck: takes the secret itself and nothing like it", () => {
  const isRight = makeSecretCheck("correct-horse-battery");
  assert.equal(isRight("correct-horse-battery"), true);
  const wrong = [
    "",
    "correct-horse-batter",
    "correct-horse-battery\0",
    "correct-horse-batterY",
    "\0",
    "correct-horse-battery ",
  ];
  for (const given of [...wrong, "x".repeat(5_000), "é".repeat(1_000), "\ud800"]) assert.equal(isRight(given), false);
});

Deno.test("makeSecretCheck: a text that only begins like a long secret is wrong", () => {
  const secret = "s".repeat(1_000), isRight = makeSecretCheck(secret);
  assert.equal(isRight(secret), true);
  assert.equal(isRight(secret + "s"), false);
  assert.equal(isRight("s".repeat(1_024)), false);
  assert.throws(() => makeSecretCheck("s".repeat(1_025)), RangeError);
});

Deno.test("secretName: is the same for the same secret, another for another, and holds nothing of it", () => {
  assert.equal(secretName("abcdefgh12345678"), secretName("abcdefgh12345678"));
  assert.notEqual(secretName("abcdefgh12345678"), secretName("abcdefgh12345679"));
  assert.match(secretName("abcdefgh12345678"), /^[0-9a-f]{16}$/);
});
