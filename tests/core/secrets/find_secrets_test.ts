import assert from "node:assert/strict";
import { findSecrets } from "../../../src/core/secrets/find_secrets.ts";
import { readFormats } from "../../../src/core/secrets/formats.ts";
import { plantKey, plantSecrets } from "../../support/planted_secrets.ts";

const found = (text: string): string[] => findSecrets(text).map(({ start, end }) => text.slice(start, end));

Deno.test("findSecrets finds a secret of every format in every kind of line", () => {
  for (const { format, secret, line } of plantSecrets()) {
    const hits = found(line);
    assert.ok(
      hits.some((hit) => hit.includes(secret) || secret.includes(hit) && hit.length > 20),
      `${format}: ${line}`,
    );
    assert.ok(!hits.reduce((text, hit) => text.replace(hit, "*"), line).includes(secret), format);
  }
});

Deno.test("findSecrets finds all of many secrets in one text", () => {
  const planted = plantSecrets(), text = planted.map(({ line }) => line).join("\n");
  const masked = found(text).reduce((rest, hit) => rest.replace(hit, "*"), text);
  assert.deepEqual(planted.filter(({ secret }) => masked.includes(secret)), []);
});

Deno.test("findSecrets leaves ordinary text alone", () => {
  for (
    const text of [
      "import { skip } from './sk-button.css'; // task-force-one-two-three-four-five-six-seven",
      "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "https://user@example.org/path?key=value http://localhost:8080/a:b@c",
      "postgres://user:password@localhost/db mysql://root:${PASSWORD}@db/x",
      "TOKEN=$(cat file) KEY=value Bearer <token> Authorization: Bearer YOUR_TOKEN_GOES_HERE_PLEASE",
      "-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA1234567890abcdef\n-----END CERTIFICATE-----",
      "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA1234567890abcdef\n-----END PUBLIC KEY-----",
      "eyJhbGciOiJIUzI1NiJ9 xoxb- ghp_short npm_config_registry=https://x.example/ hf_transfer SG.x",
    ]
  ) assert.deepEqual(found(text), [], text);
});

Deno.test("findSecrets hides each line of a private key: whole, cut, in JSON, behind the prefixes of grep", () => {
  const { text, lines } = plantKey(), json = JSON.stringify({ key: text });
  const grep = text.trimEnd().split("\n").map((line, at) => `src/key.pem-${at + 1}-${line}`).join("\n");
  const cut = text.slice(0, 500);
  for (const shown of [text, json, grep, cut, `a\n${text}b\n`, text.replaceAll("\n", "\r\n")]) {
    const masked = found(shown).reduce((rest, hit) => rest.replace(hit, "*"), shown);
    for (const line of lines) assert.ok(!masked.includes(line), `${line} in ${masked}`);
    assert.equal(masked.split("\n").length, shown.split("\n").length);
  }
});

Deno.test("findSecrets hides what is shown of a secret whose line was cut", () => {
  const secret = plantSecrets().find(({ format }) => format === "github")?.secret ?? "";
  assert.deepEqual(found(`a = "${secret.slice(0, 20)}…[+500]`), [secret.slice(0, 20)]);
  assert.deepEqual(found(`[+300]…${secret.slice(12)}" b`), [secret.slice(12)]);
});

/** Generated worst cases: what begins like a secret, again and again, and then does not go on. */
Deno.test("findSecrets comes to an end whatever the text, and masks what it did not look at", () => {
  const anchors = [...new Set(readFormats().flatMap((format) => format.anchors)), "://", "://a:"];
  const keys = ["-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----\nA: b\n"];
  const fillers = ["", "-", "_", "a-", "eyJa.", "A1a", "=", ":", "x".repeat(40), "\n\n"];
  for (const anchor of [...anchors, ...keys]) {
    for (const filler of fillers) {
      const piece = anchor + filler, text = piece.repeat(Math.ceil(30_000 / piece.length));
      findSecrets(text); // a pattern that backtracks without bound would take hours
    }
  }
  const secret = plantSecrets().find(({ format }) => format === "github")?.secret ?? "";
  const hidden = `${"ghp_-".repeat(100_000)} ${secret}`;
  assert.ok(found(hidden).some((hit) => hit.includes(secret)));
});
