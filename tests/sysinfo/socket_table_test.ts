/** Reading the kernel's socket tables. @module */
import assert from "node:assert/strict";
import { readSocketTable } from "../../src/sysinfo/socket_table.ts";

const HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
const row = (local: string, remote: string, state: string, inode: number) =>
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0000000000000000 100 0 0 10 0\n`;

Deno.test("readSocketTable gives the sockets that listen, with addresses as people write them", () => {
  const table = HEAD + row("0100007F:1F90", "00000000:0000", "0A", 11) +
    row("0100007F:1F91", "0100007F:C350", "01", 12);
  assert.deepEqual(readSocketTable(table, "tcp"), [{ address: "127.0.0.1", port: 8080, inode: 11 }]);
});

Deno.test("readSocketTable writes IPv6 short, and mapped addresses as IPv4", () => {
  const addresses = [
    "00000000000000000000000000000000",
    "00000000000000000000000001000000",
    "0000000000000000FFFF00000100007F",
    "B80D0120000000000000000001000000",
  ];
  const table = HEAD +
    addresses.map((hex, i) => row(`${hex}:0016`, "00000000000000000000000000000000:0000", "0A", i)).join("");
  assert.deepEqual(readSocketTable(table, "tcp").map(({ address }) => address), [
    "::",
    "::1",
    "127.0.0.1",
    "2001:db8::1",
  ]);
});

Deno.test("readSocketTable takes UDP sockets without a peer", () => {
  const table = HEAD + row("00000000:0044", "00000000:0000", "07", 5) + row("00000000:0045", "0100007F:0035", "01", 6);
  assert.deepEqual(readSocketTable(table, "udp").map(({ port }) => port), [68]);
  assert.deepEqual(readSocketTable("", "udp"), []);
});
