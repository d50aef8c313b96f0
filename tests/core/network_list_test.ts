import assert from "node:assert/strict";
import { comparableName, NETWORK_ENTRY, NETWORK_SETS, readNetworkList, ruleFor } from "../../src/core/network_list.ts";

Deno.test("ruleFor allows listed names at listed ports, and names below a wildcard", () => {
  const rules = readNetworkList(["example.org", "*.example.net:8443", "private:db.local:5432", "@npm"]);
  const allows = (host: string, port: number): boolean =>
    ruleFor(rules, comparableName(host) ?? "", port) !== undefined;
  for (
    const [host, port] of [
      ["example.org", 443],
      ["EXAMPLE.org.", 80],
      ["a.example.net", 8443],
      ["a.b.example.net", 8443],
      ["db.local", 5432],
      ["registry.npmjs.org", 443],
    ] as const
  ) assert.ok(allows(host, port), `${host}:${port}`);
  for (
    const [host, port] of [
      ["example.org", 22],
      ["www.example.org", 443],
      ["notexample.org", 443],
      ["example.org.evil.test", 443],
      ["example.net", 8443],
      [".example.net", 8443],
      ["evilexample.net", 8443],
      ["a.example.net", 443],
      ["registry.npmjs.org", 80],
    ] as const
  ) assert.ok(!allows(host, port), `${host}:${port}`);
});

Deno.test("comparableName takes no address in any notation, and nothing else that cannot be a name", () => {
  for (
    const host of [
      "127.0.0.1",
      "127.1",
      "2130706433",
      "0x7f.1",
      "0x7f000001",
      "0177.0.0.1",
      "1.2.3.4.",
      "::1",
      "[::1]",
      "a b",
      "a\0.example.org",
      "a%2eexample.org",
      "",
      ".",
      "..",
      "-a.example.org",
      "ⓔxample.org",
      "a".repeat(64),
      `${"a.".repeat(150)}b`,
    ]
  ) assert.equal(comparableName(host), null, host);
});

Deno.test("NETWORK_ENTRY refuses addresses, stars in the middle, and everything", () => {
  for (const entry of ["*", "*.*", "1.2.3.4", "[::1]:80", "a.*.org", "http://a.org", "a.org:0", "a.org/", "A.org"]) {
    assert.ok(!NETWORK_ENTRY.test(entry), entry);
  }
  for (const entry of Object.values(NETWORK_SETS).flat()) assert.ok(NETWORK_ENTRY.test(entry), entry);
});
