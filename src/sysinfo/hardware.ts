/** Reads the hardware from sysfs. @module */
import { baseName } from "../core/path.ts";
import { listFixed, readAllFixed, readFixed } from "./read_fixed.ts";
import type { BlockFact, HardwareFacts, PciFact } from "./machine_facts.ts";

const MAX_DEVICES = 128;
/** sysfs counts in these, whatever the disk does. */
const SECTOR_BYTES = 512;

/** Reads processors, maker, disks, and the devices on the PCI bus. */
export async function readHardware(): Promise<HardwareFacts> {
  const dmi = "/sys/class/dmi/id";
  const [cpuinfo, board, blocks, pci] = await Promise.all([
    readFixed("/proc/cpuinfo"),
    readAllFixed({
      vendor: `${dmi}/sys_vendor`,
      product: `${dmi}/product_name`,
      bios: `${dmi}/bios_version`,
      tree: "/sys/firmware/devicetree/base/model", // boards without DMI, ARM above all
    }),
    readBlocks(),
    readPci(),
  ]);
  return { cpuinfo, board: mapValues(board, (text) => text.replaceAll("\0", "").trim()), blocks, pci };
}

async function readBlocks(): Promise<BlockFact[]> {
  // Loops, memory disks and assembled devices are no hardware.
  const names = (await listFixed("/sys/block")).filter((name) => !/^(?:loop|ram|zram|dm-|md|nbd|fd|sr)/.test(name));
  const blocks = await Promise.all(
    names.slice(0, MAX_DEVICES).map(async (name) => {
      const dir = `/sys/block/${name}`;
      const { size, rotational, removable, model, vendor } = await readAllFixed({
        size: `${dir}/size`,
        rotational: `${dir}/queue/rotational`,
        removable: `${dir}/removable`,
        model: `${dir}/device/model`,
        vendor: `${dir}/device/vendor`,
      });
      return {
        name,
        sizeBytes: (Number(size) || 0) * SECTOR_BYTES,
        rotational: rotational === "1",
        removable: removable === "1",
        model: [vendor?.trim(), model?.trim()].filter((word) => word && !word.startsWith("0x")).join(" "),
      };
    }),
  );
  return blocks.filter(({ sizeBytes }) => sizeBytes > 0); // an empty card reader
}

async function readPci(): Promise<PciFact[]> {
  const addresses = await listFixed("/sys/bus/pci/devices");
  return await Promise.all(
    addresses.slice(0, MAX_DEVICES).map(async (address) => {
      const dir = `/sys/bus/pci/devices/${address}`;
      const { kind = "", vendor = "", device = "" } = await readAllFixed({
        kind: `${dir}/class`,
        vendor: `${dir}/vendor`,
        device: `${dir}/device`,
      });
      const driver = await Deno.readLink(`${dir}/driver`).catch(() => ""); // it has no driver
      return { address, class: kind, vendor, device, driver: baseName(driver) };
    }),
  );
}

function mapValues(values: Record<string, string>, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, change(text)]));
}
