/** Reads network interfaces with their addresses and state. @module */
import { listFixed, readAllFixed, readFixed } from "./read_fixed.ts";
import type { InterfaceFact } from "./machine_facts.ts";

/** Hosts of many containers have hundreds, all alike. */
const MAX_INTERFACES = 64;

/** Reads them: physical ones before what programs made. */
export async function readInterfaces(): Promise<InterfaceFact[]> {
  const addresses = Map.groupBy(Deno.networkInterfaces(), ({ name }) => name);
  const known = await listFixed("/sys/class/net");
  const names = [...new Set([...known, ...addresses.keys()])].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const traffic = readTraffic(await readFixed("/proc/net/dev"));
  return await Promise.all(
    names.slice(0, MAX_INTERFACES).map(async (name) => {
      const dir = `/sys/class/net/${name}`;
      const { state = "unknown", mac, mtu, speed } = await readAllFixed({
        state: `${dir}/operstate`,
        mac: `${dir}/address`,
        mtu: `${dir}/mtu`,
        speed: `${dir}/speed`, // readable only while there is a link
      });
      return {
        name,
        state,
        addresses: (addresses.get(name) ?? []).map(({ cidr }) => cidr),
        mac: mac ?? addresses.get(name)?.[0]?.mac ?? "",
        mtu: Number(mtu) || 0,
        megabits: Math.max(0, Number(speed) || 0),
        ...traffic.get(name) ?? { receivedBytes: 0, sentBytes: 0 },
      };
    }),
  );
}

/** Loopback last; virtual pairs, bridges and tunnels of containers before it. */
function rank(name: string): number {
  if (name === "lo") return 2;
  return /^(?:veth|br-|docker|virbr|cni|cali|flannel|vnet|tap|ifb|dummy)/.test(name) ? 1 : 0;
}

function readTraffic(table: string): Map<string, { receivedBytes: number; sentBytes: number }> {
  return new Map([...table.matchAll(/^\s*([^\s:]+):(.*)$/gm)].map(([, name = "", rest = ""]) => {
    const figures = rest.trim().split(/\s+/).map(Number);
    return [name, { receivedBytes: figures[0] ?? 0, sentBytes: figures[8] ?? 0 }];
  }));
}
