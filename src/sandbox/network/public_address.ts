/** Distinguishes public network addresses from those of this machine and of private networks. @module */
import { BlockList, isIPv4, isIPv6 } from "node:net";
import { once } from "../../core/once.ts";

const NOT_PUBLIC: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

const closed = once(() => {
  const list = new BlockList();
  for (const [network, bits] of NOT_PUBLIC) list.addSubnet(network, bits, "ipv4");
  return list;
});

/** Whether an address is one of the public network. Of IPv6 only 2000::/3 is, without the ways to reach IPv4 through it. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed().check(address, "ipv4");
  return isIPv6(address) && /^[23]/.test(address) && !/^(?:2002|2001:0{0,3}[:0]):?/i.test(address) &&
    !/^2001:(?:db8|0*:)/i.test(address) && !address.includes(".");
}
