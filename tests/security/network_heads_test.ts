/**
 * Generates requests to the allowlist proxy: a forwarded request has one interpretation only, with the checked
 * address.
 * @module
 */
import assert from "node:assert/strict";
import { comparableName } from "../../src/core/network_list.ts";
import { readRequestHead } from "../../src/sandbox/network/request_head.ts";
import { makeRandom, type Random } from "../support/random.ts";

/** `make security` tries more. */
const HEADS = Number(Deno.env.get("SECURITY_HEADS") ?? 5_000);
const SEED = Number(Deno.env.get("SECURITY_SEED") ?? 1);

const METHODS = ["GET", "POST", "CONNECT", "PUT", "get", "G T", "", "OPTIONS", "GET\t", "DELETE"];
const HOSTS = [
  "listed.example",
  "LISTED.example.",
  "127.0.0.1",
  "[::1]",
  "0x7f.1",
  "other.example",
  "a@listed.example",
  "listed.example:80:81",
  "",
  "ⓔ.example",
]; // deno-fmt-ignore
const SCHEMES = ["http://", "HTTP://", "https://", "//", "", "http:/", "http://user:pass@", "http://listed.example#@"];
const PORTS = ["", ":80", ":443", ":0", ":99999", ":080", ":8 0", ":"];
const PATHS = ["/", "/a?b=c", "?x", "#f", "", "/\r\nHost: other.example", "/ HTTP/1.1\r\nX: y", "/\0", "/a b", "*"];
const HEADERS = [
  "Host: other.example",
  "host: 127.0.0.1",
  "Host : x",
  " folded",
  "Content-Length: 5",
  "Content-Length: 5, 6",
  "Content-Length: -1",
  "Content-Length: 0x5",
  "Transfer-Encoding: chunked",
  "transfer-encoding:\tidentity",
  "Connection: keep-alive, Host",
  "Upgrade: h2c",
  "Proxy-Authorization: Basic eA==",
  "Expect: 100-continue",
  "X: a\rb",
  "X: a\nHost: other.example",
  "X\0: y",
  ": empty",
  "Accept: */*",
  "Cookie: a=b",
]; // deno-fmt-ignore
const ENDS = ["\r\n", "\r\n", "\r\n", "\n", "\r", "\r\n\t"];
const VERSIONS = [" HTTP/1.1", " HTTP/1.0", " HTTP/1.1 ", " HTTP/2", "", " http/1.1", "  HTTP/1.1"];

function makeHead(random: Random): string {
  /** Mostly the usual one, which is the first: a head with many faults is refused for any of them. */
  const one = (choices: readonly string[]) => random.chance(0.7) ? choices[0] ?? "" : random.pick(choices);
  const first = `${one(METHODS)} ${one(SCHEMES)}${one(HOSTS)}${one(PORTS)}${one(PATHS)}${one(VERSIONS)}`;
  const headers = Array.from({ length: random.below(5) }, () => random.pick(HEADERS));
  return [first, ...headers].reduce((head, line) => `${head}${one(ENDS)}${line}`);
}

Deno.test(`of ${HEADS} generated requests none is sent on with a second meaning`, () => {
  const random = makeRandom(SEED);
  let sent = 0;
  for (let count = 0; count < HEADS; count++) {
    const head = makeHead(random), request = readRequestHead(head);
    if ("status" in request) continue;
    const { name, port, forward, bodyBytes } = request, shown = JSON.stringify(head);
    assert.equal(comparableName(name), name, shown);
    assert.ok(port > 0 && port < 65_536 && Number.isSafeInteger(bodyBytes), shown);
    if (forward === null) continue;
    sent++;
    assert.ok(forward.endsWith("\r\n\r\n") && forward.indexOf("\r\n\r\n") === forward.length - 4, shown);
    const lines = forward.slice(0, -4).split("\r\n"),
      named = (field: RegExp) => lines.filter((line) => field.test(line));
    assert.ok(!lines.some((line) => /[\r\n\0]/.test(line)), shown);
    assert.match(lines[0] ?? "", /^[A-Z]+ \/[^ ]* HTTP\/1\.1$/, shown);
    assert.deepEqual(named(/^host\s*:/i), [`Host: ${port === 80 ? name : `${name}:${port}`}`], shown);
    assert.deepEqual(named(/^(?:transfer-encoding|upgrade|proxy-|expect)/i), [], shown);
    assert.deepEqual(named(/^connection\s*:/i), ["Connection: close"], shown);
    assert.ok(named(/^content-length\s*:/i).length <= 1, shown);
  }
  assert.ok(sent > HEADS / 100, `${sent} of ${HEADS} were sent on: the others would prove nothing`);
});
