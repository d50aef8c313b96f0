/** Describes PCI controllers by their function. @module */
import type { PciFact } from "../../sysinfo/machine_facts.ts";

/** Kinds by the beginning of the class number: PCI Code and ID Assignment Specification, base class and subclass. */
const KINDS: readonly (readonly [prefix: string, kind: string])[] = [
  ["0x0100", "SCSI"],
  ["0x0101", "IDE"],
  ["0x0104", "RAID"],
  ["0x0106", "SATA"],
  ["0x0107", "SAS"],
  ["0x0108", "NVMe"],
  ["0x01", "storage"],
  ["0x0200", "Ethernet"],
  ["0x0280", "network"],
  ["0x02", "network"],
  ["0x03", "display"],
  ["0x12", "accelerator"],
];

/** Storage, network and display devices with their drivers; equal ones are counted. Bridges and the like are left out. */
export function describePci(
  devices: readonly PciFact[],
): { type: string; driver: string; id: string; count?: number }[] {
  const counted = new Map<string, { type: string; driver: string; id: string; count: number }>();
  for (const { class: number, vendor, device, driver } of devices) {
    const type = KINDS.find(([prefix]) => number.startsWith(prefix))?.[1];
    if (type === undefined) continue;
    const id = `${vendor}:${device}`.replaceAll("0x", "");
    const key = `${type} ${id} ${driver}`;
    const known = counted.get(key);
    if (known) known.count++;
    else counted.set(key, { type, driver: driver || "none", id, count: 1 });
  }
  return [...counted.values()].map(({ count, ...rest }) => count > 1 ? { ...rest, count } : rest);
}
