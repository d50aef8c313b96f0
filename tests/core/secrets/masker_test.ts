import assert from "node:assert/strict";
import { makeMasker } from "../../../src/core/secrets/masker.ts";
import { plantSecrets } from "../../support/planted_secrets.ts";

Deno.test("makeMasker gives one secret the same placeholder everywhere, and another one to another", () => {
  const [one, other] = plantSecrets().filter(({ format }) => format === "github").map(({ secret }) => secret);
  const masker = makeMasker(), masked = masker.mask(`${one} ${other} ${one}`).split(" ");
  assert.match(masked[0] ?? "", /^«secret:GITHUB~[0-9a-f]{8}»$/);
  assert.equal(masked[0], masked[2]);
  assert.notEqual(masked[0], masked[1]);
  assert.equal(makeMasker().mask(one ?? ""), masked[0]);
});

Deno.test("makeMasker masks values of files by name, common words only behind their name, and shows what is allowed", () => {
  const masker = makeMasker();
  masker.learn([
    { name: "OPENAI_API_KEY", value: "k9-Very-Own-Format", isCommon: false },
    { name: "DB_PASSWORD", value: "postgres", isCommon: true },
    { name: "SHOWN_KEY", value: "fixture-value-123", isCommon: false },
  ], [{ name: "SHOWN_KEY", value: "fixture-value-123", isCommon: false }]);
  assert.equal(
    masker.mask("x k9-Very-Own-Format postgres DB_PASSWORD: 'postgres' DB_PASSWORD=postgresql fixture-value-123"),
    "x «secret:OPENAI_API_KEY» postgres DB_PASSWORD: '«secret:DB_PASSWORD»' DB_PASSWORD=postgresql fixture-value-123",
  );
});

Deno.test("makeMasker gives back exactly what it masked, and names placeholders that were never given out", () => {
  const masker = makeMasker(), unknown: string[] = [];
  const text = plantSecrets().map(({ line }) => line).join("\n"), masked = masker.maskValue({ a: [text], b: 1 });
  assert.notEqual(masked.a[0], text);
  assert.deepEqual(masker.revealValue(masked, (name) => unknown.push(name)), { a: [text], b: 1 });
  masker.revealValue("«secret:NEVER»", (name) => unknown.push(name));
  assert.deepEqual(unknown, ["«secret:NEVER»"]);
});

Deno.test("makeMasker returns the same value where there is no secret", () => {
  const value = { a: ["one", { b: "two" }] };
  assert.equal(makeMasker().maskValue(value), value);
});

Deno.test("makeMasker reads text that begins thousands of keys and ends none without looking for each end again", () => {
  const { mask } = makeMasker(), text = "-----BEGIN PRIVATE KEY-----\n".repeat(80_000);
  assert.equal(mask(text), text); // to look through the rest for each would be a hundred billion steps
});
