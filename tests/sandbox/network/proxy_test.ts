import assert from "node:assert/strict";
import { readNetworkList } from "../../../src/core/network_list.ts";
import { makeProxy } from "../../../src/sandbox/network/proxy.ts";
import { isPublicAddress } from "../../../src/sandbox/network/public_address.ts";

/** Asks a proxy over a real connection; names are resolved by the table, and what it would connect to is noted. */
async function ask(
  text: string,
  { list, names }: { list: readonly string[]; names: Readonly<Record<string, readonly string[]>> },
): Promise<{ answer: string; connected: readonly string[]; refused: readonly string[] }> {
  const connected: string[] = [], refused: string[] = [];
  using upstream = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serving = upstream.accept().then(async (connection) => {
    await connection.write(new TextEncoder().encode("HTTP/1.0 200 OK\r\n\r\nfrom upstream"));
    connection.close();
  }).catch(() => {}); // nobody came
  const proxy = makeProxy({
    rules: readNetworkList(list),
    resolve: (name) => Promise.resolve(names[name] ?? []),
    connect(address, port) {
      connected.push(`${address} ${port}`);
      return Deno.connect({ hostname: "127.0.0.1", port: upstream.addr.port });
    },
    refused: (line) => refused.push(line),
  });
  const client = await Deno.connect({ hostname: "127.0.0.1", port: listener.addr.port });
  const served = proxy.serve(await listener.accept());
  await client.write(new TextEncoder().encode(text));
  const answer = await new Response(client.readable).text();
  await served;
  upstream.close();
  await serving;
  return { answer, connected, refused };
}

const get = (host: string): string => `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

Deno.test("the proxy connects to the address that it checked, once", async () => {
  const { answer, connected } = await ask(get("a.example"), {
    list: ["a.example"],
    names: { "a.example": ["8.8.4.4"] },
  });
  assert.match(answer, /from upstream/);
  assert.deepEqual(connected, ["8.8.4.4 80"]);
});

for (
  const address of ["127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "::1", "fd00::1", "::ffff:127.0.0.1"]
) {
  Deno.test(`the proxy refuses a listed name that leads to ${address}`, async () => {
    // Also as one of several: the next answer may have another order.
    for (const addresses of [[address], ["8.8.4.4", address]]) {
      const { answer, connected, refused } = await ask(get("a.example"), {
        list: ["a.example"],
        names: { "a.example": addresses },
      });
      assert.match(answer, /^HTTP\/1\.1 403 .*a\.example:80: it leads to a private address/s);
      assert.deepEqual(connected, []);
      assert.equal(refused.length, 1);
    }
  });
}

Deno.test("the proxy connects to a private address where the list says so", async () => {
  const { connected } = await ask(get("a.example"), {
    list: ["private:a.example"],
    names: { "a.example": ["10.0.0.1"] },
  });
  assert.deepEqual(connected, ["10.0.0.1 80"]);
});

Deno.test("the proxy names what it refuses", async () => {
  const { answer, refused } = await ask(`CONNECT b.example:443 HTTP/1.1\r\n\r\n`, { list: ["a.example"], names: {} });
  assert.match(answer, /llmc-mcp: b\.example:443: mcp\.tools\.network_allow does not list it/);
  assert.deepEqual(refused, ["b.example:443: mcp.tools.network_allow does not list it"]);
});

Deno.test("isPublicAddress takes only addresses of the public network", () => {
  for (const address of ["8.8.8.8", "151.101.1.69", "2606:4700::6810:85e5", "2a04:4e42::323"]) {
    assert.ok(isPublicAddress(address), address);
  }
  for (
    const address of [
      "0.0.0.0",
      "100.64.0.1",
      "172.16.0.1",
      "172.31.255.255",
      "198.18.0.1",
      "224.0.0.1",
      "255.255.255.255",
      "::",
      "::1",
      "::ffff:8.8.8.8",
      "64:ff9b::7f00:1",
      "2002:7f00:1::",
      "2001::1",
      "2001:0:1::1",
      "2001:db8::1",
      "fe80::1",
      "fc00::1",
      "ff02::1",
      "not an address",
    ]
  ) assert.ok(!isPublicAddress(address), address);
});
